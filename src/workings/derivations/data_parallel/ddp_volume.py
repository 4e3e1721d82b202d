"""What plain data parallelism moves."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.data_parallel._letters import SAME
from workings.derivations.data_parallel._sources import ZERO_VOLUME_DP
from workings.derivations.data_parallel._step import one_column
from workings.simulate.training_step import DDP
from workings.units import ONE


def train_replicas(P: int, d: int) -> Fraction:
    """A step on real vectors whose weights match a single device's; the values a rank sent."""
    return one_column(d, 1, DDP).all_reduced * P


DDP_VOLUME = derivation(
    "ddp-volume",
    title="Parameters a device sends in a step of DDP",
    unit=ONE,
    noun="parameters",
    fractional="in the mean over the ranks",
    letters=SAME,
    source=ZERO_VOLUME_DP,
    oracle=train_replicas,
    convention="One micro-batch a step; all-reduce on a ring; each direction of a link counted once.",
    chain="""
    Q_ddp = sum(P/d, (i, 1, d - 1)) + sum(P/d, (i, 1, d - 1))
                                   -- sums go round a ring of `d` in chunks of `P/d`, then go round again
      = 2*(d - 1)*(P/d)            -- `d - 1` equal terms, twice
      = 2*(d - 1)/d*P              -- collect
      <= 2*P                       -- `d - 1 < d`
      ≈ [d -> oo] 2*P              -- on a large ring, two model sizes
    """,
)
