"""Every entry of the catalogue at many states: values, worked lines and conditions as Python has them."""

from dataclasses import replace
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any

import pytest
from live_vectors import Told, differing, json_value, outcome, shown_json

from workings import catalogue
from workings.derivation import Derivation
from workings.derivation.evaluation import check_conditions, used_value
from workings.errors import UserError
from workings.formula import DoesNotEvaluateError, Value, evaluate, names_in
from workings.formula.interval import rational
from workings.formula.readings.javascript import expression
from workings.units import Format, Unit, parse_unit, show
from workings.values.binding import Binding
from workings.values.javascript import conditions, style_json
from workings.values.worked import Worked, letter_values, shown_input, with_inputs
from workings.vocabulary.concept import Concept, Domain

STATES = [pytest.param(1, id="few"), pytest.param(5, id="all", marks=pytest.mark.slow)]
WHOLE = (1, 2, 3, 4, 6, 7, 8, 12, 13, 16, 32, 64, 100, 126, 1024, 4096, 8192, 16384, 53248, 128256)
SHARES = ("1", "1/2", "1/3", "0.38", "0.9", "7/9", "0.003")
SIZES = (
    "1",
    "2",
    "1.8e11",
    "95e9",
    "4.5e11",
    "989e12",
    "3.3e24",
    "1/3",
    "0.4",
    "12345/7",
    "2e-6",
    "80e9",
)
STYLES = (
    Format(),
    Format(digits=3),
    Format(digits=6, units=("GiB", "ms", "PFLOP/s")),
    Format(decimals=2),
)


def drawn(random: Random, concept: Concept) -> Fraction:
    """A value that a concept may have, of the sizes that scenarios have."""
    if concept.domain.zero and random.random() < 0.15:
        return Fraction(0)
    if concept.domain is Domain.FLAG:
        return Fraction(random.choice((0, 1)))
    if concept.domain.integer:
        return Fraction(random.choice(WHOLE))
    return Fraction(random.choice(SHARES if concept.domain.bounded else SIZES))


def inside(what: Derivation, values: dict[str, Value]) -> dict[str, Value]:
    """The values of an entry's letters, then of the results it uses. Raises UserError."""
    results = {name: used_value(what, name, values) for name in what.needed_uses}
    return {name: values[name] for name in what.needed} | results


def states(count: int) -> list[tuple[Derivation, dict[str, Value]]]:
    """Each entry with values of its letters, of sizes as they occur, and of the results it uses."""
    random = Random(12)  # noqa: S311 - a fixed sequence of cases, not a secret
    found = []
    for what in map(catalogue.get, catalogue.ids()):
        for _ in range(count):
            values: dict[str, Value] = {n: drawn(random, what.letters[n]) for n in what.needed}
            try:
                found.append((what, inside(what, values)))
            except UserError:
                continue  # a result that it uses does not apply there
    return found


@pytest.mark.parametrize("count", STATES)
def test_conditions_hold_or_fail_with_the_same_sentence(told: Told, count: int) -> None:
    made = [(what, values) for what, values in states(count) if what.given]
    cases = [[conditions(what, list(values)), json_values(values)] for what, values in made]
    wanted = [outcome(lambda: check_conditions(what, values) or "holds") for what, values in made]  # noqa: B023
    assert differing(cases, wanted, told("conditions", cases)) == []
    assert "holds" in wanted
    assert any("does not apply: it needs" in str(want) for want in wanted)


@pytest.mark.parametrize("count", STATES)
def test_results_have_the_same_value_or_the_same_error(told: Told, count: int) -> None:
    made = states(count)
    cases = [[expression(what.result), json_values(values)] for what, values in made]
    wanted = [outcome(lambda: json_value(evaluate(what.result, values))) for what, values in made]  # noqa: B023
    assert differing(cases, wanted, told("evaluate", cases)) == []


@pytest.mark.parametrize("count", STATES)
def test_worked_lines_show_the_same_digits(told: Told, count: int) -> None:
    random = Random(13)  # noqa: S311 - a fixed sequence of cases, not a secret
    cases, wanted = [], []
    for what, values in states(count):
        try:
            result = evaluate(what.result, values)
        except DoesNotEvaluateError:
            continue
        style = random.choice(STYLES)
        names = names_in(what.result)
        letters = [[n, str(rational(values[n])), unit_of(what, n, style).text] for n in names]
        unit = style.unit_for(what.unit)
        cases.append([expression(what.result), letters, json_value(result), unit.text, style_json(style)])
        wanted.append(worked_json(worked(what, values, result, style)))
    assert differing(cases, wanted, told("work", cases)) == []
    assert len(cases) > 300 * count


def unit_of(what: Derivation, name: str, style: Format) -> Unit:
    """The unit that pages print a letter or a used result in."""
    if name in what.uses:
        return style.unit_for(what.uses[name].derivation.unit)
    concept = what.letters[name]
    return parse_unit(concept.shown_in) if concept.shown_in else style.unit_for(concept.dimension)


def worked(what: Derivation, values: dict[str, Value], result: Value, style: Format) -> Worked:
    """The worked line at these values."""
    value = rational(result)
    shown = show(value, style.unit_for(what.unit), style)
    exact = isinstance(result, Fraction) and shown.exact
    letters, printed = letter_values(what, Binding(values)), partial(shown_input, what)
    return with_inputs(what, what.result, letters, printed, value, replace(shown, exact=exact), style)


def worked_json(found: Worked) -> list[Any]:
    inputs = [[one.letter, shown_json(one.shown)] for one in found.inputs]
    return [shown_json(found.shown), inputs, expression(found.substituted), found.exact_inputs]


def json_values(values: dict[str, Value]) -> dict[str, Any]:
    return {name: json_value(value) for name, value in values.items()}
