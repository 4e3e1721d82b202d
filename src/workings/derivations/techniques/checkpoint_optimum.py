"""The least that checkpointing in equal segments can reach."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.sources import SUBLINEAR
from workings.simulate.search import golden_bracket
from workings.units import BYTE
from workings.vocabulary.memory import KEPT_BLOCK, KEPT_INPUT
from workings.vocabulary.model import BLOCKS
from workings.vocabulary.training import SEGMENTS_REAL


def search_segment_counts(L: int, k: Fraction, c: Fraction, e: Fraction) -> tuple[Fraction, Fraction]:
    """A search over the number of segments; inputs and blocks are added up one by one."""

    def held(segments: Fraction) -> Fraction:
        blocks_at_once = sum(e for _ in range(L)) / segments
        return segments * c + blocks_at_once

    return golden_bracket(held, 0, Fraction(10**9), 200)


CHECKPOINT_OPTIMUM = derivation(
    "checkpoint-optimum",
    title="Least activations under checkpointing",
    unit=BYTE,
    letters={"L": BLOCKS, "k": SEGMENTS_REAL, "c": KEPT_INPUT, "e": KEPT_BLOCK},
    source=SUBLINEAR,
    oracle=search_segment_counts,
    convention="The number of segments taken as a real number; `c = e` gives the published `2*sqrt(L)`.",
    chain="""
    A_best = k*c + L/k*e           -- inputs of `k` segments, blocks of one
      minimise over k at sqrt(L*e/c) = 2*sqrt(L*c*e)
                                   -- least where both terms are equal
    """,
)
