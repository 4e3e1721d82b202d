"""All-to-all on a ring, where parts are handed on."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives._sources import SCALING_BOOK_ALL_TO_ALL
from workings.simulate.exchange import exchange_on_a_ring
from workings.units import BYTE
from workings.vocabulary.collectives import GROUP, MESSAGE
from workings.vocabulary.kinds import TORUS


def hand_every_part_on(N: int, S: Fraction) -> Fraction:
    """Every part is handed on the shorter way round; what one rank sends both ways is counted."""
    right, left = exchange_on_a_ring(N, S)
    return right + left


ALL_TO_ALL_RING = derivation(
    "all-to-all-ring",
    title="Bytes one rank sends in an all-to-all on a ring",
    unit=BYTE,
    letters={"N": GROUP, "S": MESSAGE},
    given=("2 divides N",),
    source=SCALING_BOOK_ALL_TO_ALL,
    oracle=hand_every_part_on,
    holds_for={TORUS: "all-to-all"},
    convention="`S` is what one rank starts with. Both ways together, parts handed on for others "
    "included; every part goes the shorter way round.",
    leaves_out="Rings of odd length, `(N^2 - 1)/(4*N)*S`.",
    chain="""
    V_ring = sum(i*(S/N), (i, 1, N/2)) + sum(i*(S/N), (i, 1, N/2 - 1))
                                    -- a part for a rank `i` places off crosses `i` links: right, left
      = (N/2)*(N/2 + 1)/2*(S/N) + (N/2 - 1)*(N/2)/2*(S/N)   -- `sum(i, (i, 1, n)) = n*(n + 1)/2`
      = N/4*S                       -- grows with the ring: parts travel `N/4` links on average
    """,
)
