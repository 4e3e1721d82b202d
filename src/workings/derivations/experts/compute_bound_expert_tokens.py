"""Tokens from which an expert's matmul is compute-bound."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.experts._sources import SCALING_BOOK_ROOFLINE
from workings.derivations.experts.expert_intensity import MATMUL, flops_and_bytes
from workings.units import ONE
from workings.vocabulary.hardware import COMPUTE, MEMORY_BANDWIDTH


def race_against_memory(
    n_E: int, D: int, F_E: int, w: Fraction, a: Fraction, C: Fraction, W_m: Fraction
) -> bool:
    """The counted FLOPs' time against the time of reading and writing the listed tensors."""
    flops, moved = flops_and_bytes(n_E, D, F_E, w, a)
    return flops / C > moved / W_m


COMPUTE_BOUND_EXPERT_TOKENS = derivation(
    "compute-bound-expert-tokens",
    title="Tokens from which an expert's matmul is compute-bound",
    unit=ONE,
    noun="tokens",
    letters={**MATMUL, "C": COMPUTE, "W_m": MEMORY_BANDWIDTH},
    given=("W_m > a*(D + F_E)*C/(2[FLOP]*D*F_E)",),
    source=SCALING_BOOK_ROOFLINE,
    oracle=race_against_memory,
    convention="Reading, writing and computing overlap; an expert of a batch has `k_E/E` of its tokens.",
    chain="""
    2[FLOP]*n_E*D*F_E/C > (w*D*F_E + a*n_E*(D + F_E))/W_m      -- compute takes longer than memory
      <=> n_E*(2[FLOP]*D*F_E*W_m - a*(D + F_E)*C) > w*D*F_E*C  -- multiply by `C*W_m`, collect `n_E`
      <=> n_E > w*D*F_E*C/(2[FLOP]*D*F_E*W_m - a*(D + F_E)*C)  -- divide: the bracket is positive
    """,
)
