"""All-reduce on a ring: every rank ends with the whole sum."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.sources import NCCL_TESTS
from workings.simulate.ring import all_reduce
from workings.units import BYTE
from workings.vocabulary.collectives import GROUP, MESSAGE


def walk_the_ring(N: int, S: Fraction) -> Fraction:
    """Chunks gather sums on their way round a ring, then the complete sums go round again."""
    return all_reduce(N, S).sent[0]


RING_ALL_REDUCE = derivation(
    "ring-all-reduce",
    title="Bytes one rank sends in a ring all-reduce",
    unit=BYTE,
    letters={"N": GROUP, "S": MESSAGE},
    source=NCCL_TESTS,
    oracle=walk_the_ring,
    leaves_out="Start-up latency of each hop, and the additions.",
    chain="""
    V = sum(S/N, (i, 1, N - 1)) + sum(S/N, (i, 1, N - 1))
                                            -- `N - 1` hops to reduce, `N - 1` to gather
      = 2*sum(S/N, (i, 1, N - 1))           -- both phases move the same bytes
      = 2*(N - 1)*(S/N)                     -- `N - 1` equal terms
      = 2*(N - 1)/N*S                       -- collect
      <= 2*S                                -- `N - 1 < N`: the ring is bandwidth-flat
    """,
)
