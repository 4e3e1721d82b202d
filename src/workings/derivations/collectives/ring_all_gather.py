"""All-gather on a ring: every rank ends with the whole message."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.sources import NCCL_TESTS
from workings.simulate.ring import all_gather
from workings.units import BYTE
from workings.vocabulary.collectives import GROUP, MESSAGE


def pass_chunks_round(N: int, S: Fraction) -> Fraction:
    """Ranks pass chunks to the right until each holds them all; what one rank sent is counted."""
    return all_gather(N, S).sent[0]


RING_ALL_GATHER = derivation(
    "ring-all-gather",
    title="Bytes one rank sends in a ring all-gather",
    unit=BYTE,
    letters={"N": GROUP, "S": MESSAGE},
    source=NCCL_TESTS,
    oracle=pass_chunks_round,
    convention="`S` is the whole gathered message, of which each rank starts with `S/N`.",
    leaves_out="Start-up latency of each hop.",
    chain="""
    V_AG = sum(S/N, (i, 1, N - 1))  -- `N - 1` hops, one chunk of `S/N` bytes a hop
      = (N - 1)*(S/N)               -- `N - 1` equal terms
      = (N - 1)/N*S                 -- collect
      <= S                          -- `N - 1 < N`: nearly the whole message, however large the ring
      ≈ [N -> oo] S                 -- on a large ring, the whole message
    """,
)
