"""FLOP/s that a device achieves."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.scale._sources import LLAMA_3_MFU
from workings.derivations.scale.model_flops_utilization import MODEL_FLOPS_UTILIZATION
from workings.simulate.steps import train
from workings.units import FLOP, SECOND
from workings.vocabulary.hardware import COMPUTE
from workings.vocabulary.layout import DEVICES
from workings.vocabulary.scale import STEP_TIME, TOKEN_FLOPS
from workings.vocabulary.training import TOKENS


def divide_the_work(B: int, n: int, C: Fraction, T_s: Fraction, f_tok: Fraction) -> Fraction:
    """The FLOPs of a step's tokens added up, shared by the devices, over the step's time."""
    return train(B, f_tok, n, C).flops / n / T_s


ACHIEVED_FLOPS = derivation(
    "achieved-flops",
    title="Model FLOP/s a device achieves",
    unit=FLOP / SECOND,
    letters={"B": TOKENS, "n": DEVICES, "C": COMPUTE, "T_s": STEP_TIME, "f_tok": TOKEN_FLOPS},
    uses={"U": MODEL_FLOPS_UTILIZATION.at()},
    source=LLAMA_3_MFU,
    oracle=divide_the_work,
    convention="Model FLOPs: what is run again by recomputation does not count.",
    chain="""
    C_dev = U*C                              -- the share of the peak that is used
      = B*f_tok/(n*T_s)                      -- a step's FLOPs, a device, a second: the peak cancels
    """,
)
