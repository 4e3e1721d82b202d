"""Model FLOPs utilization."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.scale._sources import PALM_MFU
from workings.simulate.steps import train
from workings.units import ONE
from workings.vocabulary.hardware import COMPUTE
from workings.vocabulary.layout import DEVICES
from workings.vocabulary.scale import STEP_TIME, TOKEN_FLOPS
from workings.vocabulary.training import TOKENS


def compare_with_peak(B: int, n: int, C: Fraction, T_s: Fraction, f_tok: Fraction) -> Fraction:
    """The step's tokens trained at peak, one after the other; that time over the step's time."""
    return train(B, f_tok, n, C).seconds / T_s


MODEL_FLOPS_UTILIZATION = derivation(
    "model-flops-utilization",
    title="Model FLOPs utilization (MFU)",
    unit=ONE,
    letters={"B": TOKENS, "n": DEVICES, "C": COMPUTE, "T_s": STEP_TIME, "f_tok": TOKEN_FLOPS},
    source=PALM_MFU,
    oracle=compare_with_peak,
    convention="FLOPs that the model needs, recomputation not counted, over what the devices could "
    "do at peak in the wall time.",
    chain="""
    U = (B*f_tok/T_s)/(n*C)                  -- model FLOP/s of the step, over peak FLOP/s
      = B*f_tok/(n*C*T_s)                    -- collect
    """,
)
