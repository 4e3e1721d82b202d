"""Numbers as they are printed: rounded, grouped, with a prefix."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from workings.units.dimension import ONE, Dimension
from workings.units.reading import Unit, parse_unit

WHOLE_DIGITS = 18  # whole counts of up to so many digits are printed whole
PLAIN_FROM, PLAIN_UP_TO = -4, 12  # powers of ten of a leading digit between which digits are plain
MORE_BESIDE = 20  # how many digits more may be tried beside a limit


def round_significant(value: Fraction, digits: int) -> tuple[Fraction, int]:
    """Round half away from zero to `digits` significant figures; also the decimals that needs."""
    if value == 0:
        return Fraction(0), 0
    decimals = digits - 1 - _exponent10(value)
    rounded = round_decimals(value, decimals)
    if _exponent10(rounded) > _exponent10(value):  # 999.96 is 1,000 in four figures, not 1,000.0
        decimals -= 1
    return rounded, decimals


def round_decimals(value: Fraction, decimals: int) -> Fraction:
    """Round half away from zero to `decimals` places (negative: tens, hundreds…)."""
    scale = Fraction(10) ** decimals
    scaled = abs(value) * scale + Fraction(1, 2)
    rounded = Fraction(scaled.numerator // scaled.denominator) / scale
    return rounded if value >= 0 else -rounded


def _exponent10(value: Fraction) -> int:
    """The power of ten of the leading digit."""
    value = abs(value)
    guess = len(str(value.numerator)) - len(str(value.denominator))
    return guess if value >= Fraction(10) ** guess else guess - 1


# Units below one, the largest first: for an answer by itself that would begin with noughts in that one.
_SMALLER = {"GB": ("MB", "kB", "byte"), "s": ("ms", "µs")}
_FIRST = Fraction(1, 10)  # of the document's unit, from which a number is written in it


class Format(NamedTuple):
    """How numbers are written: one unit per dimension, digits, or fixed decimals.

    A document keeps to its units; an answer by itself, which is to `fit`, takes a smaller one where its
    value would begin with noughts: 164 kB instead of 0.000164 GB.
    """

    units: tuple[str, ...] = ("GB", "s", "TFLOP/s", "GB/s", "FLOP", "USD", "USD/h")
    digits: int = 4
    decimals: int | None = None
    fit: bool = False

    def unit_for(self, dimension: Dimension, value: Fraction = Fraction(0)) -> Unit:
        """The document's unit for a dimension, or its base unit; what fits the value, where it is to."""
        if dimension == ONE:
            return Unit("1", ONE, Fraction(1))
        for text in self.units:
            unit = parse_unit(text)
            if unit.dimension == dimension:
                if not self.fit or not value or abs(value) >= _FIRST * unit.scale:
                    return unit
                smaller = [parse_unit(name) for name in _SMALLER.get(text, ())] or [unit]
                return next((one for one in smaller if abs(value) >= one.scale), smaller[-1])
        return Unit(str(dimension).replace("currency", "USD"), dimension, Fraction(1))


@dataclass(frozen=True, slots=True)
class Shown:
    """A number as printed: its digits, unit text, the value those digits say, and exactness."""

    number: str
    unit: str
    value: Fraction
    exact: bool

    def __str__(self) -> str:
        mantissa, e, exponent = self.number.partition("e")
        number = f"{mantissa} × 10^{exponent}" if e else mantissa
        return number if self.unit == "1" else f"{number} {self.unit}"


def show(value: Fraction, unit: Unit, style: Format) -> Shown:
    """Write `value` (base units) in `unit`.

    Whole counts print whole, with thousands commas; a count that is not whole keeps a decimal, so
    that it does not look whole; an exact value drops its trailing zeros.
    """
    amount = value / unit.scale
    if unit.dimension == ONE and amount.denominator == 1 and abs(amount) < 10**WHOLE_DIGITS:
        return Shown(f"{int(amount):,}", unit.text, value, True)
    rounded, decimals = round_significant(amount, style.digits)
    if abs(amount) < 10**PLAIN_UP_TO:  # from there on a power of ten, in significant figures
        if style.decimals is not None:
            rounded, decimals = round_decimals(amount, style.decimals), style.decimals
        elif unit.dimension == ONE and decimals < 1:
            rounded, decimals = round_decimals(amount, 1), 1
    text = _decimal_text(rounded, decimals, style.digits)
    exact = rounded == amount
    if exact and style.decimals is None:
        text = _without_trailing_zeros(text)
    name = "bytes" if unit.text == "byte" and rounded != unit.scale else unit.text
    return Shown(text, name, rounded * unit.scale, exact)


def show_beside(value: Fraction, limit: Fraction, unit: Unit, style: Format) -> Shown:
    """Write `value` with as many digits as it takes to stand on its own side of `limit`."""
    for extra in range(MORE_BESIDE):
        decimals = None if style.decimals is None else style.decimals + extra
        shown = show(value, unit, Format(style.units, style.digits + extra, decimals))
        if (shown.value > limit) - (shown.value < limit) == (value > limit) - (value < limit):
            break
    return shown


def _without_trailing_zeros(text: str) -> str:
    mantissa, e, exponent = text.partition("e")
    return (mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa) + e + exponent


def _decimal_text(value: Fraction, decimals: int, digits: int) -> str:
    """Plain digits, or `1.44e16` where plain digits would be mostly zeros."""
    exponent = _exponent10(value) if value else 0
    if value and not PLAIN_FROM <= exponent < PLAIN_UP_TO:
        mantissa = value / Fraction(10) ** exponent
        return f"{_fixed(mantissa, digits - 1)}e{exponent}"
    return _fixed(value, max(decimals, 0))


def _fixed(value: Fraction, decimals: int) -> str:
    """Fixed decimals with thousands commas; trailing zeros of an exact decimal are kept."""
    scaled = round_decimals(value, decimals) * 10**decimals
    digits = f"{abs(int(scaled)):0{decimals + 1}d}"
    whole, fraction = (digits[:-decimals], digits[-decimals:]) if decimals else (digits, "")
    sign = "-" if scaled < 0 else ""
    return f"{sign}{int(whole):,}" + (f".{fraction}" if fraction else "")
