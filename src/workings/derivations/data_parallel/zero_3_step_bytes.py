"""ZeRO-3 over several micro-batches."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives.ring import RING_ALL_GATHER, RING_REDUCE_SCATTER
from workings.derivations.data_parallel._letters import STEP
from workings.derivations.data_parallel._sources import FULLY_SHARD
from workings.derivations.data_parallel._step import one_row
from workings.simulate.training_step import ZERO_3
from workings.units import BYTE


def gather_for_every_pass(P: int, d: int, m: int, w: Fraction, g: Fraction) -> Fraction:
    """Real micro-batches, weights gathered before each pass and freed after it; the bytes sent."""
    step = one_row(d, m, ZERO_3)
    return (step.scattered * g + step.gathered * w) * P


ZERO_3_STEP_BYTES = derivation(
    "zero-3-step-bytes",
    title="Bytes a device sends in a step of ZeRO-3 (FSDP, resharding after forward)",
    unit=BYTE,
    letters=STEP,
    uses={"V_AG": RING_ALL_GATHER.at(N="d", S="w*P"), "V_RS": RING_REDUCE_SCATTER.at(N="d", S="g*P")},
    source=FULLY_SHARD,
    oracle=gather_for_every_pass,
    convention="`P` is what other parallelism leaves to a rank. "
    "`reshard_after_forward=True`: weights are freed after each forward and backward.",
    leaves_out="The outermost unit, whose weights stay from forward to backward.",
    chain="""
    V_z3 = sum(V_AG + V_AG + V_RS, (i, 1, m))  -- each micro-batch gathers twice and scatters once
      = m*(2*V_AG + V_RS)                      -- equal terms
      = m*(d - 1)/d*(2*w + g)*P                -- their bytes on a ring
      ≈ [d -> oo] m*(2*w + g)*P                -- `3*m*P` values
    """,
)
