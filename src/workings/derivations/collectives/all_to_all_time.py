"""Time of an all-to-all over a switch."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives._sources import SCALING_BOOK_NODE
from workings.derivations.collectives.all_to_all import ALL_TO_ALL
from workings.simulate.clock import Link
from workings.simulate.exchange import all_to_all
from workings.units import SECOND
from workings.vocabulary.collectives import GROUP, MESSAGE
from workings.vocabulary.hardware import BANDWIDTH, LATENCY
from workings.vocabulary.kinds import SWITCH


def exchange_by_the_clock(N: int, S: Fraction, alpha: Fraction, W_b: Fraction) -> Fraction:
    """In round d every rank sends to the rank d places on; each message is timed."""
    return all_to_all(N, S, Link(alpha, W_b)).finish


ALL_TO_ALL_TIME = derivation(
    "all-to-all-time",
    title="Time of an all-to-all over a switch",
    unit=SECOND,
    letters={"N": GROUP, "S": MESSAGE, "alpha": LATENCY, "W_b": BANDWIDTH},
    uses={"V_A2A": ALL_TO_ALL.at()},
    source=SCALING_BOOK_NODE,
    oracle=exchange_by_the_clock,
    holds_for={SWITCH: ""},
    convention="`S` is what one rank starts with. Any two ranks reach each other at full bandwidth; a "
    "rank sends one message at a time.",
    leaves_out="Unequal parts, and messages that share a link.",
    chain="""
    T_A2A = sum(alpha + S/(N*W_b), (i, 1, N - 1))  -- one message to each other rank, one after another
      = (N - 1)*alpha + V_A2A/W_b                  -- starts, and the bytes a rank sends
      = (N - 1)*alpha + (N - 1)/N*S/W_b            -- put the bytes in
    """,
)
