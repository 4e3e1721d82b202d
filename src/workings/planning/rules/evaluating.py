"""A layout's numbers as rules ask for them: each statement evaluated once, when it is first needed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from workings.formula import DoesNotEvaluateError
from workings.planning.cost import plan
from workings.planning.exact import exactly
from workings.planning.rules.condition import is_true, letters_of
from workings.planning.rules.rule import Rule


class Numbers:
    """The letters given and, on demand, those that follow from them."""

    def __init__(
        self, given: Mapping[str, Fraction], known: Mapping[str, Fraction] | None = None
    ) -> None:
        self.given = dict(given)
        self._known = {**(known or {}), **given}

    def of(self, letters: Iterable[str]) -> dict[str, Fraction]:
        """The values of these letters. Raises DoesNotEvaluateError."""
        wanted = list(letters)
        self._known = exactly(plan(), self._known, wanted)
        missing = [letter for letter in wanted if letter not in self._known]
        if missing:
            raise DoesNotEvaluateError(f"no value for the letter {missing[0]}")
        return {letter: self._known[letter] for letter in wanted}

    def true(self, condition: str) -> bool:
        """Whether a condition holds here. Raises DoesNotEvaluateError."""
        return is_true(condition, self.of(letters_of(condition)))

    def changed(self, values: Mapping[str, Fraction | int]) -> Numbers:
        """The numbers of the layout with some letters at other values, and those that go with them."""
        moved = followed(self.given, values)
        resting = set(plan().resting_on(moved))
        still = {letter: value for letter, value in self._known.items() if letter not in resting}
        return Numbers({**self.given, **moved}, still)


def followed(given: Mapping[str, Fraction], values: Mapping[str, Fraction | int]) -> dict[str, Fraction]:
    """The letters that change together.

    Experts keep the tensor-parallel degree of the rest if they had it; sequence parallelism and
    chunks go with their ranks.
    """
    moved = {letter: Fraction(value) for letter, value in values.items()}
    if "t" in moved and "t_e" not in moved and given["t_e"] == given["t"]:
        moved["t_e"] = moved["t"]
    if moved.get("t") == 1:
        moved["z_s"] = Fraction(0)
    if moved.get("p") == 1:
        moved["v"] = Fraction(1)
    return moved


def applies(rule: Rule, numbers: Numbers) -> bool:
    """Whether all conditions hold under which a rule speaks."""
    return all(numbers.true(condition) for condition in rule.when)


def kept(rule: Rule, numbers: Numbers) -> bool:
    """Whether a rule does not apply, or its condition holds; not where that cannot be evaluated."""
    try:
        return not applies(rule, numbers) or numbers.true(rule.condition)
    except DoesNotEvaluateError:
        return False


def follows_from_plan(letters: Iterable[str]) -> bool:
    """Whether one of these letters is a statement's and not given."""
    known = plan().by_letter
    return any(letter in known for letter in letters)
