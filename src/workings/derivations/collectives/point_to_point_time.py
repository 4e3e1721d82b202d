"""One message from one rank to another."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives._sources import NCCL_TESTS_TIME
from workings.simulate.clock import Clock, Link
from workings.units import SECOND
from workings.vocabulary.collectives import MESSAGE
from workings.vocabulary.hardware import BANDWIDTH, LATENCY


def send_one_message(S: Fraction, alpha: Fraction, W_b: Fraction) -> Fraction:
    """One message by the clock: when its last byte has arrived."""
    clock = Clock()
    clock.send(Link(alpha, W_b), 0, 1, S)
    return clock.finish


POINT_TO_POINT_TIME = derivation(
    "point-to-point-time",
    title="Time of a point-to-point message",
    unit=SECOND,
    letters={"S": MESSAGE, "alpha": LATENCY, "W_b": BANDWIDTH},
    source=NCCL_TESTS_TIME,
    oracle=send_one_message,
    convention="The α–β model with a bandwidth, `W_b`; where β is seconds a byte, it is `1/W_b`.",
    leaves_out="Other messages on the same link.",
    chain="""
    T_p2p = alpha + S/W_b       -- it starts, then its bytes follow one another
      >= S/W_b                  -- `alpha` is never negative
      ≈ [S -> oo] S/W_b         -- for a large message only the bandwidth matters
    """,
)
