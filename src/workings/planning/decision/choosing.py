"""How the tree's questions are put to a layout, and its choices tried one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from workings.formula import evaluate, names_in, parse_expression
from workings.formula.interval import rational
from workings.planning.decision.step import Tried
from workings.planning.rules.catalogue import RULES
from workings.planning.rules.evaluating import Numbers, kept
from workings.planning.rules.rule import GO

LIMIT = f"{GO}*M_dev"
STATE = "max(M_0first, M_0mid, M_0last)"
FULLEST = "M"
MOST = 4096  # the largest degree that is tried
# Of the rules that refuse a layout, those of memory are what the tree asks itself.
REFUSING = tuple(rule for rule in RULES if rule.severity == "error" and rule.id != "fits")


class Layout(Numbers):
    """A layout under decision: the job's letters, those decided so far among them."""

    def worth(self, formula: str) -> Fraction:
        """The value of a formula here. Raises DoesNotEvaluateError."""
        tree = parse_expression(formula)
        return rational(evaluate(tree, self.of(names_in(tree))))

    def fits(self, formula: str) -> bool:
        """Whether so many bytes are within the share of the memory up to which it is GO."""
        return self.worth(formula) <= self.worth(LIMIT)

    def with_(self, values: Mapping[str, Fraction | int]) -> Layout:
        """The layout with some letters decided."""
        return Layout(self.changed(values).given)

    def runs(self, *, alone: bool = False) -> bool:
        """Whether a launcher would take it; `alone` leaves out what depends on the batch."""
        batch = ("batch-feeds-replicas", "batch-divides")
        return all(kept(rule, self) for rule in REFUSING if not (alone and rule.id in batch))


def first_that_fits(
    layout: Layout, letter: str, choices: Iterable[int], formula: str, *, whole: bool = False
) -> tuple[Layout, tuple[Tried, ...]]:
    """The layout with the first choice that fits, else the last that runs; and all that were tried.

    The devices are as many as the layout's parts so far, or all of them if `whole`.
    """
    tried: list[Tried] = []
    best = layout
    for choice in choices:
        there = layout.with_({letter: choice})
        asked = there if whole else there.with_({"n": replica(there)})
        if not asked.runs(alone=not whole):
            continue
        value, enough = asked.worth(formula), asked.fits(formula)
        tried.append(Tried(letter, Fraction(choice), value, enough))
        best = there
        if enough:
            break
    return best, tuple(tried)


def replica(layout: Layout) -> Fraction:
    """The devices of one replica."""
    return layout.worth("t*c*p")


def divisors(number: Fraction, most: Fraction | int = MOST) -> list[int]:
    """The divisors of a whole number above 1, the smallest first."""
    if number.denominator != 1:
        return []
    return [x for x in range(2, int(min(number, most, MOST)) + 1) if number % x == 0]
