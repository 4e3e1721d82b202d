"""Tokens a second."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.scale._sources import PALM_MFU
from workings.simulate.steps import train
from workings.units import ONE, SECOND
from workings.vocabulary.hardware import COMPUTE
from workings.vocabulary.layout import DEVICES
from workings.vocabulary.scale import MFU, TOKEN_FLOPS


def train_a_few_tokens(n: int, C: Fraction, u: Fraction, f_tok: Fraction) -> Fraction:
    """Seven tokens trained one after the other, cut into pieces for the devices; tokens over time."""
    run = train(7, f_tok, n, u * C)
    return run.tokens / run.seconds


THROUGHPUT = derivation(
    "throughput",
    title="Tokens trained per second",
    unit=ONE / SECOND,
    letters={"n": DEVICES, "C": COMPUTE, "u": MFU, "f_tok": TOKEN_FLOPS},
    source=PALM_MFU,
    oracle=train_a_few_tokens,
    convention="`f_tok` is what the model needs for a token, recomputation not counted.",
    chain="""
    R_s = n*(u*C)/f_tok                      -- useful FLOP/s of all devices, over a token's FLOPs
      = u*n*C/f_tok                          -- collect
    """,
)
