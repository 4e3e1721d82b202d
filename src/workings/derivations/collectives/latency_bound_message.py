"""The message size below which a ring is bound by latency."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives._sources import SCALING_BOOK_AXIS
from workings.simulate.clock import Link
from workings.simulate.timed_ring import all_gather
from workings.units import BYTE
from workings.vocabulary.collectives import GROUP, MESSAGE
from workings.vocabulary.hardware import BANDWIDTH, LATENCY


def compare_starts_and_transfer(N: int, S: Fraction, alpha: Fraction, W_b: Fraction) -> bool:
    """The gather is run as if transfers took no time and as if starts took none; the slower counts."""
    whole = all_gather(N, S, Link(alpha, W_b)).finish
    transfer = all_gather(N, S, Link(0, W_b)).finish
    return whole - transfer > transfer


LATENCY_BOUND_MESSAGE = derivation(
    "latency-bound-message",
    title="Message below which a ring is latency-bound",
    unit=BYTE,
    letters={"N": GROUP, "S": MESSAGE, "alpha": LATENCY, "W_b": BANDWIDTH},
    given=("N >= 2",),
    source=SCALING_BOOK_AXIS,
    oracle=compare_starts_and_transfer,
    convention="A ring all-gather or reduce-scatter of `S` bytes in all; an all-reduce has twice both "
    "sides. `alpha*W_b` is what a link carries while one message starts.",
    chain="""
    (N - 1)*alpha > (N - 1)/N*S/W_b    -- the starts take longer than the bytes
      <=> alpha > S/(N*W_b)            -- the same for each of the `N - 1` hops
      <=> S < N*alpha*W_b              -- solve for the message
    """,
)
