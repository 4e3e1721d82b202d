"""Up to or from which value an uncertain input keeps all of several bounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from workings.planning.bound import keeps, taken
from workings.planning.breakeven import BreakEven, break_even
from workings.planning.job import Figure
from workings.planning.statement import Plan


class Bound(NamedTuple):
    """How far a result may go, in a case whose values are all here."""

    case: Mapping[str, Fraction]
    result: str
    limit: Fraction

    @property
    def kept(self) -> bool:
        """Whether the case keeps it."""
        return keeps(self.result, self.case[self.result], self.limit)

    @property
    def step(self) -> Fraction:
        """The longest step that keeps it, of a result that a step alone moves."""
        return self.case["T_step"] / taken(self.result, self.case[self.result], self.limit)


def last_kept(plan: Plan, figure: Figure, bounds: Sequence[Bound]) -> BreakEven | None:
    """The last value of an input at which every bound is kept, the rest of each case as it is.

    None where no value that was tried changes anything: all keep the bounds then, or none does.
    """
    rising = _end(figure, figure.high) > _end(figure, figure.low)
    values = []
    for bound in bounds:
        case = {**bound.case, figure.letter: _start(figure, bound.case)}
        found = break_even(plan, case, figure.letter, bound.result, bound.limit, rising=rising)
        if found.value is not None:
            values.append(found.value)
        elif not found.kept:
            return None
    if not values:
        return None
    last = min(values) if rising else max(values)
    return BreakEven(figure.letter, last, rising, all(bound.kept for bound in bounds))


def _start(figure: Figure, case: Mapping[str, Fraction]) -> Fraction:
    """Where to look from: what is nothing is never many times itself."""
    return case[figure.letter] or max(_end(figure, figure.low), _end(figure, figure.high))


def _end(figure: Figure, end: Fraction | None) -> Fraction:
    return figure.value if end is None else end
