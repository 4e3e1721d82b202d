"""FSDP that adds gradients up without communicating them."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives.ring import RING_ALL_GATHER, RING_REDUCE_SCATTER
from workings.derivations.data_parallel._letters import STEP
from workings.derivations.data_parallel._sources import FSDP_ACCUMULATION
from workings.derivations.data_parallel._step import one_row
from workings.simulate.training_step import ZERO_3_NO_SYNC
from workings.units import BYTE


def scatter_after_the_last(P: int, d: int, m: int, w: Fraction, g: Fraction) -> Fraction:
    """Real micro-batches, weights gathered for each pass, gradients scattered at the end."""
    step = one_row(d, m, ZERO_3_NO_SYNC)
    return (step.scattered * g + step.gathered * w) * P


FSDP_NO_SYNC_STEP_BYTES = derivation(
    "fsdp-no-sync-step-bytes",
    title="Bytes a device sends in a step of FSDP that reduces gradients once",
    unit=BYTE,
    letters=STEP,
    uses={"V_AG": RING_ALL_GATHER.at(N="d", S="w*P"), "V_RS": RING_REDUCE_SCATTER.at(N="d", S="g*P")},
    source=FSDP_ACCUMULATION,
    oracle=scatter_after_the_last,
    convention="Weights are freed after each pass; gradients stay whole until the last micro-batch.",
    chain="""
    V_ns = sum(V_AG + V_AG, (i, 1, m)) + V_RS  -- two gathers a micro-batch, one scatter a step
      = 2*m*V_AG + V_RS                        -- equal terms
      = (d - 1)/d*(2*m*w + g)*P                -- their bytes on a ring
      ≈ [d -> oo] (2*m*w + g)*P                -- `(2*m + 1)*P` values
    """,
)
