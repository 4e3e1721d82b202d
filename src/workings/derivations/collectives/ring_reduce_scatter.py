"""Reduce-scatter on a ring: every rank ends with one reduced chunk."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.sources import NCCL_TESTS
from workings.simulate.ring import reduce_scatter
from workings.units import BYTE
from workings.vocabulary.collectives import GROUP, MESSAGE


def pass_partial_sums_round(N: int, S: Fraction) -> Fraction:
    """Partial sums travel round a ring until each rank holds one complete sum."""
    return reduce_scatter(N, S).sent[0]


RING_REDUCE_SCATTER = derivation(
    "ring-reduce-scatter",
    title="Bytes one rank sends in a ring reduce-scatter",
    unit=BYTE,
    letters={"N": GROUP, "S": MESSAGE},
    source=NCCL_TESTS,
    oracle=pass_partial_sums_round,
    convention="`S` is the whole vector each rank starts with; it ends with `S/N` of the sum.",
    leaves_out="Start-up latency of each hop, and the additions.",
    chain="""
    V_RS = sum(S/N, (i, 1, N - 1))  -- `N - 1` hops, one partial sum of `S/N` bytes a hop
      = (N - 1)*(S/N)               -- `N - 1` equal terms
      = (N - 1)/N*S                 -- collect
      <= S                          -- `N - 1 < N`
      ≈ [N -> oo] S                 -- on a large ring, the whole message
    """,
)
