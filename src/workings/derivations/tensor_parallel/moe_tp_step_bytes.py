"""All layers of a stage with experts, all micro-batches of a step."""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation
from workings.derivations.tensor_parallel._experts import (
    CONVENTION,
    DISPATCHER,
    LEAVES_OUT,
    LETTERS,
    THERE_AND_BACK,
    walk,
)
from workings.derivations.tensor_parallel.moe_tp_layer_bytes import MOE_TP_LAYER_BYTES
from workings.simulate.block_matrices import spans
from workings.units import BYTE
from workings.vocabulary.kinds import EXPERT_BLOCKS
from workings.vocabulary.layout import STAGES
from workings.vocabulary.model import BLOCKS
from workings.vocabulary.training import MICROBATCHES


def walk_every_layer_of_the_fullest_stage(L: int, p: int, m: int, **letters: Any) -> Fraction:
    """Layers dealt out to stages; those of the fullest walked for each micro-batch, sends added up."""
    layer = walk(["reduce", "reduce"], THERE_AND_BACK * 2, **letters)
    fullest = max(spans(L, p), key=len)
    return sum((layer for _ in range(m) for _ in fullest), Fraction(0))


MOE_TP_STEP_BYTES = derivation(
    "moe-tp-step-bytes",
    title="Bytes a rank of the fullest stage sends in a step under tensor parallelism, with experts",
    unit=BYTE,
    letters={**LETTERS, "L": BLOCKS, "p": STAGES, "m": MICROBATCHES},
    uses={"V_TX": MOE_TP_LAYER_BYTES.at()},
    source=DISPATCHER,
    oracle=walk_every_layer_of_the_fullest_stage,
    convention="Every block has experts; `m` micro-batches forward and backward. " + CONVENTION,
    leaves_out=f"Embedding and loss. {LEAVES_OUT}",
    holds_for={EXPERT_BLOCKS: "tp-step-bytes"},
    chain="""
    V_Xst = sum(ceil(L/p)*V_TX, (k, 1, m))     -- the layers of the fullest stage, each micro-batch
      = m*ceil(L/p)*V_TX                       -- equal micro-batches
    """,
)
