"""Conditions are read from text, and hold where counting says so."""

from fractions import Fraction

import pytest
from looping import each

from workings import catalogue
from workings.formula import FormulaError
from workings.planning.cost import plan
from workings.planning.letters import LETTERS
from workings.planning.rules import RULES, Rule, named
from workings.planning.rules.condition import is_true, letters_of, parsed
from workings.planning.rules.rule import GO, GO_IF

KNOWN = {*LETTERS, *plan().by_letter, GO, GO_IF}


def dealt_evenly(things: int, hands: int) -> bool:
    """Deal one by one and look whether all hands are equal."""
    counts = [0] * hands
    for thing in range(things):
        counts[thing % hands] += 1
    return len(set(counts)) == 1


def test_a_division_is_true_where_dealing_leaves_nothing_over() -> None:
    for hands in range(1, 20):
        for things in range(40):
            values = {"t": Fraction(hands), "H": Fraction(things)}
            assert is_true("t divides H", values) == dealt_evenly(things, hands)


def test_a_divisor_may_be_a_formula() -> None:
    values = {"c": Fraction(3), "s": Fraction(18)}
    assert is_true("2*c divides s", values)
    assert not is_true("2*c divides s", {**values, "s": Fraction(15)})


def test_nothing_is_divided_by_zero() -> None:
    assert not is_true("t divides H", {"t": Fraction(0), "H": Fraction(4)})


@pytest.mark.parametrize("text", ["t + 1", "t <= 1 divides H", "t divides H <= 2"])
def test_what_is_no_condition_is_refused(text: str) -> None:
    with pytest.raises(FormulaError):
        parsed(text)


@each("rule", RULES, ids=lambda rule: rule.id)
def test_every_letter_of_a_rule_is_one_of_the_plan(rule: Rule) -> None:
    used = {letter for text in (rule.condition, *rule.when) for letter in letters_of(text)}
    assert used | set(rule.beside) | set(rule.at) <= KNOWN
    assert set(rule.change) | set(rule.at) <= set(LETTERS)


@each("rule", RULES, ids=lambda rule: rule.id)
def test_every_rule_has_a_derivation_and_a_source(rule: Rule) -> None:
    assert catalogue.get(rule.entry).id == rule.entry
    assert rule.source.url.startswith("https://")
    assert rule.reason[-1] != "."


def test_ids_are_unique() -> None:
    assert len({rule.id for rule in RULES}) == len(RULES)
    assert named("fits").id == "fits"
