"""Numbers in words, such as `forty-four`, `vierundvierzig`, `vingt mille` and `四十四`, as numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import pairwise

from workings.marks.quantity import Printed
from workings.marks.token import Token
from workings.marks.words import listed, meaning

MOST_PIECES = 14
MOST_LETTERS = 60  # of a word that is taken apart
_HUNDREDTHS = "百分之"  # stands before what is said in per cent
MANY = 100  # what such a word multiplies stands before it


def spelled_out(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """These tokens, with a number in place of the words that say one."""
    out: list[Token] = []
    place = 0
    while place < len(tokens):
        token = tokens[place]
        after = tokens[place + 1] if place + 1 < len(tokens) else None
        if token.kind == "number" and out and out[-1].text.endswith(_HUNDREDTHS):
            out += [token, replace(token, kind="word", text="%", start=token.end, numbers=())]
            place += 1
        elif after is not None and f"{token.text}_{after.text}".casefold() in listed(
            "numeral", "percent"
        ):
            out.append(replace(token, text="%", end=after.end))
            place += 2
        elif token.kind != "word" or token.math:
            out.append(token)
            place += 1
        elif not token.text.isascii() and (found := _eastern().search(token.text)) is not None:
            out += _around(token, found)
            place += 1
        elif (longest := _western(tokens[place : place + MOST_PIECES])) is not None:
            value, taken = longest
            behind = tokens[place + taken] if place + taken < len(tokens) else token
            if (part := meaning("fractions").get(behind.text.casefold())) is not None:
                exact = (Printed(value * Fraction(part), Fraction(0)),)
                out.append(replace(token, kind="number", text=token.text, end=behind.end, numbers=exact))
                place += taken + 1
                continue
            out.append(_number(token, token.start, tokens[place + taken - 1].end, value))
            place += taken
        else:
            out.append(token)
            place += 1
    return tuple(out)


def _number(token: Token, start: int, end: int, value: int) -> Token:
    """A number as if it were printed; the zeros of twenty thousand may be rounded ones."""
    zeros = len(str(value)) - len(str(value).rstrip("0")) if value else 0
    numbers = (Printed(Fraction(value), Fraction(1), zeros, True),)
    return replace(token, kind="number", text=str(value), start=start, end=end, numbers=numbers)


@cache
def _values() -> Mapping[str, int]:
    return {word.casefold(): int(value) for word, value in meaning("numerals").items()}


@cache
def _eastern() -> re.Pattern[str]:
    signs = "".join(word for word in _values() if len(word) == 1 and "\u4e00" <= word <= "\u9fff")
    counters = "".join(word for word in listed("numeral", "counters") if len(word) == 1)
    return re.compile(f"(?<![第每{signs}])(?:[{signs}]{{2,}}|[{signs}](?=[{counters}])(?!一))")


def _around(token: Token, found: re.Match[str]) -> Iterator[Token]:
    """A run of signs, with the number in it by itself."""
    value = _worth([_values()[sign] for sign in found[0]], eastern=True)
    if value is None or (len(found[0]) == 1 and not 1 < value < MANY):
        yield token
        return
    start, end = token.start + found.start(), token.start + found.end()
    if found.start():
        yield replace(token, text=token.text[: found.start()], end=start)
    yield _number(token, start, end, value)
    if found.end() < len(token.text):
        yield replace(token, text=token.text[found.end() :], start=end, spaced=False)


def _western(tokens: Sequence[Token]) -> tuple[int, int] | None:
    """The number that the first of these words say, and how many say it."""
    if tokens[0].text.casefold() not in _values() and not _pieces(tokens[0].text.casefold()):
        return None
    values: list[int] = []
    best: tuple[int, int] | None = None
    for taken, token in enumerate(tokens, 1):
        word = token.text.casefold()
        if token.kind == "number" or (token.kind not in ("word", "operator")):
            break
        if word in listed("numeral", "glue"):
            continue
        pieces = [_values()[word]] if word in _values() else _pieces(word)
        values += pieces
        worth = _worth(values) if pieces else None
        if worth is None:
            break
        best = worth, taken
    word = tokens[0].text.casefold()
    alone = word in listed("numeral", "alone") or _values().get(word, 0) >= MANY
    alone &= len(tokens) < 2 or tokens[1].text.casefold() not in listed("numeral", "or")
    return None if best is not None and best[1] == 1 and alone else best


@cache
def _pieces(word: str) -> list[int]:
    """A compound such as `vierundvierzig` or `forty-four` in its numbers; else none."""
    if len(word) > MOST_LETTERS:
        return []
    found: list[int] = []
    at = 0
    while at < len(word):
        pieces = [w for w in _values() if len(w) > 2 and word.startswith(w, at)]
        glue = [g for g in ("und", "-", "y", "e") if found and word.startswith(g, at)]
        if not pieces and not glue:
            return []
        longest = max(pieces, key=len) if pieces else max(glue, key=len)
        found += [_values()[longest]] if pieces else []
        at += len(longest)
    return found if len(found) > 1 else []


def _worth(values: Sequence[int], eastern: bool = False) -> int | None:
    """What pieces come to: smaller before larger multiplies, larger before smaller adds.

    None where no language says so: `two three`.
    """
    if any(a < 10 and b < 10 for a, b in pairwise(values)):
        return None
    total = section = number = 0
    for value in values:
        if value >= 1000:
            so_far = total + section + number
            large = value >= 10**4 and 0 < total < value
            total = so_far * value if large else total + max(1, section + number) * value
            section = number = 0
        elif value == 100 or (value == 10 and eastern):
            section, number = section + max(1, number) * value, 0
        elif value == 20 and number == 4:
            number = 80  # quatre-vingts
        elif number and not (number >= 20 and value < 20) and not (number < 10 <= value):
            return None
        else:
            number += value
    return total + section + number
