"""Units with prefixes, numbers and quantities as people type them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from workings.units.dimension import BYTE, CURRENCY, FLOP, ONE, SECOND, Dimension, UnitError

MAX_DIGITS = 80
MAX_EXPONENT = 400


class Unit(NamedTuple):
    """A named unit: its text, its dimension and how many base units it is."""

    text: str
    dimension: Dimension
    scale: Fraction


@dataclass(frozen=True, slots=True)
class Quantity:
    """An exact value in base units (byte, FLOP, second, currency) with its dimension."""

    value: Fraction
    dimension: Dimension = ONE


_DECIMAL = {"": 1, "k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12, "P": 10**15, "E": 10**18,
            "Z": 10**21, "Y": 10**24}  # fmt: skip
_BINARY = {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40, "Pi": 2**50}


def _table() -> dict[str, Unit]:
    table: dict[str, tuple[Dimension, Fraction]] = {}
    for prefix, factor in {**_DECIMAL, **_BINARY}.items():
        table[f"{prefix}B"] = (BYTE, Fraction(factor))
        table[f"{prefix}bit"] = (BYTE, Fraction(factor, 8))
    for prefix, factor in _DECIMAL.items():
        table[f"{prefix}FLOP"] = table[f"{prefix}FLOPs"] = (FLOP, Fraction(factor))
    table["byte"] = table["bytes"] = (BYTE, Fraction(1))
    seconds = {
        "s": 1,
        "min": 60,
        "h": 3600,
        "day": 86400,
        "days": 86400,
        "week": 604800,
        "month": 2629800,
        "year": 31557600,
    }  # a year of 365.25 days
    small = {"ms": 10**3, "us": 10**6, "µs": 10**6, "ns": 10**9}
    table |= {name: (SECOND, Fraction(n)) for name, n in seconds.items()}
    table |= {name: (SECOND, Fraction(1, n)) for name, n in small.items()}
    table["%"] = (ONE, Fraction(1, 100))
    table |= {name: (CURRENCY, Fraction(1)) for name in ("USD", "EUR")}
    return {text: Unit(text, *entry) for text, entry in table.items()}


UNITS = _table()
# Formats of numbers by the bytes that one takes, for who gives a width by its format.
FORMATS = {
    name: Fraction(bits, 8)
    for bits, names in {
        32: ("fp32", "float32"), 16: ("bf16", "fp16", "bfloat16", "float16"), 8: ("fp8", "int8"),
        4: ("fp4", "int4"),
    }.items()
    for name in names
}  # fmt: skip
_EXAMPLES = {
    BYTE: "95 GB", SECOND: "90 days", CURRENCY: "3 M USD", FLOP: "1e24 FLOP", ONE: "64",
    BYTE / SECOND: "450 GB/s", FLOP / SECOND: "989 TFLOP/s", CURRENCY / SECOND: "2 USD/h",
}  # fmt: skip


def example_of(wanted: Dimension | None) -> str:
    """A quantity as people write one of this dimension: `2 USD/h`; of memory where none is wanted."""
    if wanted is None:
        return _EXAMPLES[BYTE]
    return _EXAMPLES.get(wanted) or f"7 {wanted}".replace("currency", "USD")


# What people type with a number beside the units' own names; on a page d is a letter as often as a day.
_TYPED_NAMES = {"$": "USD", "d": "day", "second": "s", "minute": "min", "hour": "h", "seconds": "s",
                "minutes": "min", "hours": "h", "weeks": "week", "months": "month",
                "years": "year"}  # fmt: skip


def _typed_unit(text: str) -> Unit:
    """A unit beside a number that was typed: `d` is a day there. Raises UnitError."""
    return parse_unit("/".join(_TYPED_NAMES.get(name, name) for name in text.split("/")))


def parse_unit(text: str) -> Unit:
    """Read `GB`, `TFLOP/s`, `byte/s`; one division at most. Raises UnitError."""
    above, slash, below = text.partition("/")
    names = [above, below] if slash else [above]
    if above == "1":
        names = names[1:]
    if not all(name in UNITS for name in names):
        raise UnitError(f"found {text[:40]!r}, expected {_expected(text)}")
    a = UNITS[above] if above != "1" else Unit("1", ONE, Fraction(1))
    if not slash:
        return a
    b = UNITS[below]
    return Unit(text, a.dimension / b.dimension, a.scale / b.scale)


_BIT_OR_BYTE = re.compile(r"((?:[kMGTPE]|[KMGTP]i)?)b(/[a-z]+|ps)?")


def _expected(text: str) -> str:
    """What to write instead of an unknown unit; `Gb/s` is bits to some and bytes to others."""
    match = _BIT_OR_BYTE.fullmatch(text)
    if match is None:
        meant = "min for minutes, ms for milliseconds or M for millions"
        return meant if text == "m" else "a unit such as GB, GiB, GB/s, Gbit/s, TFLOP/s, USD/h"
    prefix, rest = match[1], (match[2] or "").replace("ps", "/s")
    bits, bytes_ = f"{prefix}bit{rest}", f"{prefix}B{rest}"
    return f"{bits} for bits or {bytes_} for bytes"


NUMBER = re.compile(r"(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![0-9])")
# A number as people type it: thousands apart by commas or underscores, perhaps no 0 before the point.
_TYPED = re.compile(
    r"((?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,3}(?:_[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?|\.[0-9]+)"
    r"([eE][+-]?[0-9]+)?(?![0-9_,.])"
)
_MONEY = re.compile(r"\$\s*([0-9.][0-9.,_]*(?:[eE][+-]?[0-9]+)?)(?:\s*([kKMGBT]))?\s*(/.*)?")
# Powers of a thousand after a plain number; B of a quantity in bytes is a byte.
SUFFIXES = {"k": 1, "K": 1, "M": 2, "G": 3, "B": 3, "T": 4}
_SUFFIXED = re.compile(r"([kKMGBT])(?:\s+(\S.*))?")


def parse_number(text: str) -> Fraction:
    """Read an unsigned decimal literal exactly: `3,520`, `1.8e11`. Raises UnitError."""
    if not NUMBER.fullmatch(text):
        raise UnitError(f"{text[:40]!r} is not a number")
    mantissa, _, exponent = text.replace(",", "").lower().partition("e")
    size = exponent.lstrip("+-").lstrip("0")
    if len(mantissa) > MAX_DIGITS or len(size) > 3 or int(size or 0) > MAX_EXPONENT:
        raise UnitError(f"number {text[:20]}… is longer than {MAX_DIGITS} digits or 10^{MAX_EXPONENT}")
    power = -int(size or 0) if exponent.startswith("-") else int(size or 0)
    return Fraction(mantissa) * Fraction(10) ** power if power else Fraction(mantissa)


def parse_amount(text: str, wanted: Dimension | None = None) -> tuple[Fraction, str]:
    """A number as people type it (`70_000_000_000`, `.5`), and the text after it. Raises UnitError."""
    bare = text.strip()
    sign = -1 if bare.startswith("-") else 1
    bare = _money_last(bare.removeprefix("-").lstrip())
    match = _TYPED.match(bare)
    if match is None:
        what = "a number" if wanted == ONE else "a number with its unit"
        raise UnitError(f"found {text[:40]!r}, expected {what}, such as '{example_of(wanted)}'")
    mantissa = match[1].replace("_", "")
    number = parse_number(("0" if mantissa.startswith(".") else "") + mantissa + (match[2] or ""))
    return sign * number, bare[match.end() :].strip()


def _money_last(text: str) -> str:
    """An amount with its currency where other units stand: `$2/h` as `2 USD/h`, `$5M` as `5 M USD`."""
    match = _MONEY.fullmatch(text)
    return " ".join(filter(None, (match[1], match[2], f"USD{match[3] or ''}"))) if match else text


def parse_quantity(text: str, wanted: Dimension | None = None, thousand: int = 1000) -> Quantity:
    """Read `95 GB`, `1.8e11 byte/s`, `64`, `15T`, `40 %`, `5 M USD`, `$2/h`. Raises UnitError.

    A suffix k, M, G or B, T makes a plain number thousands, millions and so on. Where another
    dimension than that of plain numbers is `wanted`, it needs a unit beside it: 15M is no bytes. B is a
    byte unless a plain number is wanted. `thousand` is what k stands for; 0 where no suffix may stand.
    Where bytes are wanted, `bf16` is those of a number of that format.
    """
    if wanted == BYTE and text.strip().lower() in FORMATS:
        return Quantity(FORMATS[text.strip().lower()], BYTE)
    number, rest = parse_amount(text, wanted)
    if rest == "%" and wanted in (None, ONE):
        return Quantity(number / 100)
    if _SUFFIXED.fullmatch(rest) and (rest != "B" or wanted == ONE):
        return _suffixed(text, number, rest, wanted, thousand)
    unit = _typed_unit(rest) if rest else Unit("1", ONE, Fraction(1))
    return Quantity(number * unit.scale, unit.dimension)


def _suffixed(
    text: str, number: Fraction, rest: str, wanted: Dimension | None, thousand: int
) -> Quantity:
    """A number with a suffix, and perhaps a unit apart from it: `15T`, `5 M USD`. Raises UnitError."""
    suffix, _, after = rest.partition(" ")
    if not thousand:
        both = " or ".join(f"{float(number * base ** SUFFIXES[suffix]):,.15g}" for base in (1000, 1024))
        why = f"{suffix} may stand for a power of 1,000 or of 1,024"
        raise UnitError(f"found {text[:40]!r}, expected the number written out: {why}, {both}")
    if not after and wanted not in (None, ONE):
        units = [n for n, unit in UNITS.items() if unit.dimension == wanted and n[:1] == suffix]
        raise UnitError(
            f"found {text[:40]!r}, expected its unit too, such as {units[0] if units else wanted}"
        )
    unit = _typed_unit(after.strip()) if after else Unit("1", ONE, Fraction(1))
    scale = Fraction(thousand if not after else 1000) ** SUFFIXES[suffix]
    return Quantity(number * scale * unit.scale, unit.dimension)
