"""What sharding the optimizer moves."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.data_parallel._letters import VOLUME
from workings.derivations.data_parallel._sources import ZERO_VOLUME_GRADIENTS
from workings.derivations.data_parallel._step import one_row
from workings.simulate.training_step import ZERO_1
from workings.units import ONE


def train_with_sharded_optimizer(P: int, d: int) -> Fraction:
    """A step on real vectors, each rank updating its shard; the values a rank sent."""
    step = one_row(d, 1, ZERO_1)
    return (step.scattered + step.gathered) * P


ZERO_1_VOLUME = derivation(
    "zero-1-volume",
    title="Parameters a device sends in a step of ZeRO-1",
    unit=ONE,
    noun="parameters",
    fractional="in the mean over the ranks",
    letters=VOLUME,
    source=ZERO_VOLUME_GRADIENTS,
    oracle=train_with_sharded_optimizer,
    convention="One micro-batch a step; collectives on a ring.",
    chain="""
    Q_1 = sum(P/d, (i, 1, d - 1)) + sum(P/d, (i, 1, d - 1))
                                   -- gradients are reduce-scattered, updated weights gathered
      = 2*(d - 1)/d*P              -- the update stands between the halves of an all-reduce
      <= 2*P                       -- no more than DDP
      ≈ [d -> oo] 2*P              -- on a large ring
    """,
)
