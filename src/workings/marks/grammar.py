"""Where a calculation begins and ends among words: what stands between two relations, or is none."""

from __future__ import annotations

from collections.abc import Sequence

from workings.marks.behind import MOST_NOUNS
from workings.marks.parser import whole
from workings.marks.quantity import units_of
from workings.marks.token import Token
from workings.marks.tree import Node
from workings.marks.words import listed, meaning

LONGEST = 240  # tokens of one side
_JOINING = frozenset({"range", "…", "_", "\\", "~", "±", "'"})
NEAR = 5  # tokens before a word that may join what stands before it


def ending(tokens: Sequence[Token], known: frozenset[str] = frozenset()) -> tuple[Node, int] | None:
    """The longest calculation at the end of the tokens, and the number of the token where it begins."""
    for start in range(max(0, len(tokens) - LONGEST), len(tokens)):
        if not _may_begin(tokens, start):
            continue
        node = whole(tokens[start:], known)
        if node is not None:
            return (node, start)
    return None


def beginning(tokens: Sequence[Token], known: frozenset[str] = frozenset()) -> tuple[Node, int] | None:
    """The longest calculation at the beginning of the tokens, and the number of the token after it."""
    for end in range(min(len(tokens), LONGEST), 0, -1):
        if not _may_end(tokens, end):
            continue
        node = whole(tokens[:end], known)
        if node is not None:
            return (node, end)
    return None


def _may_begin(tokens: Sequence[Token], place: int) -> bool:
    """Whether nothing before the place can belong to a calculation that begins there."""
    if tokens[place].kind == "operator" and not tokens[place].math:
        return False
    if place == 0:
        return True
    before, first = tokens[place - 1], tokens[place]
    if before.kind == "stop":
        return before.text in ",，;；:：、." and (first.spaced or not (first.math and before.math))
    if (
        before.kind == "word"
        and place > 1
        and tokens[place - 2].text in "*/"
        and not tokens[place - 2].math
    ):
        return False  # 3.5 × the 40 GB
    if before.text == "par" and place > 1 and tokens[place - 2].text in meaning("signs"):
        return False  # divisé par
    if before.kind == "word":
        return (
            not before.math
            and (before.text.casefold() not in listed("joins", "before") or _first(tokens, place))
            and (first.spaced or not before.text.isascii())
        )
    if before.kind == "open":  # never closed: the sentence ends within it
        return before.text == "(" and not before.math and not _closed(tokens, place - 1)
    if before.kind == "close":  # (a) $m = 8$
        return (first.math and not before.math) or (first.spaced and _label(tokens[:place]))
    if before.kind == "other":
        return first.spaced and before.text not in _JOINING
    # a name in a column of notes; no program has a number behind a name
    return before.kind == "name" and before.code and first.kind == "number" and first.spaced


def _closed(tokens: Sequence[Token], place: int) -> bool:
    """Whether the bracket that opens at a place closes."""
    deep = 0
    for token in tokens[place:]:
        deep += (token.kind == "open") - (token.kind == "close")
        if not deep:
            return True
    return False


def _label(tokens: Sequence[Token]) -> bool:
    """Whether these are only a bracket of one word or number: `(a)`, `[3]`."""
    behind_stop = len(tokens) > 3 and tokens[-4].kind == "stop"
    return len(tokens) >= 3 and tokens[-3].kind == "open" and (len(tokens) == 3 or behind_stop)


def _first(tokens: Sequence[Token], place: int) -> bool:
    """Whether the word before a place has nothing to join: `At 8 × 3.35`, `the rate grows by √8`."""
    word = tokens[place - 1].text.casefold()
    if word in ("de", "of", "von") and place > 1:  # the state is of 12 × 2.8
        return tokens[place - 2].text.casefold() in listed("joins", "equals")
    if word not in listed("joins", "first"):
        return False
    before = tokens[max(0, place - NEAR) : place - 1]
    joined = ("number", "close", "stop")
    return not any(token.kind in joined or token.text in meaning("signs") for token in before)


def _calculates(tokens: Sequence[Token]) -> bool:
    """Whether another calculation begins, in a formula of its own: `from $4 · 4 = 16$ to $2 · 4 = 8$`."""
    return tokens[0].math and len(tokens) > 1 and tokens[1].kind == "operator" and tokens[1].math


def _may_end(tokens: Sequence[Token], place: int) -> bool:
    """Whether nothing from the place on can belong to a calculation that ends before it."""
    if place == len(tokens):
        return True
    after = tokens[place]
    if after.kind in ("stop", "close") or (after.kind == "other" and after.text not in _JOINING):
        return True
    if after.kind == "open":
        return after.spaced or after.text == "("
    if after.text.casefold() in ("per", "pro", "par"):  # 4/3·F per token
        return place + 1 < len(tokens) and tokens[place + 1].kind in ("word", "number")
    if after.kind != "word" or after.text.casefold() in listed("joins", "after"):
        return False
    if tokens[place - 1].kind == "number" and units_of((after.text,)):
        return False  # = 41 GB to 98 GB: no 41
    if after.text.casefold() in listed("joins", "until") and place + 1 < len(tokens):
        return tokens[place + 1].kind != "number" or _calculates(tokens[place + 1 :])  # = 4 to 6 days
    nouns = 0
    while place + nouns < len(tokens) and tokens[place + nouns].kind == "word":  # = 12 layers × …
        nouns += 1
    place += nouns
    return place == len(tokens) or tokens[place].kind != "operator" or nouns > MOST_NOUNS
