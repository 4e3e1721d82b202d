"""Hardware FLOPs utilization, and how far it is from MFU."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.scale._sources import HFU
from workings.derivations.scale.model_flops_utilization import MODEL_FLOPS_UTILIZATION
from workings.simulate.steps import train
from workings.units import ONE
from workings.vocabulary.hardware import COMPUTE
from workings.vocabulary.layout import DEVICES
from workings.vocabulary.scale import REDONE_FLOPS, STEP_TIME, TOKEN_FLOPS
from workings.vocabulary.training import TOKENS


def compare_all_work_with_peak(
    B: int, n: int, C: Fraction, T_s: Fraction, f_tok: Fraction, f_re: Fraction
) -> Fraction:
    """The step's tokens with what is redone for them, trained at peak; that time over the step's."""
    return train(B, f_tok + f_re, n, C).seconds / T_s


HARDWARE_FLOPS_UTILIZATION = derivation(
    "hardware-flops-utilization",
    title="Hardware FLOPs utilization (HFU)",
    unit=ONE,
    letters={
        "B": TOKENS,
        "n": DEVICES,
        "C": COMPUTE,
        "T_s": STEP_TIME,
        "f_tok": TOKEN_FLOPS,
        "f_re": REDONE_FLOPS,
    },
    uses={"U": MODEL_FLOPS_UTILIZATION.at()},
    source=HFU,
    oracle=compare_all_work_with_peak,
    convention="All FLOPs that the hardware does, recomputation counted. With every block recomputed "
    "`f_re < f_tok/3`, since logits are not computed again, and HFU is less than 4/3 of MFU.",
    chain="""
    U_h = B*(f_tok + f_re)/(n*C*T_s)         -- FLOP/s done, over peak FLOP/s
      = U*(1 + f_re/f_tok)                   -- MFU and what is redone
      >= U                                   -- recomputing raises HFU, not MFU
    """,
)
