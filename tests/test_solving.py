"""Solving for a letter: the first whole number that will do, or exact ranges, or none and why."""

from fractions import Fraction

import pytest

from workings import catalogue
from workings.evaluation import DoesNotApplyError
from workings.formula import FormulaError, plain
from workings.scenario import ScenarioError, load_scenario
from workings.solved import Solution
from workings.solving import closed_forms, solve
from workings.units import parse_quantity
from workings.worked import work

XXL = load_scenario("xxl-220b")


def at_xxl(id_: str, condition: str, letter: str, **settings: str) -> Solution:
    return solve(catalogue.get(id_), condition, letter, XXL, settings)


def keeps(id_: str, condition: str, letter: str, value: int, **settings: str) -> bool:
    """Asked of `work`, one number at a time."""
    relation, limit = condition.split(" ", 1)
    try:
        there = work(catalogue.get(id_), XXL, {**settings, letter: str(value)}).value
    except DoesNotApplyError:
        return False
    bound = parse_quantity(limit).value
    return {"<": there < bound, "<=": there <= bound, ">": there > bound, ">=": there >= bound}[relation]


@pytest.mark.parametrize(
    ("id_", "condition", "letter"),
    [
        ("fsdp-memory", "< 95 GB", "N"),
        ("fsdp-memory", "<= 95 GB", "N"),
        ("fsdp-memory", "< 95 GB", "L"),
        ("fsdp-memory", "> 95 GB", "L"),
        ("accumulation-activations", "< 10 GB", "m"),
        ("accumulation-activations", "< 7 GB", "m"),
        ("accumulation-activations", "< 1 GB", "m"),
        ("checkpoint-memory", "< 12.6 GB", "k"),
        ("checkpoint-memory", "< 13 GB", "k"),
        ("checkpoint-memory", "< 12 GB", "k"),
        ("checkpoint-memory", "> 33 GB", "k"),
        ("ring-all-reduce", "> 1.9 GB", "N"),
        ("ring-all-reduce", ">= 1.75 GB", "N"),
        ("ring-all-reduce", "< 1 GB", "N"),
        ("pipeline-bubble", "< 0.1", "m"),
        ("compute-bound-batch-max", "> 10000", "X"),
    ],
)
def test_the_number_found_is_the_first_that_keeps_the_condition(
    id_: str, condition: str, letter: str
) -> None:
    settings = {"S": "1 GB"} if id_ == "ring-all-reduce" else {}
    settings |= {"p": "8"} if id_ == "pipeline-bubble" else {}
    found = at_xxl(id_, condition, letter, **settings).at
    first = next((n for n in range(1, 2100) if keeps(id_, condition, letter, n, **settings)), None)
    assert found == first


def test_the_value_there_and_one_before_are_given() -> None:
    found = at_xxl("fsdp-memory", "< 95 GB", "N_fsdp")
    assert (found.letter, found.relation) == ("N", "<")
    assert found.limit == 95 * 10**9
    assert found.at == 156
    assert found.value_at == work(catalogue.get("fsdp-memory"), XXL, {"N": "156"}).value
    assert found.value_before == work(catalogue.get("fsdp-memory"), XXL, {"N": "155"}).value


def test_none_names_the_term_that_stays_too_large() -> None:
    found = at_xxl("fsdp-memory", "< 70 GB", "N")
    assert found.at is None
    assert found.why == "A/2 stays whatever N is"
    bound = at_xxl("checkpoint-memory", "< 1 GB", "k")
    assert (bound.at, bound.why) == (None, "no value of k keeps the condition")


def test_a_letter_that_is_no_count_gets_exact_ranges() -> None:
    found = at_xxl("ring-all-reduce", "< 3 GB", "S", N="8")
    assert found.ranges == ((Fraction(0), Fraction(3 * 10**9) / Fraction(7, 4)),)
    above = at_xxl("ring-all-reduce", "> 3 GB", "S", N="8")
    assert above.ranges == ((Fraction(3 * 10**9) / Fraction(7, 4), None),)
    least = at_xxl("compute-to-transfer", "> 1", "W")
    ((low, high),) = least.ranges
    assert high is None
    ratio = catalogue.get("compute-to-transfer")
    assert work(ratio, XXL, {"W": f"{int(low) + 1} byte/s"}).value > 1
    assert work(ratio, XXL, {"W": f"{int(low)} byte/s"}).value <= 1


@pytest.mark.parametrize(
    ("condition", "letter", "message"),
    [
        ("95 GB", "N", "condition: found '95 GB', expected one such as '< 95 GB'"),
        ("= 95 GB", "N", "condition: found '= 95 GB', expected one such as"),
        ("< 95", "N", "condition: found '95', expected a quantity in byte"),
        ("< GB", "N", "condition: found 'GB', expected a number"),
        ("< 95 GB/s", "N", "condition: found '95 GB/s', expected a quantity in byte"),
        ("", "N", "condition: found '', expected one such as"),
        ("< 95 GB", "Q", "--for Q: fsdp-memory does not depend on it, expected one of N, L, D"),
        ("< 95 GB", "S", "--for S: fsdp-memory does not depend on it, expected one of N, L, D"),
    ],
)
def test_what_cannot_be_asked_is_one_sentence(condition: str, letter: str, message: str) -> None:
    with pytest.raises(ScenarioError, match=message):
        at_xxl("fsdp-memory", condition, letter)


def test_a_letter_without_a_value_is_named() -> None:
    with pytest.raises(ScenarioError, match="ring-all-reduce: found no value for N, expected"):
        solve(catalogue.get("ring-all-reduce"), "< 3 GB", "S", None)


@pytest.mark.parametrize(
    ("id_", "letter", "forms"),
    [
        ("fsdp-memory", "N", ["(2*S + A)/(2*M - A)"]),
        ("ring-all-reduce", "N", ["2*S/(2*S - V)"]),
        ("checkpoint-optimum", "L", ["A_best^2/(4*c*e)"]),
    ],
)
def test_a_result_is_solved_for_any_letter_in_closed_form(
    id_: str, letter: str, forms: list[str]
) -> None:
    assert [plain(form) for form in closed_forms(catalogue.get(id_), letter)] == forms


@pytest.mark.parametrize(
    ("id_", "letter", "message"),
    [
        ("fsdp-fits", "N", "fsdp-fits is a condition, already solved for N"),
        ("recompute-overhead", "k", "recompute-overhead: no positive solution for k"),
        ("devices-for-state", "M_max", "devices-for-state: SymPy cannot solve it for M_max"),
        ("fsdp-memory", "Q", "Q is not a letter here"),
    ],
)
def test_what_has_no_closed_form_says_why(id_: str, letter: str, message: str) -> None:
    with pytest.raises(FormulaError, match=f"^{message}"):
        closed_forms(catalogue.get(id_), letter)


def test_a_ceiling_is_not_solved_through() -> None:
    with pytest.raises(FormulaError, match=r"^cannot be solved through ceil"):
        at_xxl("devices-for-state", "< 44", "M_max")
