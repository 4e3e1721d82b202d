"""What the oracles here share: the pairs of queries and keys on every rank, step by step."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

from workings.simulate.ring_attention import Layout, causal, rotate
from workings.vocabulary.layout import CP
from workings.vocabulary.training import SEQUENCE_LENGTH

LETTERS = {"c": CP, "s": SEQUENCE_LENGTH}

EVEN_CHUNKS = ("2*c divides s",)


@lru_cache(maxsize=256)
def steps_of(deal: Callable[[int, int], Layout], s: int, c: int) -> tuple[tuple[int, ...], ...] | None:
    """For each rank the causal pairs of each step; None where there are very many."""
    if s > 170:
        return None
    return rotate(deal(s, c), causal).pairs


def slowest_over_mean(deal: Callable[[int, int], Layout], s: int, c: int) -> Fraction | None:
    """Pairs of the slowest rank of each step, added up, over the mean of all ranks.

    A step lasts as long as its slowest rank. AssertionError if it would make a difference that the
    ranks wait for each other in every step and not only at the end.
    """
    steps = steps_of(deal, s, c)
    if steps is None:
        return None
    waiting = sum(max(rank[step] for rank in steps) for step in range(c))
    if waiting != max(map(sum, steps)):
        raise AssertionError("Waiting in every step takes longer than waiting at the end.")
    return Fraction(waiting * c, sum(map(sum, steps)))
