"""FLOPs of the backward pass through a matrix product."""

from workings.derivation import derivation
from workings.derivations.compute.matmul_flops import MATMUL_FLOPS
from workings.derivations.sources import SCALING_BOOK_FLOPS
from workings.simulate.matmul import counted_matmul, ffn_numbers, transpose
from workings.units import FLOP
from workings.vocabulary.model import D_FF, D_MODEL
from workings.vocabulary.training import TOKENS


def multiply_back(B: int, D: int, F: int) -> int:
    """Both gradients computed by nested loops that count each multiply and each add."""
    x, w, grad = ffn_numbers(B, D, 1), ffn_numbers(D, F, 2), ffn_numbers(B, F, 3)
    return counted_matmul(transpose(x), grad)[1] + counted_matmul(grad, transpose(w))[1]


MATMUL_BACKWARD_FLOPS = derivation(
    "matmul-backward-flops",
    title="FLOPs of the backward pass through a matrix product",
    unit=FLOP,
    letters={"B": TOKENS, "D": D_MODEL, "F": D_FF},
    uses={"f_w": MATMUL_FLOPS.at(B="D", D="B"), "f_x": MATMUL_FLOPS.at(D="F", F="D")},
    source=SCALING_BOOK_FLOPS,
    oracle=multiply_back,
    convention="Both gradients are wanted: the weight's and the input's.",
    chain="""
    f_grad = f_w + f_x                            -- input times gradient, gradient times weight
      = 2[FLOP]*D*B*F + 2[FLOP]*B*F*D             -- products of `D` by `B` by `F`, of `B` by `F` by `D`
      = 4[FLOP]*B*D*F                             -- twice the forward product
    """,
)
