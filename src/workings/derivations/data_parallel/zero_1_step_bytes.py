"""ZeRO-1 over several micro-batches."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives.ring import RING_ALL_GATHER, RING_REDUCE_SCATTER
from workings.derivations.data_parallel._letters import STEP
from workings.derivations.data_parallel._sources import ZERO_VOLUME_GRADIENTS
from workings.derivations.data_parallel._step import one_row
from workings.simulate.training_step import ZERO_1
from workings.units import BYTE


def scatter_once_gather_once(P: int, d: int, m: int, w: Fraction, g: Fraction) -> Fraction:
    """Real micro-batches added up locally, then scattered, updated and gathered; the bytes sent."""
    step = one_row(d, m, ZERO_1)
    return (step.scattered * g + step.gathered * w) * P


ZERO_1_STEP_BYTES = derivation(
    "zero-1-step-bytes",
    title="Bytes a device sends in a step of ZeRO-1",
    unit=BYTE,
    letters=STEP,
    uses={"V_RS": RING_REDUCE_SCATTER.at(N="d", S="g*P"), "V_AG": RING_ALL_GATHER.at(N="d", S="w*P")},
    source=ZERO_VOLUME_GRADIENTS,
    oracle=scatter_once_gather_once,
    convention="`P` is what other parallelism leaves to a rank. "
    "Gradients are added up locally and reduced after the last micro-batch.",
    chain="""
    V_z1 = V_RS + V_AG                         -- one scatter of gradients, one gather of new weights
      = (d - 1)/d*g*P + (d - 1)/d*w*P          -- their bytes on a ring
      = (d - 1)/d*(g + w)*P                    -- collect: `m` does not matter
      ≈ [d -> oo] (g + w)*P                    -- on a large ring
    """,
)
