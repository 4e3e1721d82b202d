"""Which of some options no other beats in two respects, and a few of them to show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

Option = TypeVar("Option")


def front(
    options: Iterable[Option], rising: Callable[[Option], float], falling: Callable[[Option], float]
) -> list[Option]:
    """The options that none beats: as little of both, and less of one. Of equal ones the first."""
    kept: list[Option] = []
    for option in sorted(options, key=lambda o: (rising(o), falling(o))):
        if not kept or falling(option) < falling(kept[-1]):
            kept.append(option)
    return kept


def spread(options: Sequence[Option], number: int) -> list[Option]:
    """At most so many of some options in order: both ends, and evenly many left out between."""
    if number >= len(options) or number < 1:
        return list(options[: max(0, number)])
    if number == 1:
        return [options[0]]
    last = len(options) - 1
    return [options[(i * last + (number - 1) // 2) // (number - 1)] for i in range(number)]


def figures(value: float) -> float:
    """A float to nine figures, so that rounding does not decide between equals."""
    return float(f"{value:.8e}")
