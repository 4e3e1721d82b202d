"""DDP that synchronises every micro-batch."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives.ring import RING_ALL_REDUCE
from workings.derivations.data_parallel._letters import SAME_STEP
from workings.derivations.data_parallel._sources import DDP_NO_SYNC
from workings.derivations.data_parallel._step import one_column
from workings.simulate.training_step import DDP_SYNC_EACH
from workings.units import BYTE


def sync_every_micro_batch(P: int, d: int, m: int, g: Fraction) -> Fraction:
    """Real micro-batches, each all-reduced after its backward; the bytes sent."""
    return one_column(d, m, DDP_SYNC_EACH).all_reduced * g * P


DDP_SYNCED_STEP_BYTES = derivation(
    "ddp-synced-step-bytes",
    title="Bytes a device sends in a step of DDP (synchronised every micro-batch)",
    unit=BYTE,
    letters=SAME_STEP,
    uses={"V": RING_ALL_REDUCE.at(N="d", S="g*P")},
    source=DDP_NO_SYNC,
    oracle=sync_every_micro_batch,
    convention="Without `no_sync`, every backward all-reduces its gradients.",
    chain="""
    V_each = sum(V, (i, 1, m))       -- an all-reduce for each micro-batch
      = m*V                          -- equal terms
      = 2*m*(d - 1)/d*g*P            -- its bytes on a ring
      ≈ [d -> oo] 2*m*g*P            -- on a large ring
    """,
)
