"""Time of an all-gather over both axes of a square torus."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives._sources import SCALING_BOOK_AXIS
from workings.simulate.clock import Link
from workings.simulate.torus import gather_on_square
from workings.units import SECOND
from workings.vocabulary.collective_times import SIDE
from workings.vocabulary.collectives import MESSAGE
from workings.vocabulary.hardware import LATENCY, RING_DEVICES, TORUS_LINK
from workings.vocabulary.kinds import TORUS


def both_axes_by_the_clock(
    S: Fraction, X_t: int, alpha: Fraction, W: Fraction, n_ring: int
) -> Fraction | None:
    """Two halves cross the axes in opposite orders, both ways on each axis, each message timed."""
    if X_t > 7:  # larger tori take too long here
        return None
    return gather_on_square(X_t, S, Link(alpha, W)).finish


SQUARE_TORUS_TIME = derivation(
    "square-torus-time",
    title="Time of an all-gather over both axes of a square torus",
    unit=SECOND,
    letters={"S": MESSAGE, "X_t": SIDE, "alpha": LATENCY, "W": TORUS_LINK, "n_ring": RING_DEVICES},
    given=("n_ring divides X_t",),
    source=SCALING_BOOK_AXIS,
    oracle=both_axes_by_the_clock,
    holds_for={TORUS: "ring-all-gather-time"},
    convention="`X_t^2` devices. One half of the message is gathered over rows and then columns, the "
    "other over columns and then rows, so that both axes always work; `W` is one axis, both directions.",
    chain="""
    T_sq = (X_t - 1)*(alpha + S/(2*X_t^2)/W) + (X_t - 1)*(alpha + X_t*S/(2*X_t^2)/W)
                                                        -- a ring of chunks, then a ring of whole rows
      = 2*(X_t - 1)*alpha + (1 - 1/X_t^2)*S/(2*W)       -- `(X_t - 1)*(X_t + 1) = X_t^2 - 1`
      ≈ [S -> oo] (X_t^2 - 1)/X_t^2*S/(2*W)             -- a large message has both axes' bandwidth
    """,
)
