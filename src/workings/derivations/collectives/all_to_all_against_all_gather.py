"""An all-to-all against an all-gather of the same array, on a ring."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives._sources import SCALING_BOOK_ALL_TO_ALL
from workings.derivations.collectives.all_to_all_ring import ALL_TO_ALL_RING
from workings.derivations.collectives.ring_all_gather import RING_ALL_GATHER
from workings.simulate.exchange import exchange_on_a_ring
from workings.simulate.ring import all_gather
from workings.units import ONE
from workings.vocabulary.collectives import GROUP, MESSAGE
from workings.vocabulary.kinds import TORUS


def compare_both_on_a_ring(N: int, S: Fraction) -> Fraction:
    """Both collectives really run on an array of `N*S` bytes; the bytes of one rank are compared."""
    right, left = exchange_on_a_ring(N, S)
    return (right + left) / all_gather(N, N * S).sent[0]


ALL_TO_ALL_AGAINST_ALL_GATHER = derivation(
    "all-to-all-against-all-gather",
    title="An all-to-all on a ring against an all-gather of the same array",
    unit=ONE,
    letters={"N": GROUP, "S": MESSAGE},
    uses={"V_ring": ALL_TO_ALL_RING.at(), "V_AG": RING_ALL_GATHER.at(S="N*S")},
    given=("2 divides N",),
    source=SCALING_BOOK_ALL_TO_ALL,
    oracle=compare_both_on_a_ring,
    holds_for={TORUS: ""},
    convention="An array of `N*S` bytes of which each rank holds `S`; links work both ways.",
    chain="""
    r_A2A = V_ring/V_AG                   -- bytes of one rank against bytes of one rank
      = (N/4*S)/((N - 1)/N*(N*S))         -- the all-gather collects the whole array, `N*S`
      = N/(4*(N - 1))                     -- the size drops out
      > 1/4                               -- a quarter on a large ring, little more on a small one
    """,
)
