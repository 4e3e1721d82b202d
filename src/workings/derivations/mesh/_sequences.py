"""A count shared by the oracles here: sequences added one by one until compute wins."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from workings.derivations.mesh._times import Shares, spread_block


def first_batch(
    step: int, slowest: Callable[[Shares], Fraction], X: int, Y: int, **letters: Any  # noqa: N803
) -> int | None:
    """The first multiple of `step` tokens whose compute outlasts the transfers."""
    for tries in range(1, 3_000):
        times = spread_block(X=Fraction(X), n=X * Y, **{**letters, "B": tries * step})
        if times.compute > slowest(times):
            return tries * step
        if tries == 40:  # far from the threshold: compute grows by the token, so count ahead
            one = spread_block(X=Fraction(X), n=X * Y, **{**letters, "B": step})
            if one.compute * 3_000 < one.fsdp:
                return None
    return None
