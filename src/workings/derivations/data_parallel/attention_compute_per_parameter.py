"""Compute per gathered parameter where attention counts."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.data_parallel._sources import KAKADE_ANAND
from workings.derivations.data_parallel._tokens import forward_flops
from workings.simulate.matmul import counted_matmul, ffn_numbers, transpose
from workings.units import FLOP
from workings.vocabulary.data_parallel import UNIT_PARAMETERS
from workings.vocabulary.model import HEAD_DIM, HEADS
from workings.vocabulary.training import SEQUENCE_LENGTH


def attend_one_token(P_u: int, s: int, H: int, d_h: int) -> Fraction:
    """One token's products with all keys and values of its sequence, head by head, counted."""
    flops = forward_flops(P_u)
    for _ in range(H):
        query, keys, values = ffn_numbers(1, d_h, 1), ffn_numbers(s, d_h, 2), ffn_numbers(s, d_h, 3)
        scores, of_scores = counted_matmul(query, transpose(keys))
        flops += of_scores + counted_matmul(scores, values)[1]
    return Fraction(flops, P_u)


ATTENTION_COMPUTE_PER_PARAMETER = derivation(
    "attention-compute-per-parameter",
    title="Forward FLOPs a token and gathered parameter, of a block with attention",
    unit=FLOP,
    letters={"P_u": UNIT_PARAMETERS, "s": SEQUENCE_LENGTH, "H": HEADS, "d_h": HEAD_DIM},
    source=KAKADE_ANAND,
    oracle=attend_one_token,
    convention="Every token attends to all `s` (causal attention: to half of them); softmax not counted.",
    chain="""
    f_A = (2[FLOP]*P_u + 2*sum(2[FLOP]*s*d_h, (i, 1, H)))/P_u
                                       -- the parameters' products; scores and values of each head
      = (2[FLOP]*P_u + 4[FLOP]*s*H*d_h)/P_u      -- equal heads
      = 2[FLOP] + 4[FLOP]*s*H*d_h/P_u  -- more than a dense layer's: long sequences hide more
    """,
)
