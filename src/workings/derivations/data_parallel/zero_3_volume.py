"""What sharding the weights too moves."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.data_parallel._letters import VOLUME
from workings.derivations.data_parallel._sources import ZERO_VOLUME_PARAMETERS
from workings.derivations.data_parallel._step import one_row
from workings.simulate.training_step import ZERO_3
from workings.units import ONE


def train_with_sharded_weights(P: int, d: int) -> Fraction:
    """A step on real vectors, weights gathered for each pass; the values a rank sent."""
    step = one_row(d, 1, ZERO_3)
    return (step.scattered + step.gathered) * P


ZERO_3_VOLUME = derivation(
    "zero-3-volume",
    title="Parameters a device sends in a step of ZeRO-3",
    unit=ONE,
    noun="parameters",
    fractional="in the mean over the ranks",
    letters=VOLUME,
    source=ZERO_VOLUME_PARAMETERS,
    oracle=train_with_sharded_weights,
    convention="One micro-batch a step; weights are freed after the forward; collectives on a ring.",
    chain="""
    Q_3 = 2*sum(P/d, (i, 1, d - 1)) + sum(P/d, (i, 1, d - 1))
                                   -- weights gathered for forward and backward, gradients scattered
      = 3*(d - 1)*(P/d)            -- three times round the ring
      = 3*(d - 1)/d*P              -- collect
      <= 3*P                       -- `d - 1 < d`
      ≈ [d -> oo] 3*P              -- on a large ring, three model sizes
    """,
)
