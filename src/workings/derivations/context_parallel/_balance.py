"""What the oracles here share: the pairs of queries and keys on every rank, step by step."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from workings.simulate.ring_attention import Layout, causal, rotate

EVEN_CHUNKS = ("2*c divides s",)


@lru_cache(maxsize=256)
def steps_of(deal: Callable[[int, int], Layout], s: int, c: int) -> tuple[tuple[int, ...], ...] | None:
    """For each rank the causal pairs of each step; None where there are very many."""
    if s > 170:
        return None
    return rotate(deal(s, c), causal).pairs
