"""Numbers in Chinese, Japanese and Korean signs, such as `四十四`, `五分之一` and `여덟`, as numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache

from workings.marks.quantity import Printed
from workings.marks.token import Token
from workings.marks.words import listed, meaning

MANY = 100  # what such a sign multiplies stands before it


def counted(token: Token, value: int, start: int, end: int) -> Token:
    """A number as if it were printed; the zeros of twenty thousand may be rounded ones."""
    zeros = len(str(value)) - len(str(value).rstrip("0")) if value else 0
    numbers = (Printed(Fraction(value), Fraction(1), zeros, True),)
    return replace(token, kind="number", text=str(value), start=start, end=end, numbers=numbers)


def share(token: Token, value: Fraction, start: int, end: int, ulp: Fraction = Fraction(0)) -> Token:
    """A share or a multiple that is known exactly, or to what its last decimal is worth."""
    text = f"{float(value)}" if ulp else str(value)
    return replace(token, kind="number", text=text, start=start, end=end, numbers=(Printed(value, ulp),))


def in_signs(token: Token) -> Iterator[Token]:
    """A run of signs, with the number in it by itself."""
    found = _pattern().search(token.text)
    if found is None:
        yield token
        return
    start, end = token.start + found.start(), token.start + found.end()
    number = _number(token, found, start, end)
    if number is None:
        yield token
        return
    if found.start():
        yield replace(token, text=token.text[: found.start()], end=start)
    yield number
    if found.end() < len(token.text):
        yield replace(token, text=token.text[found.end() :], start=end, spaced=False)


def over(token: Token, after: Token) -> Token | None:
    """`오분의 일`: a share in two words."""
    if after.kind != "word" or not token.text.endswith(tuple(listed("eastern", "of"))):
        return None
    found = _pattern().fullmatch(token.text + after.text)
    return _number(token, found, token.start, after.end) if found is not None else None


def _number(token: Token, found: re.Match[str], start: int, end: int) -> Token | None:
    """What a match says."""
    if found["whole"]:
        return share(token, Fraction(meaning("eastern.wholes")[found["whole"]]), start, end)
    if found["below"]:
        below, above = _worth(found["below"]), _worth(found["above"])
        return share(token, Fraction(above, below), start, end) if below and above else None
    value = _worth(found["count"])
    if found["digits"] and value is not None:
        digits = "".join(str(one) for one in _pieces(found["digits"]))
        ulp = Fraction(1, 10 ** len(digits))
        return share(token, value + int(digits) * ulp, start, end, ulp)
    if value is None or (len(found["count"]) == 1 and not 1 < value < MANY):
        return None
    return counted(token, value, start, end)


@cache
def _values() -> Mapping[str, int]:
    return {word: int(value) for word, value in meaning("eastern.numerals").items()}


@cache
def _pattern() -> re.Pattern[str]:
    """Wholes, shares and counts: a single sign before what it may count, a Korean word at a beginning."""
    words = sorted(_values(), key=len, reverse=True)
    signs, counters = "|".join(words), "|".join(listed("eastern", "counters"))
    chinese = "".join(word for word in words if "\u4e00" <= word <= "\u9fff" or word == "〇")
    korean = "|".join(word for word in words if word not in chinese)
    apart = "|".join(listed("eastern", "apart"))
    points = "|".join(listed("eastern", "points"))
    digits = "|".join(word for word in words if _values()[word] < 10)
    wholes, of = "|".join(meaning("eastern.wholes")), "|".join(listed("eastern", "of"))
    return re.compile(
        f"(?P<whole>{wholes})|(?P<below>(?:{signs})+)(?:{of})(?P<above>(?:{signs})+)"
        f"|(?<![第每{chinese}])(?P<count>(?:{signs})+(?=(?:{points})(?:{digits}))|[{chinese}]{{2,}}|[{chinese}](?=(?:{counters}))(?!一)"
        f"|(?<![가-힣])(?!(?:{apart})$)(?:{korean})+(?=(?:{counters})|$))"
        f"(?:(?:{points})(?P<digits>(?:{digits})+))?"
    )


def _pieces(text: str) -> Iterator[int]:
    """The values of the signs, the longest word first."""
    place = 0
    while place < len(text):
        word = next(w for n in (3, 2, 1) if (w := text[place : place + n]) in _values())
        yield _values()[word]
        place += len(word)


def _worth(text: str) -> int | None:
    """What signs come to: smaller before larger multiplies, larger before smaller adds."""
    total = section = number = 0
    before = MANY
    for value in _pieces(text):
        if value < 10 and before < 10:
            return None
        before = value
        if value >= 10**4:
            so_far = total + section + number
            large = 0 < total < value
            total = so_far * value if large else total + max(1, section + number) * value
            section = number = 0
        elif value in (10, 100, 1000):
            section, number = section + max(1, number) * value, 0
        else:
            number += value
    return total + section + number


def hundredths(tokens: Sequence[Token]) -> bool:
    """Whether the last of these tokens says that a number in per cent follows: `百分之`, `yüzde`, `%`."""
    last = tokens[-1].text.casefold() if tokens else ""
    if last == "%":
        return len(tokens) < 2 or tokens[-2].kind != "number"
    return any(last.endswith(word) for word in listed("numeral", "hundredths"))
