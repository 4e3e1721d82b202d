"""FLOPs of the backward pass through one block."""

from workings.derivation import derivation
from workings.derivations.compute.matmul_flops import MATMUL_FLOPS
from workings.derivations.sources import SCALING_BOOK_FLOPS
from workings.simulate.matmul import ffn_backward, ffn_forward, ffn_numbers
from workings.units import FLOP
from workings.vocabulary.kinds import WITHOUT_ATTENTION
from workings.vocabulary.model import D_FF, D_MODEL
from workings.vocabulary.training import TOKENS


def run_backward(B: int, D: int, F: int) -> int:
    """The four products of a block's backward pass computed by loops that count every FLOP."""
    x, w_in, w_out = ffn_numbers(B, D, 1), ffn_numbers(D, F, 2), ffn_numbers(F, D, 3)
    hidden = ffn_forward(x, w_in, w_out).hidden
    return ffn_backward(x, hidden, w_in, w_out, ffn_numbers(B, D, 4)).flops


FFN_BACKWARD_FLOPS = derivation(
    "ffn-backward-flops",
    title="FLOPs of one feed-forward block's backward pass",
    unit=FLOP,
    letters={"B": TOKENS, "D": D_MODEL, "F": D_FF},
    uses={
        "f_w": MATMUL_FLOPS.at(B="D", D="B"),
        "f_x": MATMUL_FLOPS.at(D="F", F="D"),
    },
    source=SCALING_BOOK_FLOPS,
    oracle=run_backward,
    convention="Gradients with respect to both weights and both inputs, the block's own included.",
    holds_for={WITHOUT_ATTENTION: "block-backward-flops"},
    chain="""
    f_bwd = 2*f_w + 2*f_x            -- two linears, each a weight and an input gradient
      = 2*(2[FLOP]*D*B*F) + 2*(2[FLOP]*B*F*D)   -- each a product of the forward pass's size
      = 8[FLOP]*B*D*F                -- twice the forward pass
    """,
)
