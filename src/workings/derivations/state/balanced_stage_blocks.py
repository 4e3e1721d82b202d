"""Llama 3's stages: one block fewer at both ends."""

from workings.derivation import derivation
from workings.derivations.state._sources import LLAMA_3_PIPELINE
from workings.units import ONE
from workings.vocabulary.layout import STAGES
from workings.vocabulary.model import BLOCKS
from workings.vocabulary.state import MIDDLE_BLOCKS


def fill_stages(L: int, p: int, L_mid: int) -> bool:
    """Stages filled one after the other, both ends one short; whether the blocks just run out."""
    left = L
    for stage in range(p):
        left -= L_mid
        if stage in (0, p - 1):
            left += 1
    return left == 0


BALANCED_STAGE_BLOCKS = derivation(
    "balanced-stage-blocks",
    title="Blocks of a middle stage when both ends have one fewer",
    unit=ONE,
    noun="blocks",
    letters={"L": BLOCKS, "p": STAGES, "L_mid": MIDDLE_BLOCKS},
    given=("p > 1",),
    source=LLAMA_3_PIPELINE,
    oracle=fill_stages,
    convention="The embedding takes a block's place on the first stage, the head on the last.",
    chain="""
    L = (L_mid - 1) + (p - 2)*L_mid + (L_mid - 1)     -- first stage, middle stages, last stage
      <=> L = p*L_mid - 2                             -- collect
      <=> L_mid = (L + 2)/p                           -- 126 blocks on 16 stages: 8, and 7 at the ends
    """,
)
