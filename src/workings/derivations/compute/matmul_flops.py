"""FLOPs of a matrix product."""

from workings.derivation import derivation
from workings.derivations.sources import SCALING_BOOK_FLOPS
from workings.simulate.matmul import counted_matmul, ffn_numbers
from workings.units import FLOP
from workings.vocabulary.model import D_FF, D_MODEL
from workings.vocabulary.training import TOKENS


def multiply_and_count(B: int, D: int, F: int) -> int:
    """Two matrices multiplied by three nested loops that count each multiply and each add."""
    return counted_matmul(ffn_numbers(B, D, 1), ffn_numbers(D, F, 2))[1]


MATMUL_FLOPS = derivation(
    "matmul-flops",
    title="FLOPs of a matrix product",
    unit=FLOP,
    letters={"B": TOKENS, "D": D_MODEL, "F": D_FF},
    source=SCALING_BOOK_FLOPS,
    oracle=multiply_and_count,
    convention="A multiply-add is 2 FLOPs; the accumulator starts at zero.",
    chain="""
    f = sum(B*F*(1[FLOP] + 1[FLOP]), (i, 1, D))
                                  -- each of `B*F` results takes `D` multiplies and `D` adds
      = D*(B*F*2[FLOP])           -- `D` equal terms
      = 2[FLOP]*B*D*F             -- collect
    """,
)
