"""How many segments checkpointing should have."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.sources import SUBLINEAR
from workings.units import ONE
from workings.vocabulary.memory import KEPT_BLOCK, KEPT_INPUT
from workings.vocabulary.model import BLOCKS
from workings.vocabulary.training import SEGMENTS_REAL


def close_in_on_equal_parts(L: int, k: Fraction, c: Fraction, e: Fraction) -> tuple[Fraction, Fraction]:
    """A range of segment counts halved until inputs and blocks weigh the same between its ends."""
    blocks = sum(e for _ in range(L))
    low, high = Fraction(1, 10**9), Fraction(10**9)
    while high - low > low / 10**8:
        middle = (low + high) / 2
        low, high = (middle, high) if middle * c < blocks / middle else (low, middle)
    return low, high


CHECKPOINT_SEGMENTS = derivation(
    "checkpoint-segments",
    title="Segments with the least activations",
    unit=ONE,
    noun="segments",
    fractional="the best of all real numbers; a model takes a divisor of its blocks beside it",
    letters={"L": BLOCKS, "k": SEGMENTS_REAL, "c": KEPT_INPUT, "e": KEPT_BLOCK},
    source=SUBLINEAR,
    oracle=close_in_on_equal_parts,
    convention="The number of segments taken as a real number; `c = e` gives the published `sqrt(L)`.",
    chain="""
    k*c = L/k*e                    -- inputs kept weigh as much as blocks redone
      <=> k^2 = L*e/c              -- multiply by `k/c`
      <=> k = sqrt(L*e/c)          -- `k` is positive
    """,
)
