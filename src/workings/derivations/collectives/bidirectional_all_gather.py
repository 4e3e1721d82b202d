"""All-gather on a ring that works both ways."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives._sources import SCALING_BOOK_AXIS
from workings.simulate.clock import BYTES
from workings.simulate.torus import gather_in_halves
from workings.units import BYTE
from workings.vocabulary.collectives import GROUP, MESSAGE
from workings.vocabulary.kinds import TORUS


def send_halves_both_ways(N: int, S: Fraction) -> Fraction:
    """Halves of all chunks go round in opposite directions; one rank's bytes to the right are counted."""
    return gather_in_halves(N, S, BYTES).sent(0, "right")


BIDIRECTIONAL_ALL_GATHER = derivation(
    "bidirectional-all-gather",
    title="Bytes one rank sends each way in a bidirectional all-gather",
    unit=BYTE,
    letters={"N": GROUP, "S": MESSAGE},
    source=SCALING_BOOK_AXIS,
    oracle=send_halves_both_ways,
    holds_for={TORUS: "ring-all-gather"},
    convention="One half of every chunk goes right round, the other left round, at the same time.",
    leaves_out="Start-up latency of each hop.",
    chain="""
    V_bi = sum(S/(2*N), (i, 1, N - 1))  -- `N - 1` hops, half a chunk a hop, in each direction
      = (N - 1)/N*S/2                   -- half of what a ring in one direction sends
      <= S/2                            -- so the links' both ways bandwidth counts
    """,
)
