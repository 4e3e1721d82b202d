"""Links across the middle of a torus."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.links._sources import TPU_V5E
from workings.simulate.torus import links_cut
from workings.units import BYTE, SECOND
from workings.vocabulary.kinds import TORUS
from workings.vocabulary.layout import DEVICES
from workings.vocabulary.links import CUT_SIDE, LINK_SPEED


def cut_every_link(n: int, X_c: int, W_l: Fraction) -> Fraction:
    """All links of the torus are listed, and those between the two halves are added up."""
    return links_cut((X_c, n // X_c), 0) * W_l


TORUS_BISECTION = derivation(
    "torus-bisection",
    title="Bisection bandwidth of a torus, one way",
    unit=BYTE / SECOND,
    letters={"n": DEVICES, "X_c": CUT_SIDE, "W_l": LINK_SPEED},
    given=("2 divides X_c", "X_c divides n"),
    source=TPU_V5E,
    oracle=cut_every_link,
    holds_for={TORUS: "fat-tree-bisection"},
    convention="The torus is cut across an axis of `X_c` devices; the fewest links are cut across its "
    "longest axis. A pod of 16 × 16 TPU v5e with links of 50 GB/s: 1.6 TB/s.",
    leaves_out="Axes without a link round the end, which have half of it.",
    chain="""
    B_torus = sum(2*W_l, (i, 1, n/X_c))    -- every ring along the axis is cut in two places
      = 2*n/X_c*W_l                        -- there are `n/X_c` of them
    """,
)
