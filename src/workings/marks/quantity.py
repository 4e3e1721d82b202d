"""A printed number: what its digits stand for, in each unit that it may be read in.

One notion of closeness serves all judges: a number stands for the interval of values that round to
its digits, and two numbers agree where their intervals meet.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from typing import TypeAlias

from workings.marks.words import listed, meaning

# Powers of byte, FLOP, second and currency; counts have none.
Dimension: TypeAlias = tuple[int, int, int, int]
BARE: Dimension = (0, 0, 0, 0)
BYTE, FLOP, SECOND, MONEY = (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)
RATE: Dimension = (0, 1, -1, 0)


@dataclass(frozen=True, slots=True)
class Printed:
    """Digits as they stand: their value, what the last is worth, how many zeros end a whole number."""

    value: Fraction
    ulp: Fraction
    zeros: int = 0  # of a whole number printed without decimals or exponent
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Unit:
    """One way to read what stands behind a number: a factor, a dimension, and the word it is."""

    scale: Fraction
    dimension: Dimension
    word: str = ""
    binary: Fraction = Fraction(1)  # what it would be worth more with 1,024 in place of 1,000, or less
    count: Fraction = Fraction(1)  # of `M tokens/s`: the million


PLAIN = Unit(Fraction(1), BARE)
_METRIC = {"": 0, "k": 1, "K": 1, "M": 2, "G": 3, "T": 4, "P": 5, "E": 6, "Z": 7,
           "m": -1, "u": -2, "µ": -2, "μ": -2, "n": -3}  # fmt: skip
_BYTES = r"(?P<p>[kKMGTPE]?)(?P<i>i?)(?:B|Byte|byte|bytes|Bytes|o|octets?|字节|バイト|바이트)"
_BITS = r"(?P<p>[kKMGTPE]?)(?P<i>i?)(?:b|bit|bits|Bit)"
_FLOPS = r"(?P<p>[kKMGTPEZ]?)(?:FLOPs?|flops?|Flops?|FLOPS|(?<=[GTPEZ])F)"
_SMALL_TIMES = re.compile(r"(?P<p>[munµμ])s(?:ec)?$")


def _binary(power: int) -> Fraction:
    return Fraction(1024, 1000) ** power


def _plain_unit(word: str) -> Iterator[Unit]:
    """The readings of one word behind a number, without `per`."""
    if found := re.fullmatch(_BYTES, word):
        power = _METRIC[found["p"]]
        base = 1024 if found["i"] else 1000
        other = _binary(-power if found["i"] else power)
        yield Unit(Fraction(base) ** power, BYTE, word, other)
    if found := re.fullmatch(_BITS, word):
        power = _METRIC[found["p"]]
        base = 1024 if found["i"] else 1000
        yield Unit(Fraction(base) ** power / 8, BYTE, word, _binary(-power if found["i"] else power))
    if found := re.fullmatch(_FLOPS, word):
        scale = Fraction(1000) ** _METRIC[found["p"]]
        yield Unit(scale, FLOP, word)
        if word.endswith("S") or (found["p"] and word.lower().endswith("flops")):
            yield Unit(scale, RATE, word)  # TFLOPS: a rate to most who write it so
    head, _, tail = word.rpartition("-")
    if word[:1] == "卡" and not head:  # 卡时, 卡天: of a card
        head, tail = "卡", {"时": "小时"}.get(word[1:], word[1:])
    if seconds := meaning("seconds").get(tail):
        if head == "s":  # PFLOP/s-days
            yield Unit(1 / Fraction(seconds), BARE, word)
        elif rates := [unit for unit in _plain_unit(head) if unit.dimension == RATE] if head else []:
            yield Unit(rates[0].scale * Fraction(seconds), FLOP, word)  # PFLOPS-days
        else:  # GPU-hours too
            yield Unit(Fraction(seconds), SECOND, f"{head}-{tail}" if head else word)
    if found := _SMALL_TIMES.fullmatch(word):
        yield Unit(Fraction(1000) ** _METRIC[found["p"]], SECOND, word)
    if word in meaning("money"):
        yield Unit(Fraction(1), MONEY, word)
    if thousands := meaning("thousands").get(word):
        power = int(thousands)
        other = _binary(power) if word in ("k", "K", "M") else Fraction(1)
        yield Unit(Fraction(1000) ** power, BARE, word, other)
    if count := meaning("count").get(word):
        yield Unit(Fraction(count), BARE, word)
    if word in meaning("percent"):
        yield Unit(Fraction(1, 100), BARE, "%")


@cache
def _in_full() -> re.Pattern[str]:
    """Bytes in words, with a prefix in words or letters: gigabajtów, Гбайт, ТиБ."""
    full, short = "|".join(meaning("prefixes")), "|".join(meaning("short_prefixes"))
    words = "|".join(sorted(listed("bytes", "words"), key=len, reverse=True))
    return re.compile(f"(?i:(?P<full>{full})(?:{words}))|(?P<short>{short})?(?:Б|(?i:{words}))")


def _short(word: str) -> str:
    """A unit in its short form, if it is written in full or in other letters."""
    found = _in_full().fullmatch(word)
    if found is None or re.fullmatch(_BYTES, word):
        return meaning("spelled").get(word, word)
    if found["full"]:
        return meaning("prefixes")[found["full"].casefold()] + "B"
    return meaning("short_prefixes").get(found["short"] or "", "") + "B"


@lru_cache(maxsize=4096)
def units_of(words: tuple[str, ...]) -> tuple[Unit, ...]:
    """Every reading of `GB`, `GB/s`, `B tokens`, `GPU-hours` …; none where it is no unit.

    `words` are the parts of a unit: what is multiplied, then what follows each `/`.
    """
    first, *below = (part for word in words for part in _short(word).split("/"))
    found = list(_plain_unit(first))
    for word in below:
        under = list(_plain_unit(meaning("below").get(word, word)))
        if under:
            found = [
                Unit(a.scale / b.scale, _minus(a.dimension, b.dimension), f"{a.word}/{b.word}", a.binary)
                for a in found for b in under
                if b.dimension != BARE or b.scale == 1 or b.word.startswith("s-")
            ] or found  # fmt: skip
        # per token, per GPU: a count
    return tuple(found)


def _minus(a: Dimension, b: Dimension) -> Dimension:
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3])


_DIGITS = re.compile(r"(?P<whole>\d+)(?:\.(?P<part>\d+))?(?:[eE](?P<exp>[+-]?\d{1,3}))?$")


@lru_cache(maxsize=4096)
def printed(text: str) -> Printed:
    """What plain digits (`1500`, `2.50`, `3.2e9`) stand for. Raises ValueError where they are none."""
    found = _DIGITS.match(text)
    if found is None or len(text) > 100:
        raise ValueError(text[:40])
    part, power = found["part"] or "", int(found["exp"] or 0)
    value = Fraction(int(found["whole"] + part), 10 ** len(part)) * Fraction(10) ** power
    whole = not part and found["exp"] is None
    zeros = len(found["whole"]) - len(found["whole"].rstrip("0")) if whole and value else 0
    return Printed(value, Fraction(10) ** (power - len(part)), zeros, whole)
