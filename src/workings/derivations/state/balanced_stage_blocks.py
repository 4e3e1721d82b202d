"""Llama 3's stages: one block fewer at both ends."""

from workings.derivation import derivation
from workings.derivations.state._sources import LLAMA_3_PIPELINE
from workings.units import ONE
from workings.vocabulary.layout import STAGES
from workings.vocabulary.model import BLOCKS


def raise_stages_until_all_fit(L: int, p: int) -> int:
    """Stages made larger block by block, both ends one short, until they hold the model."""
    middle = 0
    while sum(middle - (stage in (0, p - 1)) for stage in range(p)) < L:
        middle += 1
    return middle


BALANCED_STAGE_BLOCKS = derivation(
    "balanced-stage-blocks",
    title="Blocks of the fullest middle stage when both ends have one fewer",
    unit=ONE,
    noun="blocks",
    letters={"L": BLOCKS, "p": STAGES},
    given=("p > 1",),
    source=LLAMA_3_PIPELINE,
    oracle=raise_stages_until_all_fit,
    convention="The embedding takes a block's place on the first stage, the head on the last. All middle "
    "stages have as many where `p` divides `L + 2`.",
    chain="""
    L_bal = ceil((1 + L + 1)/p)     -- embedding, blocks and head over the stages, a started one is whole
      = ceil((L + 2)/p)             -- 126 blocks on 16 stages: 8, and 7 at the ends
    """,
)
