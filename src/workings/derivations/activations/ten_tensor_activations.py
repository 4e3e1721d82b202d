"""A round footprint: ten tensors of the model's width a block."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.activations._sources import TENSOR_EQ_2
from workings.derivations.ranks.fullest_stage import deal_layers_to_stages
from workings.units import BYTE
from workings.vocabulary.layout import CP, STAGES, TP
from workings.vocabulary.model import BLOCKS, D_MODEL
from workings.vocabulary.training import MICROBATCH, SEQUENCE_LENGTH


def deal_ten_tensors(s: int, b_m: int, D: int, L: int, p: int, t: int, c: int) -> Fraction:
    """Ten tensors for each block of the fullest stage, positions dealt to its ranks; the fullest."""
    held = [0] * (t * c)
    for _ in range(10 * deal_layers_to_stages(L, p)):
        for position in range(s):
            held[position % (t * c)] += 2 * b_m * D
    return Fraction(max(held))


TEN_TENSOR_ACTIVATIONS = derivation(
    "ten-tensor-activations",
    title="Activations of a rank by the footprint of ten tensors a block",
    unit=BYTE,
    letters={
        "s": SEQUENCE_LENGTH, "b_m": MICROBATCH, "D": D_MODEL, "L": BLOCKS, "p": STAGES, "t": TP, "c": CP,
    },
    given=("t*c divides s",),
    source=TENSOR_EQ_2,
    oracle=deal_ten_tensors,
    convention="An exercise's footprint: ten tensors of `s*b_m*D` values in 2 bytes, all shared by "
    "`t*c` ranks, for one micro-batch. The source's ledger has sixteen such tensors and two masks, "
    "`34[byte]*s*b_m*D`, of which tensor parallelism alone leaves 10 whole, and scores besides; so "
    "`20[byte]*s*b_m*D` is 10/17 of it without scores. The exercise's sequence-parallel degree is an "
    "axis of its own, here `c`. The fullest stage.",
    leaves_out="The scores, masks, embedding and head; that 1F1B keeps up to `p` micro-batches in "
    "flight on the first stage, `p` times as much.",
    chain="""
    A_10 = ceil(L/p)*(10*2[byte]*s*b_m*D)/(t*c)    -- a stage's blocks, ten tensors each, shared by ranks
      = 20[byte]*s*b_m*D*ceil(L/p)/(t*c)           -- collect
    """,
)  # fmt: skip
