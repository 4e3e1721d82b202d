"""Rounds until something that one rank has reaches all ranks."""

from workings.derivation import derivation
from workings.derivations.collectives._sources import MPICH_ALL_GATHER
from workings.units import ONE
from workings.vocabulary.collectives import GROUP


def double_until_all_know(N: int) -> int:
    """In each round every rank that knows tells one that does not; the rounds are counted."""
    knowing, rounds = 1, 0
    while knowing < N:
        knowing += min(knowing, N - knowing)
        rounds += 1
    return rounds


DOUBLING_ROUNDS = derivation(
    "doubling-rounds",
    title="Rounds of doubling until all ranks are reached",
    unit=ONE,
    noun="rounds",
    letters={"N": GROUP},
    source=MPICH_ALL_GATHER,
    oracle=double_until_all_know,
    convention="Equal to `log2(N)` where `N` is a power of two, else less than one round more.",
    chain="""
    q = 1 + ceil(log2(N/2))   -- before the last round at least half of them are reached
      = ceil(log2(N))         -- the fewest rounds for which `2^q >= N`
    """,
)
