"""Forward FLOPs of a block for each token."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.hierarchy._letters import TOKEN
from workings.derivations.hierarchy._sources import MEGATRON_TENSOR
from workings.derivations.hierarchy._work import attention_matmuls, ffn_matmuls, flops
from workings.derivations.hierarchy.block_weights import BLOCK_WEIGHTS
from workings.units import FLOP
from workings.vocabulary.kinds import WITHOUT_EXPERTS


def share_a_sequence(s: int, D: int, F: int, H: int, K: int, d_h: int, n_f: int) -> Fraction:
    """The matmuls of one sequence listed with their shapes, shared by its tokens."""
    matmuls = [*attention_matmuls(s, D, H, K, d_h), *ffn_matmuls(s, D, F, n_f)]
    return Fraction(flops(matmuls), s)


BLOCK_TOKEN_FLOPS = derivation(
    "block-token-flops",
    title="Forward FLOPs of a dense block for each token",
    unit=FLOP,
    letters=TOKEN,
    uses={"P_blk": BLOCK_WEIGHTS.at()},
    source=MEGATRON_TENSOR,
    oracle=share_a_sequence,
    convention="Full attention: every token meets all `s` keys; causal kernels do about half of that.",
    leaves_out="Softmax, norms and activation functions.",
    holds_for={WITHOUT_EXPERTS: "moe-block-token-flops"},
    chain="""
    X_b = 2[FLOP]*P_blk + sum(sum(2[FLOP]*d_h + 2[FLOP]*d_h, (j, 1, H)), (i, 1, s))
                                       -- each weight once; in each head a score and a sum for every key
      = 2[FLOP]*P_blk + 4[FLOP]*s*H*d_h        -- equal heads and keys
    """,
)
