"""The price of sharding the weights."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.data_parallel._letters import VOLUME
from workings.derivations.data_parallel._sources import ZERO_VOLUME_PARAMETERS
from workings.derivations.data_parallel._step import one_column, one_row
from workings.derivations.data_parallel.ddp_volume import DDP_VOLUME
from workings.derivations.data_parallel.zero_3_volume import ZERO_3_VOLUME
from workings.simulate.training_step import DDP, ZERO_3
from workings.units import ONE


def train_both_ways(P: int, d: int) -> Fraction:
    """The same step run sharded and replicated, and what a rank sent in each."""
    sharded = one_row(d, 1, ZERO_3)
    return (sharded.scattered + sharded.gathered) / one_column(d, 1, DDP).all_reduced


ZERO_3_OVER_DDP = derivation(
    "zero-3-over-ddp",
    title="Communication of ZeRO-3 over that of DDP",
    unit=ONE,
    letters=VOLUME,
    uses={"Q_3": ZERO_3_VOLUME.at(), "Q_ddp": DDP_VOLUME.at()},
    given=("d > 1",),
    source=ZERO_VOLUME_PARAMETERS,
    oracle=train_both_ways,
    convention="Weights and gradients take the same number of bytes.",
    chain="""
    r_3 = Q_3/Q_ddp                               -- what one sends over what the other sends
      = (3*(d - 1)/d*P)/(2*(d - 1)/d*P)           -- put both in
      = 3/2                                       -- cancel: the same on every ring
    """,
)
