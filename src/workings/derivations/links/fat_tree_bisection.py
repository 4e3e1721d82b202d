"""Bandwidth across the middle of a fat tree."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.links._sources import SCALING_BOOK_BISECTION
from workings.units import BYTE, SECOND
from workings.vocabulary.layout import DEVICES
from workings.vocabulary.links import PORT_SPEED


def send_to_the_other_half(n: int, W_port: Fraction) -> Fraction:
    """Every device of one half sends to one of the other; each port carries one stream."""
    half = n // 2
    streams = {source: source + half for source in range(half)}
    if len(set(streams.values())) != half:
        raise AssertionError("Two streams share a port.")
    return sum((W_port for _source in streams), Fraction(0))


FAT_TREE_BISECTION = derivation(
    "fat-tree-bisection",
    title="Bisection bandwidth of a full fat tree, one way",
    unit=BYTE / SECOND,
    letters={"n": DEVICES, "W_port": PORT_SPEED},
    given=("2 divides n",),
    source=SCALING_BOOK_BISECTION,
    oracle=send_to_the_other_half,
    convention="One way; some texts add both directions, `n*W_port`. An NVSwitch node of 8 H100: 4 × 450 "
    "GB/s = 1.8 TB/s one way, 3.6 TB/s both ways.",
    leaves_out="Oversubscription, by which it is divided.",
    chain="""
    B_fat = sum(W_port, (i, 1, n/2))    -- every device of one half can send at full speed
      = n/2*W_port                      -- grows with the devices, unlike a torus
    """,
)
