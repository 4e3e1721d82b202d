"""What products usually reach of a device's peak, by its generation and the precision.

`python benchmarks/efficiencies.py` works these numbers out, from every published run that the model may
learn from (benchmarks/validation, and the rows of benchmarks/heldout that have been scored once). An
efficiency is the one at which the median over sources, of each source's median of published over
predicted step times, is 1; the ends of its range are those at which that is so of the first and the last
decile of the sources. Of fewer than four sources it is the median over their runs. So it stands for all
that the plan has no letter for: hosts, stragglers.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from workings.planning.precision import SIXTEEN, THIRTY_TWO

ENOUGH = 4  # sources, from which on a range is one of theirs
ATTENTION = (Fraction(1, 2), Fraction(3, 4), Fraction(3, 10))  # of a 16-bit peak: usual, best, worst


class Usual(NamedTuple):
    """What is reached in the middle, at best and at worst, and on how many runs of how many sources."""

    value: str
    best: str
    worst: str
    runs: int
    sources: int

    @property
    def numbers(self) -> tuple[Fraction, Fraction, Fraction]:
        """Value, best and worst."""
        return Fraction(self.value), Fraction(self.best), Fraction(self.worst)


USUAL: Mapping[tuple[str, str], Usual] = {
    ("NVIDIA Volta", "16-bit"): Usual("0.40", "0.50", "0.20", 55, 5),
    ("NVIDIA Ampere", "16-bit"): Usual("0.59", "0.85", "0.39", 566, 52),
    ("NVIDIA Hopper", "16-bit"): Usual("0.64", "0.95", "0.26", 593, 65),
    ("NVIDIA Hopper", "8-bit"): Usual("0.51", "0.66", "0.31", 121, 19),
    ("NVIDIA Grace Hopper", "16-bit"): Usual("0.49", "0.95", "0.33", 39, 6),
    ("NVIDIA Blackwell", "16-bit"): Usual("0.52", "0.95", "0.23", 259, 28),
    ("NVIDIA Blackwell", "8-bit"): Usual("0.46", "0.95", "0.19", 173, 11),
    ("TPU v4", "16-bit"): Usual("0.66", "0.95", "0.29", 13, 6),
    ("TPU v5e", "16-bit"): Usual("0.84", "0.95", "0.70", 15, 4),
    ("TPU v5p", "16-bit"): Usual("0.78", "0.95", "0.60", 42, 4),
    ("TPU v6e", "16-bit"): Usual("0.58", "0.95", "0.50", 53, 5),
}
ELSEWHERE = Usual("0.55", "0.8", "0.3", 0, 0)  # of hardware on which no run is known


def usual(generation: str, precision: str) -> tuple[Usual, str]:
    """What products reach on a generation at a precision, and where that is from."""
    found = USUAL.get((generation, SIXTEEN if precision == THIRTY_TWO else precision))
    at = f"{precision} on {generation or 'a device of no known generation'}"
    if found is None:
        return ELSEWHERE, f"assumed: no published run in {at} is known here, so the range is wide"
    weak = "" if found.sources >= ENOUGH else ": too few to say how far others lie, so the range is wide"
    runs = f"{found.runs} published runs of {found.sources} source{'s' * (found.sources > 1)}"
    return found, f"fitted to {runs} in {at}{weak}; see benchmarks/heldout"
