"""Numbers of a review as a reader meets them, and words in which a number keeps its unit."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from workings.document.blocks import Inline, Line, Number, Text
from workings.planning.working import shown, unit_for
from workings.units import CURRENCY, ONE, Dimension, Format, Unit, round_significant, show

DAY = Fraction(86400)
_PLAIN = Unit("1", ONE, Fraction(1))
_WHOLE_FROM = 1000  # from here on a number that is not counted is printed without decimals
USUAL, MOST_DIGITS = 3, 15  # digits of a limit and of what is held against it
_SCALES = ((10**12, "trillion"), (10**9, "billion"), (10**6, "million"))
# A number and the unit behind it, which no line may part.
_MEASURE = re.compile(
    r"(?<![\w.,])(\d[\d,]*(?:\.\d+)?) "
    r"(%|[kMGT]?B(?:/s)?|bytes?|[GTP]?FLOP(?:/s)?|[mu]?s|d|days?|USD(?:/h)?|(?:m|b|tr)illion)(?![\w/])"
)


def number(value: Fraction, dimension: Dimension, digits: int = 4) -> Number:
    """A quantity in the unit that suits it; a count of billions in words."""
    if dimension == ONE and value >= _SCALES[1][0]:
        return large(value, digits)
    found = shown(value, dimension, digits)
    return Number(found.number, found.unit)


def alike(values: Sequence[Fraction], dimension: Dimension, digits: int = 4) -> list[Number]:
    """Quantities of one column: all in the unit that suits the largest."""
    unit = unit_for(max(values, key=abs, default=Fraction(0)), dimension)
    return [_in(value, unit, Format(digits=digits)) for value in values]


def parts(values: Sequence[Fraction], dimension: Dimension, digits: int = 4) -> list[Number]:
    """Parts of a sum, all with the decimals that give the largest so many digits."""
    most = max(values, key=abs, default=Fraction(0))
    unit = unit_for(most, dimension)
    _, decimals = round_significant(most / unit.scale, digits)
    return [fixed(value, unit, max(0, decimals)) for value in values]


def fixed(value: Fraction, unit: Unit, decimals: int) -> Number:
    """A quantity with so many decimals; what they cannot show is said to be less."""
    least = Fraction(1, 10**decimals)
    if 0 < value / unit.scale < least / 2:
        found = show(least * unit.scale, unit, Format(decimals=decimals))
        return Number(f"< {found.number}", found.unit)
    return _in(value, unit, Format(decimals=decimals))


def _in(value: Fraction, unit: Unit, style: Format) -> Number:
    found = show(value, unit, style)
    return Number(found.number, found.unit)


def large(value: Fraction, digits: int = 3) -> Number:
    """A count in words from a million on: 33.7 billion."""
    for scale, word in _SCALES:
        if round_significant(value, digits)[0] >= scale:
            return Number(show(value / scale, _PLAIN, Format(digits=digits)).number, word)
    return Number(show(value, _PLAIN, Format(digits=digits)).number)


def rate(value: Fraction) -> str:
    """So many a second: four digits, and no decimals where there are as many before the point."""
    rounded = round_significant(value, 4)[0]
    return f"{int(rounded):,}" if rounded >= _WHOLE_FROM else plain_number(value, 4)


def percent(value: Fraction, digits: int = 3) -> str:
    """A share in per cent."""
    return f"{plain_number(value * 100, digits)} %"


def tenth(value: Fraction) -> Number:
    """A share in per cent with one decimal: `< 0.1 %` where that shows nothing."""
    found = fixed(value * 100, _PLAIN, 1)
    return Number(found.number, "%")


def _long(value: Fraction, digits: int) -> str:
    return show(value, _PLAIN, Format(digits=digits)).number


def plain_number(value: Fraction, digits: int = 3) -> str:
    """A number without a unit."""
    if value.denominator != 1 and abs(value) >= _WHOLE_FROM:
        value = Fraction(round(value))
    return show(value, _PLAIN, Format(digits=digits)).number


def spent(letter: str, value: Fraction, digits: int = 3) -> str:
    """Days (of `T_run`), an MFU (of `u`) or USD in words."""
    if letter == "u":
        return percent(value, digits)
    if letter == "T_run":
        days = plain_number(value / DAY, digits) if digits <= USUAL else _long(value / DAY, digits)
        return f"{days} {'day' if days == '1' else 'days'}"
    if value < _SCALES[2][0]:
        return str(shown(value, CURRENCY, max(digits, 4)))
    found = large(value, digits)
    return f"{found.number} {found.unit} USD"


def asked(letter: str, limit: Fraction) -> str:
    """A limit on the run in words."""
    return f"an MFU of at least {percent(limit)}" if letter == "u" else spent(letter, limit)


def apart(letter: str, values: Sequence[Fraction], limit: Fraction) -> list[str]:
    """Days, MFU or USD, the limit's last, with the digits that tell every other value from it."""
    return told_apart(values, (limit,), lambda value, digits: spent(letter, value, digits))


def told_apart(
    values: Sequence[Fraction], limits: Sequence[Fraction], said: Callable[[Fraction, int], str]
) -> list[str]:
    """What is said of values, then of limits, with as few digits as tell the ones from the others."""
    pairs = [(value, limit) for value in values for limit in limits if value != limit]
    digits = USUAL
    while digits < MOST_DIGITS and any(said(v, digits) == said(limit, digits) for v, limit in pairs):
        digits += 1
    return [said(value, digits) for value in (*values, *limits)]


def beside(value: Fraction, dimension: Dimension, *, below: bool, whole: bool, digits: int = 3) -> Number:
    """A bound rounded to the safe side: down where one has to stay below it, up where above."""
    if whole and value < _SCALES[1][0]:
        return number(value, dimension)
    unit = _PLAIN if dimension == ONE else unit_for(value, dimension)
    near, decimals = round_significant(value / unit.scale, digits)
    step = Fraction(10) ** -decimals
    exact = value / unit.scale
    if below and near > exact:
        near -= step
    elif not below and near < exact:
        near += step
    return number(near * unit.scale, dimension, digits)


def bounded(
    value: Fraction, dimension: Dimension, *, at_most: bool, whole: bool = False, digits: int = USUAL
) -> Line:
    """A bound with the side that keeps it: ≤ 40.9 GB; in its narrow column the unit may stand below."""
    found = beside(value, dimension, below=at_most, whole=whole, digits=digits)
    unit = "" if found.unit == "1" else f" {found.unit}"
    return (Text("≤ " if at_most else "≥ "), Number(found.number, "1"), Text(unit))


def below(value: Fraction, dimension: Dimension) -> str:
    """A bound that one has to stay below, in four digits, rounded down."""
    found = beside(value, dimension, below=True, whole=False, digits=4)
    return f"{found.number} {found.unit}"


def words(text: str) -> Line:
    """Words whose numbers keep their units."""
    return tuple(_pieces(text))


def _pieces(text: str) -> Iterator[Inline]:
    at = 0
    for match in _MEASURE.finditer(text):
        if match.start() > at:
            yield Text(text[at : match.start()])
        yield Number(match[1], match[2])
        at = match.end()
    if at < len(text) or not text:
        yield Text(text[at:])
