"""DDP that synchronises once a step."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives.ring import RING_ALL_REDUCE
from workings.derivations.data_parallel._letters import SAME_STEP
from workings.derivations.data_parallel._sources import DDP_NO_SYNC
from workings.derivations.data_parallel._step import one_column
from workings.simulate.training_step import DDP
from workings.units import BYTE


def accumulate_then_sync(P: int, d: int, m: int, g: Fraction) -> Fraction:
    """Real micro-batches added up on each replica and all-reduced at the end; the bytes sent."""
    return one_column(d, m, DDP).all_reduced * g * P


DDP_STEP_BYTES = derivation(
    "ddp-step-bytes",
    title="Bytes a device sends in a step of DDP (synchronised once)",
    unit=BYTE,
    letters=SAME_STEP,
    uses={"V": RING_ALL_REDUCE.at(N="d", S="g*P")},
    source=DDP_NO_SYNC,
    oracle=accumulate_then_sync,
    convention="`P` is what other parallelism leaves to a rank. "
    "`no_sync` around all micro-batches but the last: gradients are added up locally.",
    chain="""
    V_ddp = V                        -- one all-reduce of all gradients, for any number of micro-batches
      = 2*(d - 1)/d*g*P              -- its bytes on a ring
      ≈ [d -> oo] 2*g*P              -- on a large ring
    """,
)
