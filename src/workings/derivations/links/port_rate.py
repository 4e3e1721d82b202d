"""A network port's bits as bytes."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.links._sources import LECTURE_LINKS
from workings.units import BYTE, SECOND
from workings.vocabulary.links import LINE_RATE


def wait_for_eight_bits(r_b: Fraction) -> Fraction:
    """Bits come one after another; a byte is there with every eighth, and bytes a second follow."""
    clock, came, whole = Fraction(0), 0, 0
    while whole < 3:
        clock, came = clock + 1 / r_b, came + 1
        whole += came % 8 == 0
    return whole / clock


PORT_RATE = derivation(
    "port-rate",
    title="A network port's bits as bytes",
    unit=BYTE / SECOND,
    letters={"r_b": LINE_RATE},
    source=LECTURE_LINKS,
    oracle=wait_for_eight_bits,
    convention="Networks are sold in bits per second and one way: 400 Gb/s NDR InfiniBand is 50 GB/s.",
    leaves_out="Headers and encoding, which take a few per cent.",
    chain="""
    B_port = r_b*1[bit]       -- so many bits a second
      = r_b/8*1[byte]         -- eight bits are a byte
    """,
)
