"""FLOPs of a feed-forward with any number of matrices."""

from workings.derivation import derivation
from workings.derivations.compute._sources import SCALING_BOOK_ACCOUNTING
from workings.derivations.compute.matmul_flops import MATMUL_FLOPS
from workings.simulate.matmul import counted_matmul, ffn_numbers
from workings.units import FLOP
from workings.vocabulary.kinds import DENSE_BLOCKS
from workings.vocabulary.model import D_FF, D_MODEL, FFN_MATRICES
from workings.vocabulary.training import TOKENS


def run_every_matrix(B: int, D: int, F: int, n_f: int) -> int | None:
    """Tokens multiplied by every matrix but one into the wide space, then back, FLOPs counted."""
    if n_f * B * D * F > 20_000:
        return None
    x, flops = ffn_numbers(B, D, 0), 0
    for matrix in range(n_f - 1):
        flops += counted_matmul(x, ffn_numbers(D, F, matrix))[1]
    return flops + counted_matmul(ffn_numbers(B, F, 1), ffn_numbers(F, D, 2))[1]


FFN_FLOPS = derivation(
    "ffn-flops",
    title="FLOPs of a feed-forward, plain or gated, forward",
    unit=FLOP,
    letters={"B": TOKENS, "D": D_MODEL, "F": D_FF, "n_f": FFN_MATRICES},
    uses={"f_up": MATMUL_FLOPS.at(), "f_down": MATMUL_FLOPS.at(D="F", F="D")},
    source=SCALING_BOOK_ACCOUNTING,
    oracle=run_every_matrix,
    convention="`n_f = 2` is the plain feed-forward; `n_f = 3` the gated one (SwiGLU, GeGLU).",
    leaves_out="The activation function and the gate's elementwise product.",
    holds_for={DENSE_BLOCKS: "moe-forward-flops"},
    chain="""
    f_ffn = (n_f - 1)*f_up + f_down          -- all matrices but one lead up, one leads down
      = (n_f - 1)*(2[FLOP]*B*D*F) + 2[FLOP]*B*F*D   -- products of one size
      = 2[FLOP]*n_f*B*D*F                    -- collect
    """,
)
