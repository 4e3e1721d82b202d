"""What a device holds of the block it computes."""

from fractions import Fraction

from workings.chain import Row
from workings.derivation import derivation
from workings.derivations.sources import PYTORCH_FSDP
from workings.simulate.tensors import ffn_weights, total_bytes
from workings.units import BYTE
from workings.vocabulary.kinds import WITHOUT_ATTENTION
from workings.vocabulary.model import D_FF, D_MODEL
from workings.vocabulary.training import GATHER_WIDTH, REDUCE_WIDTH


def list_the_working_tensors(D: int, F: int, w: Fraction, g: Fraction) -> Fraction:
    """A list of the matrices of two gathered blocks and the gradients of one."""
    return total_bytes(ffn_weights(2, D, F, w)) + total_bytes(ffn_weights(1, D, F, g))


FSDP_WORKING_SET = derivation(
    "fsdp-working-set",
    title="Gathered weights and the gradient being reduced, of a feed-forward stack",
    unit=BYTE,
    letters={"D": D_MODEL, "F": D_FF, "w": GATHER_WIDTH, "g": REDUCE_WIDTH},
    source=PYTORCH_FSDP,
    oracle=list_the_working_tensors,
    convention="One block computes while the next is gathered; one block's gradient is reduced.",
    ledger=(
        Row("gathered block, computing", "2*w*D*F", "both matrices, whole"),
        Row("gathered block, prefetched", "2*w*D*F", "the next one arrives meanwhile"),
        Row("gradient of one block", "2*g*D*F", "whole until it is reduce-scattered"),
    ),
    holds_for={WITHOUT_ATTENTION: "fsdp-block-working-set"},
    chain="""
    G = rows                        -- add the rows
      = 2*(2*w + g)*D*F             -- collect
    """,
)
