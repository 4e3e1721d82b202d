"""FSDP that keeps gathered weights from forward to backward."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives.ring import RING_ALL_GATHER, RING_REDUCE_SCATTER
from workings.derivations.data_parallel._letters import STEP
from workings.derivations.data_parallel._sources import LLAMA_3_FSDP
from workings.derivations.data_parallel._step import one_row
from workings.simulate.training_step import KEPT_FOR_BACKWARD
from workings.units import BYTE


def gather_for_every_micro_batch(P: int, d: int, m: int, w: Fraction, g: Fraction) -> Fraction:
    """Real micro-batches, weights gathered once for both passes; the bytes sent in the step."""
    step = one_row(d, m, KEPT_FOR_BACKWARD)
    return (step.scattered * g + step.gathered * w) * P


FSDP_KEPT_STEP_BYTES = derivation(
    "fsdp-kept-step-bytes",
    title="Bytes a device sends in a step of FSDP without resharding after forward",
    unit=BYTE,
    letters=STEP,
    uses={"V_AG": RING_ALL_GATHER.at(N="d", S="w*P"), "V_RS": RING_REDUCE_SCATTER.at(N="d", S="g*P")},
    source=LLAMA_3_FSDP,
    oracle=gather_for_every_micro_batch,
    convention="`reshard_after_forward=False`: weights stay from a forward to its backward.",
    leaves_out="What it costs: at the end of a forward the whole model lies gathered, `w*P` bytes.",
    chain="""
    V_kept = sum(V_AG + V_RS, (i, 1, m))       -- each micro-batch gathers once and scatters once
      = m*(V_AG + V_RS)                        -- equal terms
      = m*(d - 1)/d*(w + g)*P                  -- their bytes on a ring
      ≈ [d -> oo] m*(w + g)*P                  -- `2*m*P` values
    """,
)
