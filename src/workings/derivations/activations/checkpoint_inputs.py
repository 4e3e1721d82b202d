"""Inputs of all blocks, nothing else."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.activations._block_letters import gpt_block
from workings.derivations.activations._sources import FULL
from workings.derivations.activations.block_activations_full import BLOCK_ACTIVATIONS_FULL
from workings.units import BYTE
from workings.vocabulary.model import BLOCKS, D_MODEL
from workings.vocabulary.training import MICROBATCH, SEQUENCE_LENGTH


def run_every_block(s: int, b_m: int, D: int, L: int) -> Fraction | None:
    """Every block's forward run on shapes, each checkpointed; what the tapes keep together."""
    kept = [gpt_block(s, b_m, D, 1, recompute="full") for _ in range(L)]
    return sum((one for one in kept if one is not None), Fraction(0))


CHECKPOINT_INPUTS = derivation(
    "checkpoint-inputs",
    title="Activations of a model with full recomputation",
    unit=BYTE,
    letters={"s": SEQUENCE_LENGTH, "b_m": MICROBATCH, "D": D_MODEL, "L": BLOCKS},
    uses={"A_full": BLOCK_ACTIVATIONS_FULL.at(H="1")},
    source=FULL,
    oracle=run_every_block,
    convention="For one sequence, `2[byte]*s*D*L`: what introductions give as “the activation memory” "
    "is this, the inputs alone. Without recomputation a block saves at least 17 times as much.",
    leaves_out="The block that runs again (the peak of recomputation counts it); embedding and head.",
    chain="""
    A_in = sum(A_full, (i, 1, L))          -- each block keeps its input
      = 2[byte]*s*b_m*D*L                  -- equal terms
    """,
)
