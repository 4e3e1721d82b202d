"""What the oracles here share: keys and values really gathered, their gradients really scattered."""

from __future__ import annotations

from functools import lru_cache

from workings.simulate.block_matrices import cut_rows, numbers
from workings.simulate.tensor_ranks import Ranks


@lru_cache(maxsize=64)
def gather_then_scatter(c: int) -> tuple[int, int]:
    """Shares that a rank sends in an all-gather of every rank's share, and in a reduce-scatter."""
    ranks, whole = Ranks(c), numbers(c, 1, 1)
    held = ranks.all_gather("gather", cut_rows(whole, c), "share", "all")
    if any(one != whole for one in held):
        raise AssertionError("A rank lacks keys and values.")
    ranks.reduce_scatter("scatter", held, "part", "share")
    return int(ranks.sent("gather")), int(ranks.sent("scatter"))
