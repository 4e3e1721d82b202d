"""Efficiency of a layout whose batch grows with its replicas."""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation
from workings.derivations.pipeline.interleaved import INTERLEAVED_BUBBLE
from workings.derivations.scale._sources import MEGATRON_WEAK
from workings.derivations.scale.gradient_transfer_share import (
    GRADIENT_TRANSFER_SHARE,
    GRADIENTS,
    run_one_replica,
)
from workings.derivations.scale.tensor_transfer_share import (
    TENSOR,
    TENSOR_TRANSFER_SHARE,
    run_one_layer,
)
from workings.simulate.interleaved import interleaved
from workings.units import ONE
from workings.vocabulary.layout import VIRTUAL_STAGES
from workings.vocabulary.scale import COMPUTE_TIME, DATA_HIDDEN, TENSOR_HIDDEN


def run_the_layout(
    v: int, T_c: Fraction, h_t: Fraction, h_d: Fraction, **letters: Any
) -> Fraction | None:
    """Schedule run task by task, transfers walked round rings, what is hidden taken off; times added."""
    p, m = letters["p"], letters["m"]
    if p * m * v > 150:
        return None
    schedule = interleaved(p, m, v)
    waiting = schedule.idle(0) * T_c / schedule.busy(0)
    tensor = run_one_layer(**{name: letters[name] for name in TENSOR}) * T_c
    data = run_one_replica(**{name: {**letters, "P": 5}[name] for name in GRADIENTS}) * T_c
    step = T_c + waiting + (tensor - h_t * tensor) + (data - h_d * data)
    return T_c / step


WEAK_SCALING_EFFICIENCY = derivation(
    "weak-scaling-efficiency",
    title="Efficiency of weak scaling: compute over compute, bubble and exposed transfers",
    unit=ONE,
    letters={
        **TENSOR,
        **{name: concept for name, concept in GRADIENTS.items() if name != "P"},
        "v": VIRTUAL_STAGES,
        "T_c": COMPUTE_TIME,
        "h_t": TENSOR_HIDDEN,
        "h_d": DATA_HIDDEN,
    },
    uses={
        "beta_v": INTERLEAVED_BUBBLE.at(),
        "x_t": TENSOR_TRANSFER_SHARE.at(),
        "x_d": GRADIENT_TRANSFER_SHARE.at(),
    },
    given=("p divides m", "h_t <= 1", "h_d <= 1"),
    source=MEGATRON_WEAK,
    oracle=run_the_layout,
    convention="Against devices that never wait. Interleaved 1F1B, bubble over ideal time; `h_t` and "
    "`h_d` are the shares of the transfers that hide behind compute; the rest adds up.",
    leaves_out="Pipeline sends, the optimizer's step, stages that are not equally long, stragglers.",
    chain="""
    eta_w = T_c/(T_c + beta_v*T_c + (1 - h_t)*x_t*T_c + (1 - h_d)*x_d*T_c)
                                             -- compute, over compute and all that it waits for
      = 1/(1 + beta_v + (1 - h_t)*x_t + (1 - h_d)*x_d)       -- cancel `T_c`
    """,
)
