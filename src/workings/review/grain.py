"""The smallest number of whole nodes that holds: between doublings lie other sizes."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil
from typing import Protocol

TRIES = 32  # sizes between one that fails and one that holds; of more every second, third, … is tried
SLACK = Fraction(9, 10)  # of the time that even scaling gives, which fewer devices may take at best


class Tried(Protocol):
    """A number of devices that was looked at."""

    @property
    def devices(self) -> int:
        """How many."""

    def holds(self, end: str) -> bool:
        """Whether every limit holds."""

    def passed(self, end: str) -> Fraction | None:
        """How many times the days allowed it takes; None without a layout or a limit on days."""


def between(rows: Sequence[Tried], end: str, node: int) -> Sequence[int]:
    """Whole nodes between the largest number that fails and the smallest that holds, ascending.

    Those are left out that would miss the days allowed even if each device did a tenth more than in the
    number that fails.
    """
    holding = min((row.devices for row in rows if row.holds(end)), default=0)
    failing = max((row for row in rows if row.devices < holding), key=lambda r: r.devices, default=None)
    if failing is None or holding <= node:
        return ()
    times = failing.passed(end)
    least = 0 if times is None else ceil(failing.devices * times * SLACK)
    first = max(failing.devices // node + 1, -(-least // node)) * node
    every = range(first, holding, node)
    return every[:: -(-len(every) // TRIES) or 1]
