"""The smallest number of whole nodes that holds: between doublings lie other sizes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

TRIES = 32  # sizes between one that fails and one that holds; of more every second, third, … is tried


class Tried(Protocol):
    """A number of devices that was looked at."""

    @property
    def devices(self) -> int:
        """How many."""

    def holds(self, end: str) -> bool:
        """Whether every limit holds."""


def between(rows: Sequence[Tried], end: str, node: int) -> Sequence[int]:
    """Whole nodes between the largest number that fails and the smallest that holds, ascending.

    No shorter way to it: another size may have a layout of another kind, with odds of its own.
    """
    holding = min((row.devices for row in rows if row.holds(end)), default=0)
    failing = max((row for row in rows if row.devices < holding), key=lambda r: r.devices, default=None)
    if failing is None or holding <= node:
        return ()
    every = range((failing.devices // node + 1) * node, holding, node)
    return every[:: -(-len(every) // TRIES) or 1]
