"""A count shared by the oracles here: sequences added one by one until compute wins."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from workings.derivations.mesh._times import Shares, spread_block

MOST = 20_000


def first_batch(
    step: int, slowest: Callable[[Shares], Fraction], X: int, Y: int, **letters: Any
) -> int | None:
    """The first multiple of `step` tokens whose compute outlasts the transfers (None: too far).

    Each further step adds its own compute and activations; the weights are gathered once.
    """
    one = spread_block(X=Fraction(X), n=X * Y, **{**letters, "B": step})
    compute = tensor = Fraction(0)
    for steps in range(1, MOST):
        compute, tensor = compute + one.compute, tensor + one.tensor
        if compute > slowest(Shares(compute, one.fsdp, tensor)):
            return steps * step
    return None
