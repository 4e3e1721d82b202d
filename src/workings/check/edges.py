"""Where a side of a relation may begin and end, so that no half of a formula is taken for a whole one.

Everything that could not be read (`log`, `±`, `7 mod 4`, `half of 10`, `2,5` with a decimal comma)
still stands beside what could. A side cut off there would say something that nobody wrote.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from workings.formula.page.lexer import PageToken
from workings.formula.page.words import UNIT_WORDS, listed

# Words that work on the number behind them: `log 8`, `twice 4`, `10 plus 3`.
_WORK_ON_NEXT = listed(
    """
    log ln lg exp sin cos tan sqrt mod modulo div twice thrice double triple half times plus minus less
    squared cubed negative minus factorial 乘以 除以 加上 减去 乘 除 加 减
    """
)
# Words that go on with the number before them: `30 divided by 2`, `20% of 50`, `3 to 5 days`.
_GO_ON = listed(
    "times plus minus mod modulo div divided multiplied squared cubed percent 乘以 除以 加上 减去"
)
_RANGES = listed("to or 到 至 或")
_OF = frozenset(
    [
        "half",
        "third",
        "quarter",
        "tenth",
        "out",
        "%",
        "square",
        "root",
        "cube",
        "percent",
        "double",
        "most",
    ]
)
# Signs and commands that were not read but take no part in what stands behind them.
_HARMLESS = frozenset(["~", "|", "\\because", "\\forall", "\\exists", "\\checkmark", "\\star"])


def may_begin(tokens: Sequence[PageToken], start: int, begin: int) -> bool:
    """An expression does not begin in the middle of another, or behind a sign."""
    token = tokens[start]
    if start == begin and token.kind == "operator" and token.text != "-":
        return False
    if start == 0:
        return True
    before = tokens[start - 1]
    if _is_worked_on(tokens, start) or _splits_number(tokens, start):
        return False
    if start == begin:
        return True
    if token.text == "(" and before.kind == "word" and not token.glued and goes_on_behind(tokens, start):
        return True  # for us that is (4-1)/(16+4-1)
    if before.kind == "operator" and not _dash_before(tokens, start, begin):
        return False
    if token.kind == "operator" or _is_remark(before, token) or _is_coefficient(before, token):
        return False
    if _behind_operator(tokens, start, begin):
        return False
    if before.kind in ("frac", "sqrt", "function", "sum") or (
        before.kind == "odd" and before.text in "_^"
    ):
        return False
    return not (
        token.dialect == before.dialect == "math"
        and before.kind in ("name", "number", "close", "percent")
    )


def goes_on_behind(tokens: Sequence[PageToken], start: int) -> bool:
    """Whether a bracket holds a figure and a sign follows it: it is the beginning of a formula."""
    depth, figures = 0, 0
    for at in range(start, min(start + 40, len(tokens) - 1)):
        depth += (tokens[at].kind == "open") - (tokens[at].kind == "close")
        figures += tokens[at].kind in ("number", "name")
        if tokens[at].kind == "word":
            return False
        if depth == 0:
            follows = tokens[at + 1]
            return figures > 1 and follows.kind == "operator" and follows.text in "*/^"
    return False


def _is_remark(before: PageToken, token: PageToken) -> bool:
    """A bracket behind a word or number of prose."""
    return token.text == "(" and token.dialect == "text" and before.kind in ("word", "name", "number")


def _is_coefficient(before: PageToken, token: PageToken) -> bool:
    """A number of prose before a single letter: of `4 m = 16` no m is said to be 16."""
    letter = token.kind == "name" and len(token.text) == 1
    return letter and before.kind == "number" and token.dialect == before.dialect == "text"


def _is_worked_on(tokens: Sequence[PageToken], start: int) -> bool:
    """Whether what was not understood takes the token behind it: `\\ln 2`, `± 1`, `20% of 50`."""
    token, before = tokens[start], tokens[start - 1]
    if token.kind not in ("number", "name", "open", "frac", "money"):
        return False
    if before.kind == "odd":
        return _is_operation(before) or (before.text == "–" and before.glued and token.glued)
    if before.kind == "percent":
        return token.kind == "number"
    if before.kind != "word":
        return False
    word = before.text.lower()
    if word in ("of", "by") and start > 1:
        earlier = tokens[start - 2].text.lower()
        return earlier in (_OF if word == "of" else ("divided", "multiplied"))
    return word in _WORK_ON_NEXT


def _is_operation(odd: PageToken) -> bool:
    r"""Whether a sign that was not understood is one of mathematics: `±`, `∂`, `\\ln`, `\\bmod`."""
    if odd.text in _HARMLESS:
        return False
    return odd.text[:1] in "\\_^@" or odd.text == "sum" or unicodedata.category(odd.text[0]) == "Sm"


def _splits_number(tokens: Sequence[PageToken], start: int) -> bool:
    """Whether a token is the rest of `2,5`, `1 000 000`, `1.000.000`, `12:30` or of `3rd`."""
    token, before = tokens[start], tokens[start - 1]
    if token.kind == "word":
        return before.kind == "number" and token.text.isascii()
    if token.kind != "number":
        return False
    if before.kind == "number":
        return token.glued or _is_group(token)
    separates = (
        before.kind in ("comma", "stop") and token.glued and before.glued and token.dialect != "math"
    )
    return separates and start > 1 and tokens[start - 2].kind == "number"


def _is_group(token: PageToken) -> bool:
    """Three digits, as behind a space that separates thousands."""
    return len(token.text) == 3 and token.text.isdigit()


def _dash_before(tokens: Sequence[PageToken], start: int, begin: int) -> bool:
    """Whether the sign before a token is a dash or the mark of a list."""
    before = tokens[start - 1]
    return (
        before.text in "-*" and not before.glued and tokens[start].kind != "operator"
        and _is_dash(tokens, start - 1, begin)
    )  # fmt: skip


def _behind_operator(tokens: Sequence[PageToken], start: int, begin: int) -> bool:
    """Whether only words stand between a sign and this token: `8 × H100 80GB = …`."""
    at = start - 1
    while at > begin and tokens[at].kind in ("word", "words") and start - at < 5:
        at -= 1
    sign = at < start - 1 and tokens[at].kind == "operator" and not _is_dash(tokens, at, begin)
    return sign and not _is_of_rate(tokens, at)


def _is_of_rate(tokens: Sequence[PageToken], at: int) -> bool:
    """Whether a slash stands within the unit of a rate: `At 50 GB/s this takes 51.25 / 50`."""
    above, below = tokens[max(at - 1, 0)].text, tokens[at + 1].text
    return tokens[at].text == "/" and above in UNIT_WORDS and below in UNIT_WORDS


def _is_dash(tokens: Sequence[PageToken], at: int, begin: int) -> bool:
    """A sign that is the mark of a list or a dash between words, and not the `*` of `3! * 2`."""
    if tokens[at].text not in "-*" or (at > 0 and tokens[at - 1].text == "!"):
        return False
    return at == begin or tokens[at - 1].kind in ("word", "break", "stop")


def breaks_off(text: str, tokens: Sequence[PageToken], stop: int, limit: int) -> bool:
    """Whether reading stopped in the middle of a formula: half a side must not be compared."""
    if stop >= limit:
        return False
    token, before = tokens[stop], tokens[stop - 1]
    if token.kind in ("operator", "percent") or (token.kind == "odd" and token.text == "^"):
        return token.glued or token.dialect != "text" or text[token.start] not in "-–*"
    if _goes_on(tokens, stop, limit) or (token.kind == "number" and _splits_number(tokens, stop)):
        return True
    if token.kind == "number" and before.text == "times":
        return True
    if token.kind == "word" and token.glued and before.kind == "number" and token.text.isascii():
        return token.text not in ("x", "X")
    if token.text == "!":  # a factorial or an exclamation
        return token.glued and before.kind in ("number", "name", "close")
    if token.kind == "comma":
        return stop + 1 < limit and _splits_number(tokens, stop + 1)
    if token.dialect != before.dialect and token.kind == "open":
        return False  # a remark behind a formula
    if token.dialect == "text" or token.dialect != before.dialect:
        if token.kind == "open" and before.kind in ("number", "word", "words", "percent"):
            return False  # 29.6 GB（约 27.6 GiB）
        return token.glued and token.kind in ("name", "open", "odd") and token.text not in "|"
    return token.kind in ("odd", "open", "name", "number", "frac", "sqrt", "function", "sum")


def remark_behind(tokens: Sequence[PageToken], start: int, stop: int) -> int | None:
    """Where a last bracket begins that may be a remark and no factor: `110 (+10%)`, `16 (2 × 8)`."""
    if tokens[stop - 1].kind != "close" or tokens[stop - 1].dialect != "text":
        return None
    depth = 0
    for at in range(stop - 1, start, -1):
        depth += (tokens[at].kind == "close") - (tokens[at].kind == "open")
        if depth == 0:
            behind_number = tokens[at - 1].kind in ("number", "word", "percent") and not tokens[at].glued
            return at if behind_number else None
    return None


def _goes_on(tokens: Sequence[PageToken], stop: int, limit: int) -> bool:
    """Whether a word goes on with the number: `30 divided by 2`, `3 to 5 days`, `20% of 50`."""
    token = tokens[stop]
    if token.kind == "odd" and token.text in ("±", "\\pm"):
        return True
    if token.kind != "word":
        return False
    word, follows = token.text.lower(), tokens[min(stop + 1, limit)]
    if word in _RANGES:
        return follows.kind == "number"
    if word == "of":
        return tokens[stop - 1].kind == "percent" and follows.kind in ("number", "name")
    return word in _GO_ON


def is_range(text: str, start: int, end: int) -> bool:
    """Whether what was read as a difference is a range: `3-4 days`, `10–15`."""
    parts = text[start:end].replace("–", "-").split("-")
    if len(parts) != 2 or not all(parts):
        return False
    low, high = parts[0], parts[1].split(" ")[0].rstrip("%xBKMGT")
    try:
        return not low.endswith(" ") and not high.startswith(" ") and float(low) < float(high)
    except ValueError:
        return False
