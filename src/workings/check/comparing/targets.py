"""What a mistaken left side must come to: the written side, at the points where it is probed."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from workings.check.comparing.nearness import PLAIN, Pair, closeness
from workings.check.comparing.points import Point, probes_for
from workings.check.comparing.readings import plain_readings, units_of
from workings.check.comparing.scales import bare, in_base_units
from workings.check.comparing.values import value_of
from workings.formula import DoesNotEvaluateError, names_in
from workings.formula.tree import Expr


@dataclass(frozen=True)
class Target:
    """Both sides without units, and their values at a few points (one empty point for numbers)."""

    left: Expr
    right: Expr
    at: tuple[tuple[Point, Fraction, Fraction], ...]
    letters: bool

    def fits_factor(self, factor: Fraction) -> bool:
        """Whether so many times the left side is what was written."""
        return all(self._fits(a * factor, b) for _, a, b in self.at)

    def fits_tree(self, tree: Expr) -> bool:
        """Whether another tree in place of the left side gives what was written."""
        try:
            return all(self._fits(value_of(tree, point), b) for point, _, b in self.at)
        except DoesNotEvaluateError:
            return False

    def _fits(self, a: Fraction, b: Fraction) -> bool:
        return closeness(Pair(self.left, self.right, a, b), "=", letters=self.letters) in PLAIN


def targets_of(left: Expr, right: Expr) -> list[Target]:
    """One target for each plain reading. Raises DoesNotEvaluateError."""
    letters = tuple(dict.fromkeys((*names_in(left), *names_in(right))))
    if letters:
        a, b = in_base_units(left), in_base_units(right)
        return [_target(a, b, letters)]
    units = units_of(left, right)
    pairs = [(r.left, r.right) for r in plain_readings(left, right, units)]
    return [_target(a, b, ()) for a, b in pairs or [(bare(left), bare(right))]]


def _target(left: Expr, right: Expr, letters: tuple[str, ...]) -> Target:
    points: list[Point] = probes_for(left, right, letters)[:12] if letters else [{}]
    at = tuple((point, value_of(left, point), value_of(right, point)) for point in points)
    return Target(left, right, at, bool(letters))
