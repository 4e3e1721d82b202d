"""A derivation at a scenario: symbolic = substituted = value, with enough digits to check it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from workings.binding import Binding, bind
from workings.derivation import Derivation
from workings.evaluation import value_of, value_of_use
from workings.formula import (
    DoesNotEvaluateError,
    Expr,
    Num,
    evaluate,
    names_in,
    substitute,
)
from workings.formula.exact import rational
from workings.scenario import Scenario
from workings.units import ONE, Dimension, Format, Shown, Unit, parse_unit, show

MORE_DIGITS = 8


@dataclass(frozen=True, slots=True)
class Input:
    """A letter of a worked formula with the value it takes here."""

    letter: str
    meaning: str
    value: Fraction
    shown: Shown


@dataclass(frozen=True)
class Worked:
    """One formula with numbers in it."""

    derivation: Derivation
    symbolic: Expr
    substituted: Expr
    inputs: tuple[Input, ...]
    value: Fraction
    shown: Shown
    exact_inputs: bool
    exact: bool


def work(
    what: Derivation,
    scenario: Scenario | None,
    settings: Mapping[str, str] | None = None,
    style: Format | None = None,
) -> Worked:
    """Evaluate a derivation exactly and show its working.

    Raises ScenarioError, DoesNotApplyError or DoesNotEvaluateError in one sentence.
    """
    style = style or Format()
    bound = bind(what, scenario, settings)
    result = value_of(what, bound.values, bound.pinned)
    value = rational(result)
    shown = show(value, _unit(what.unit, None, style), style)
    exact = isinstance(result, Fraction) and shown.exact
    return _with_inputs(what, bound, value, replace(shown, exact=exact), style)


def letter_values(what: Derivation, bound: Binding) -> dict[str, Fraction]:
    """The letters and used results that appear in the result, with their values."""
    found: dict[str, Fraction] = {}
    for name in names_in(what.result):
        if name in what.uses:
            value = value_of_use(what.uses[name], bound.values, bound.pinned)
            found[name] = rational(value)
        else:
            found[name] = rational(bound.values[name])
    return found


def _with_inputs(
    what: Derivation, bound: Binding, value: Fraction, shown: Shown, style: Format
) -> Worked:
    """Show inputs with as many digits as it takes for the printed line to give the result."""
    letters = letter_values(what, bound)
    for extra in range(MORE_DIGITS + 1):
        finer = style._replace(digits=style.digits + extra, decimals=None)
        inputs = tuple(_input(what, n, v, finer) for n, v in letters.items())
        numbers = {i.letter: _literal(i.shown) for i in inputs}
        substituted = substitute(what.result, numbers)
        if extra == MORE_DIGITS or _gives(substituted, shown, what.unit, style):
            break
    return Worked(
        what,
        what.result,
        substituted,
        inputs,
        value,
        shown,
        exact_inputs=all(i.shown.exact for i in inputs),
        exact=shown.exact,
    )


def _input(what: Derivation, name: str, value: Fraction, style: Format) -> Input:
    if name in what.uses:
        used = what.uses[name].derivation
        return Input(name, used.title, value, show(value, _unit(used.unit, None, style), style))
    concept = what.letters[name]
    unit = _unit(concept.dimension, concept.shown_in, style)
    return Input(name, concept.meaning, value, show(value, unit, style))


def _unit(dimension: Dimension, own: str | None, style: Format) -> Unit:
    return parse_unit(own) if own else style.unit_for(dimension)


def _literal(shown: Shown) -> Num:
    """A shown value as a literal of a formula."""
    unit = None if shown.unit == "1" else shown.unit
    scale = parse_unit(shown.unit).scale
    return Num(shown.value / scale, unit, shown.number)


def _gives(substituted: Expr, shown: Shown, dimension: Dimension, style: Format) -> bool:
    """Whether the line as printed, recomputed, rounds to the printed result."""
    try:
        again = rational(evaluate(substituted, {}))
    except DoesNotEvaluateError:
        return False
    unit = parse_unit(shown.unit) if dimension != ONE else Unit("1", ONE, Fraction(1))
    return show(again, unit, style).value == shown.value
