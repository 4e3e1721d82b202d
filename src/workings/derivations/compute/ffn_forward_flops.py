"""FLOPs of the forward pass through one block."""

from workings.derivation import derivation
from workings.derivations.compute.matmul_flops import MATMUL_FLOPS
from workings.derivations.sources import SCALING_BOOK_FLOPS
from workings.simulate.matmul import ffn_forward, ffn_numbers
from workings.units import FLOP
from workings.vocabulary.kinds import WITHOUT_ATTENTION
from workings.vocabulary.model import D_FF, D_MODEL
from workings.vocabulary.training import TOKENS


def run_forward(B: int, D: int, F: int) -> int:
    """Both products of a block computed by loops that count each multiply and each add."""
    x, w_in, w_out = ffn_numbers(B, D, 1), ffn_numbers(D, F, 2), ffn_numbers(F, D, 3)
    return ffn_forward(x, w_in, w_out).flops


FFN_FORWARD_FLOPS = derivation(
    "ffn-forward-flops",
    title="FLOPs of one feed-forward block's forward pass",
    unit=FLOP,
    letters={"B": TOKENS, "D": D_MODEL, "F": D_FF},
    uses={"f_up": MATMUL_FLOPS.at(), "f_down": MATMUL_FLOPS.at(D="F", F="D")},
    source=SCALING_BOOK_FLOPS,
    oracle=run_forward,
    leaves_out="The activation function.",
    holds_for={WITHOUT_ATTENTION: "block-forward-flops"},
    chain="""
    f_fwd = f_up + f_down                       -- `D` to `F`, and back to `D`
      = 2[FLOP]*B*D*F + 2[FLOP]*B*F*D           -- two products
      = 4[FLOP]*B*D*F                           -- of the same size
    """,
)
