"""A derivation at a scenario: symbolic = substituted = value, with enough digits to check it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import Any

from workings.contract import SCHEMA
from workings.derivation import Derivation
from workings.derivation.evaluation import letters_of_use, needed_letters, used_value, value_of
from workings.derivation.pins import form_of
from workings.formula import (
    DoesNotEvaluateError,
    Expr,
    Formula,
    Relations,
    evaluate,
    names_in,
    plain,
    substitute,
)
from workings.formula.interval import rational
from workings.scenario import Scenario
from workings.units import ONE, Dimension, Format, Shown, Unit, parse_unit, show
from workings.values.binding import Binding, bind
from workings.values.displayed import literal, worked_latex
from workings.values.noticed import notices
from workings.values.taken import lacks

MORE_DIGITS = 12


@dataclass(frozen=True, slots=True)
class Input:
    """A letter of a worked formula with the value it takes here."""

    letter: str
    meaning: str
    value: Fraction
    shown: Shown


@dataclass(frozen=True, repr=False)
class Worked:
    """One formula with numbers in it: `value` exactly, in base units, and `shown` as a page prints it.

    `symbolic` is a condition where what was set leaves one that no line of the chain solves; `value` is
    then where it begins or ceases to hold. `notices` say what was given and does less than it seems to.
    `scenario`, `settings` and `style` are what gave it; `letters` are those of another notation.
    """

    derivation: Derivation
    symbolic: Formula
    substituted: Expr
    inputs: tuple[Input, ...]
    value: Fraction
    shown: Shown
    exact_inputs: bool
    exact: bool
    idle: frozenset[str] = frozenset()
    notices: tuple[str, ...] = ()
    scenario: Scenario | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    style: Format = Format()  # noqa: RUF009 - a tuple
    letters: Mapping[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """What `workings value --format json` prints: the value as a fraction and as a float."""
        return {
            "schema": SCHEMA,
            "id": self.derivation.id,
            "formula": plain(self.symbolic),
            "exact": str(self.value),
            "value": float(self.value) if abs(self.value) < 10**308 else None,
            "unit": str(self.derivation.unit),
            "shown": str(self.shown),
            "inputs": {i.letter: {"exact": str(i.value), "shown": str(i.shown)} for i in self.inputs},
            "notices": list(self.notices),
        }

    def __float__(self) -> float:
        return float(self.value)

    def __repr__(self) -> str:
        return f"{self.derivation.id} {'=' if self.exact else '≈'} {self.said}"

    @property
    def rate(self) -> str | None:
        """What is counted a second, such as `tokens/s`; None where nothing is."""
        noun = self.derivation.noun
        return f"{noun}/s" if noun and self.shown.unit == "1/s" else None

    @property
    def said(self) -> str:
        """The value as words print it: `5,481 tokens/s`."""
        return f"{self.shown.number} {self.rate}" if self.rate else str(self.shown)

    def _repr_latex_(self) -> str:
        return worked_latex(self)


class LacksLettersError(DoesNotEvaluateError):
    """Letters that a value needs have none."""


def work(
    what: Derivation,
    scenario: Scenario | None,
    settings: Mapping[str, str] | None = None,
    style: Format | None = None,
    shared: Mapping[str, str] | None = None,
) -> Worked:
    """Evaluate a derivation exactly and show its working.

    `shared` settings are meant for other derivations too; those that change nothing here are `idle`.
    Raises ScenarioError, DoesNotApplyError or DoesNotEvaluateError in one sentence.
    """
    style = style or Format()
    bound = bind(what, scenario, settings, shared)
    if missing := [n for n in needed_letters(what, bound.pinned) if n not in bound.values]:
        raise LacksLettersError(lacks(what, missing, scenario))
    result = value_of(what, bound.values, bound.pinned)
    value = rational(result)
    shown = show(value, _unit(what.unit, None, style, value), style)
    exact = isinstance(result, Fraction) and shown.exact
    letters, form = letter_values(what, bound), form_of(what, bound.pinned)
    show_one = partial(shown_input, what)
    worked = with_inputs(what, form, letters, show_one, value, replace(shown, exact=exact), style)
    worked = replace(worked, idle=bound.idle)
    given = {**(shared or {}), **(settings or {})}
    heard = {name: text for name, text in given.items() if name not in bound.idle}
    return replace(worked, notices=notices(what, scenario, heard, bound), scenario=scenario,
                   settings=heard, style=style)  # fmt: skip


def letter_values(what: Derivation, bound: Binding) -> dict[str, Fraction]:
    """The letters and used results that appear in the result, with their values."""
    found: dict[str, Fraction] = {}
    form = form_of(what, bound.pinned)
    unknown = what.solved_letter if isinstance(form, Relations) else None
    for name in names_in(form):
        if unknown and (name == unknown or unknown in letters_of_use(what, name, bound.pinned)):
            continue
        if name in what.uses:
            found[name] = rational(used_value(what, name, bound.values, bound.pinned))
        else:
            found[name] = rational(bound.values[name])
    return found


def with_inputs(
    what: Derivation, form: Formula, letters: Mapping[str, Fraction],
    show_one: Callable[[str, Fraction, Format], Input], value: Fraction, shown: Shown, style: Format,
) -> Worked:  # fmt: skip
    """Show inputs with as many digits as it takes for the printed line to give the result."""
    for extra in range(MORE_DIGITS + 1):
        finer = style._replace(digits=style.digits + extra, decimals=None)
        inputs = tuple(show_one(n, v, finer) for n, v in letters.items())
        numbers = {i.letter: literal(i.shown) for i in inputs}
        substituted = literal(shown) if isinstance(form, Relations) else substitute(form, numbers)
        if extra == MORE_DIGITS or _gives(substituted, shown, what.unit, style):
            break
    return Worked(
        what,
        form,
        substituted,
        inputs,
        value,
        shown,
        exact_inputs=all(i.shown.exact for i in inputs),
        exact=shown.exact,
    )


def shown_input(what: Derivation, name: str, value: Fraction, style: Format) -> Input:
    """A letter or a used result of a derivation, as a line with numbers shows it."""
    if name in what.uses:
        used = what.uses[name].derivation
        return Input(name, used.title, value, show(value, _unit(used.unit, None, style, value), style))
    concept = what.letters[name]
    unit = _unit(concept.dimension, concept.shown_in, style, value)
    return Input(name, concept.meaning, value, show(value, unit, style))


def _unit(dimension: Dimension, own: str | None, style: Format, value: Fraction) -> Unit:
    return parse_unit(own) if own else style.unit_for(dimension, value)


def _gives(substituted: Expr, shown: Shown, dimension: Dimension, style: Format) -> bool:
    """Whether the line as printed, recomputed, rounds to the printed result."""
    try:
        again = rational(evaluate(substituted, {}))
    except DoesNotEvaluateError:
        return False
    unit = parse_unit(shown.unit) if dimension != ONE else Unit("1", ONE, Fraction(1))
    return show(again, unit, style).value == shown.value
