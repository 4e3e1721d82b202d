"""What an FSDP device holds of the block it computes, whatever the model."""

from fractions import Fraction

from workings.chain import Row
from workings.derivation import derivation
from workings.derivations.sources import PYTORCH_FSDP
from workings.units import BYTE
from workings.vocabulary.model import LARGEST_BLOCK
from workings.vocabulary.training import GATHER_WIDTH, REDUCE_WIDTH


def gather_block_after_block(P_B: int, w: Fraction, g: Fraction) -> Fraction:
    """Three blocks backwards: gathered ahead, computed, its gradient reduced; the fullest moment."""
    held: dict[str, Fraction] = {"weights 2": w * P_B}
    peak = Fraction(0)
    for block in (2, 1, 0):
        if block:
            held[f"weights {block - 1}"] = w * P_B  # arrives while this one is computed
        held[f"gradient {block}"] = g * P_B
        peak = max(peak, sum(held.values(), Fraction(0)))
        del held[f"weights {block}"], held[f"gradient {block}"]  # freed, and scattered
    return peak


FSDP_BLOCK_WORKING_SET = derivation(
    "fsdp-block-working-set",
    title="Gathered weights and the gradient being reduced, of a model's largest block",
    unit=BYTE,
    letters={"P_B": LARGEST_BLOCK, "w": GATHER_WIDTH, "g": REDUCE_WIDTH},
    source=PYTORCH_FSDP,
    oracle=gather_block_after_block,
    convention="One block computes while the next is gathered; one block's gradient is reduced. A block "
    "with experts is gathered with all of them.",
    leaves_out="Tensor parallelism, which leaves a rank its part of a block.",
    ledger=(
        Row("gathered block, computing", "w*P_B", "all its weights, whole"),
        Row("gathered block, prefetched", "w*P_B", "the next one arrives meanwhile"),
        Row("gradient of one block", "g*P_B", "whole until it is reduce-scattered"),
    ),
    chain="""
    G_B = rows                    -- add the rows
      = (2*w + g)*P_B             -- collect
    """,
)
