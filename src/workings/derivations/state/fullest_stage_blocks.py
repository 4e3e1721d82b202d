"""Blocks on the fullest of even stages."""

from workings.derivation import derivation
from workings.derivations.state._sources import LLAMA_3_PIPELINE
from workings.simulate.stage_placement import deal_blocks
from workings.units import ONE
from workings.vocabulary.layout import STAGES
from workings.vocabulary.model import BLOCKS


def deal_in_turn(L: int, p: int) -> int:
    """Blocks dealt to stages one at a time, in turn; the most that a stage got."""
    return max(deal_blocks(L, p))


FULLEST_STAGE_BLOCKS = derivation(
    "fullest-stage-blocks",
    title="Blocks of the fullest stage when blocks are dealt evenly",
    unit=ONE,
    noun="blocks",
    letters={"L": BLOCKS, "p": STAGES},
    source=LLAMA_3_PIPELINE,
    oracle=deal_in_turn,
    convention="Only blocks are counted: the embedding and the head make the ends heavier.",
    chain="""
    L_max = ceil(L/p)                 -- the first `L` modulo `p` stages get one block more
    """,
)
