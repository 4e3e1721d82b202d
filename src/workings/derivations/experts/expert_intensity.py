"""FLOPs an expert's matmul does for each byte it reads or writes."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.experts._sources import SCALING_BOOK_ROOFLINE
from workings.simulate.tensors import Tensor, total_bytes
from workings.units import BYTE, FLOP
from workings.vocabulary.experts import EXPERT_TOKENS
from workings.vocabulary.model import D_EXPERT, D_MODEL
from workings.vocabulary.training import ACTIVATION_WIDTH, GATHER_WIDTH

MATMUL = {
    "n_E": EXPERT_TOKENS,
    "D": D_MODEL,
    "F_E": D_EXPERT,
    "w": GATHER_WIDTH,
    "a": ACTIVATION_WIDTH,
}


def flops_and_bytes(n_E: int, D: int, F_E: int, w: Fraction, a: Fraction) -> tuple[Fraction, Fraction]:
    """FLOPs of the matmul, two for each entry times its inner length, and bytes of its tensors."""
    output = Tensor("output", (n_E, F_E), a)
    flops = sum(output.elements + output.elements for _ in range(D))
    tensors = [Tensor("input", (n_E, D), a), Tensor("weight", (D, F_E), w), output]
    return Fraction(flops), total_bytes(tensors)


def divide_flops_by_bytes(n_E: int, D: int, F_E: int, w: Fraction, a: Fraction) -> Fraction:
    """The matmul's tensors listed with their bytes, its FLOPs counted along the inner dimension."""
    flops, moved = flops_and_bytes(n_E, D, F_E, w, a)
    return flops / moved


EXPERT_INTENSITY = derivation(
    "expert-intensity",
    title="Arithmetic intensity of an expert's matmul",
    unit=FLOP / BYTE,
    letters=MATMUL,
    source=SCALING_BOOK_ROOFLINE,
    oracle=divide_flops_by_bytes,
    convention="Weights and input are read once, the output is written once.",
    chain="""
    I_E = (2[FLOP]*n_E*D*F_E)/(w*D*F_E + a*n_E*D + a*n_E*F_E)
                                       -- FLOPs over the bytes of weight, input and output
      = (2[FLOP]*n_E)/(w + a*n_E/F_E + a*n_E/D)      -- divide by `D*F_E`
      <= 2[FLOP]*n_E/w                               -- the weight alone: more tokens, more work a byte
      ≈ [D -> oo, F_E -> oo] 2[FLOP]*n_E/w           -- few tokens against wide matrices
    """,
)
