"""FSDP that keeps weights and gradients whole for all micro-batches."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives.ring import RING_ALL_GATHER, RING_REDUCE_SCATTER
from workings.derivations.data_parallel._letters import STEP
from workings.derivations.data_parallel._sources import FSDP_ONCE
from workings.derivations.data_parallel._step import one_row
from workings.simulate.training_step import KEPT_FOR_ALL
from workings.units import BYTE


def gather_once_scatter_once(P: int, d: int, m: int, w: Fraction, g: Fraction) -> Fraction:
    """Real micro-batches on weights gathered once, gradients scattered at the end; the bytes sent."""
    step = one_row(d, m, KEPT_FOR_ALL)
    return (step.scattered * g + step.gathered * w) * P


FSDP_ONCE_STEP_BYTES = derivation(
    "fsdp-once-step-bytes",
    title="Bytes a device sends in a step of FSDP that gathers and reduces once",
    unit=BYTE,
    letters=STEP,
    uses={"V_AG": RING_ALL_GATHER.at(N="d", S="w*P"), "V_RS": RING_REDUCE_SCATTER.at(N="d", S="g*P")},
    source=FSDP_ONCE,
    oracle=gather_once_scatter_once,
    convention="Nothing is resharded, and no gradient reduced, before the last micro-batch.",
    chain="""
    V_once = V_AG + V_RS                       -- one gather and one scatter a step
      = (d - 1)/d*w*P + (d - 1)/d*g*P          -- their bytes on a ring
      = (d - 1)/d*(w + g)*P                    -- what ZeRO-1 sends: it is ZeRO-1
    """,
)
