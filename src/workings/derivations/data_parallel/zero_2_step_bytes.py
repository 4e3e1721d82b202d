"""ZeRO-2 over several micro-batches."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives.ring import RING_ALL_GATHER, RING_REDUCE_SCATTER
from workings.derivations.data_parallel._letters import STEP
from workings.derivations.data_parallel._sources import ZERO_2_ACCUMULATION
from workings.derivations.data_parallel._step import one_row
from workings.simulate.training_step import ZERO_2
from workings.units import BYTE


def scatter_every_micro_batch(P: int, d: int, m: int, w: Fraction, g: Fraction) -> Fraction:
    """Real micro-batches, each scattered after its backward; the bytes sent in the step."""
    step = one_row(d, m, ZERO_2)
    return (step.scattered * g + step.gathered * w) * P


ZERO_2_STEP_BYTES = derivation(
    "zero-2-step-bytes",
    title="Bytes a device sends in a step of ZeRO-2",
    unit=BYTE,
    letters=STEP,
    uses={"V_RS": RING_REDUCE_SCATTER.at(N="d", S="g*P"), "V_AG": RING_ALL_GATHER.at(N="d", S="w*P")},
    source=ZERO_2_ACCUMULATION,
    oracle=scatter_every_micro_batch,
    convention="`P` is what other parallelism leaves to a rank. "
    "Each device keeps the sums of its own shard only, so every micro-batch is scattered.",
    chain="""
    V_z2 = sum(V_RS, (i, 1, m)) + V_AG         -- a scatter a micro-batch, one gather of new weights
      = m*V_RS + V_AG                          -- equal terms
      = (d - 1)/d*(m*g + w)*P                  -- their bytes on a ring
      ≈ [d -> oo] (m*g + w)*P                  -- `(m + 1)*P` values, where ZeRO-1 sends `2*P`
    """,
)
