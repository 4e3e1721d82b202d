"""What a graph of formulas is made of: nodes, sums of their multiples, and bounds of their values."""

from __future__ import annotations

from math import inf, isnan
from typing import Any, NamedTuple

Bounds = tuple[float, float]


class Node(NamedTuple):
    """A part of a formula that depends on some axis.

    `mask` has a bit for every axis. `counts` says that only whole letters stand in it, so that it
    must be evaluated without rounding. `low` and `high` are bounds of its value.
    """

    kind: str
    parts: tuple[Any, ...]
    mask: int
    counts: bool
    low: float
    high: float


class Linear(NamedTuple):
    """A constant, and nodes with their coefficients, in the order of the nodes."""

    constant: float = 0.0
    terms: tuple[tuple[int, float], ...] = ()


def times(a: Bounds, b: Bounds) -> Bounds:
    """Bounds of a product."""
    if a[0] >= 0 and b[0] >= 0 and a[1] < inf and b[1] < inf:  # most
        return a[0] * b[0], a[1] * b[1]
    ends = [x * y for x in a for y in b]
    return (-inf, inf) if any(map(isnan, ends)) else (min(ends), max(ends))


def inverse(low: float, high: float) -> Bounds:
    """Bounds of 1 over something: none where that may be 0."""
    return (1 / high, 1 / low) if low > 0 or high < 0 else (-inf, inf)
