"""A network port's bits as bytes."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.links._sources import LECTURE_LINKS
from workings.units import BYTE, SECOND
from workings.vocabulary.links import LINE_RATE


def wait_for_eight_bits(r_b: Fraction) -> Fraction:
    """A byte is there once eight bits have come, one after another; bytes a second follow."""
    seconds = sum((1 / r_b for _bit in range(8)), Fraction(0))
    return 1 / seconds


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
