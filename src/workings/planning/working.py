"""A statement with numbers in it: formula, numbers put in, value, with digits enough to check it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from workings.formula import DoesNotEvaluateError, Expr, Num, evaluate, names_in, substitute
from workings.formula.interval import rational
from workings.planning.statement import Plan, Statement
from workings.units import ONE, Dimension, Format, Shown, Unit, parse_unit, show

MORE_DIGITS = 8
# From small to large; the largest unit that leaves at least 1 before the point is taken.
_PREFIXES: Mapping[str, tuple[str, ...]] = {
    "byte": ("byte", "kB", "MB", "GB", "TB"),
    "s": ("us", "ms", "s"),
    "FLOP": ("FLOP", "GFLOP", "TFLOP", "PFLOP"),
    "byte/s": ("GB/s",),
    "FLOP/s": ("TFLOP/s",),
    "currency": ("USD",),
    "currency/s": ("USD/h",),
}


@dataclass(frozen=True, slots=True)
class Working:
    """One statement at a job's values."""

    statement: Statement
    substituted: Expr
    shown: Shown
    exact: bool
    inputs_exact: bool


def unit_for(value: Fraction, dimension: Dimension) -> Unit:
    """The unit in which a value reads best."""
    if dimension == ONE:
        return Unit("1", ONE, Fraction(1))
    units = [parse_unit(text) for text in _PREFIXES.get(str(dimension), ())]
    if not units:
        return Format().unit_for(dimension)
    return next((u for u in reversed(units) if abs(value) >= u.scale), units[0])


def shown(value: Fraction, dimension: Dimension, digits: int = 4) -> Shown:
    """A value as a page prints it."""
    return show(value, unit_for(value, dimension), Format(digits=digits))


def listed(several: Iterable[str]) -> str:
    """`a, b and c`."""
    *first, last = several
    return f"{', '.join(first)} and {last}" if first else last


def working(plan: Plan, statement: Statement, values: Mapping[str, Fraction]) -> Working:
    """A statement worked, its inputs with as many digits as give the printed value again."""
    value = values[statement.letter]
    result = shown(value, statement.unit)
    names = names_in(statement.formula)
    dimensions = {n: _dimension(plan, n) for n in names}
    for extra in range(MORE_DIGITS + 1):
        inputs = {n: shown(values[n], dimensions[n], 4 + extra) for n in names}
        substituted = substitute(statement.formula, {n: _literal(s) for n, s in inputs.items()})
        if _gives(substituted, result, statement.unit):
            break
    inputs_exact = all(s.exact for s in inputs.values())
    return Working(statement, substituted, result, result.exact and inputs_exact, inputs_exact)


def _dimension(plan: Plan, letter: str) -> Dimension:
    known = plan.by_letter
    return known[letter].unit if letter in known else plan.letters[letter].dimension


def _literal(number: Shown) -> Num:
    """A shown value as a literal of a formula."""
    unit = None if number.unit == "1" else number.unit.replace("bytes", "byte")
    scale = parse_unit(unit).scale if unit else Fraction(1)
    return Num(number.value / scale, unit, number.number)


def _gives(substituted: Expr, result: Shown, dimension: Dimension) -> bool:
    """Whether the line as printed, computed again, rounds to the printed result."""
    try:
        again = rational(evaluate(substituted, {}))
    except DoesNotEvaluateError:
        return False
    unit = parse_unit(result.unit) if dimension != ONE else Unit("1", ONE, Fraction(1))
    return show(again, unit, Format()).value == result.value
