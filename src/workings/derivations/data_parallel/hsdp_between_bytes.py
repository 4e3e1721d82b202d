"""Hybrid sharding between groups."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives.ring import RING_ALL_REDUCE
from workings.derivations.data_parallel._sources import FSDP_HYBRID
from workings.derivations.data_parallel._step import grid
from workings.simulate.training_step import ZERO_3
from workings.units import BYTE
from workings.vocabulary.layout import STATE_COPIES, STATE_RANKS
from workings.vocabulary.state import HELD
from workings.vocabulary.training import MICROBATCHES, REDUCE_WIDTH


def train_a_grid_and_watch_columns(P: int, N: int, n_r: int, m: int, g: Fraction) -> Fraction | None:
    """A step on a grid of real ranks; the bytes that went over the ring of a column."""
    step = grid(N, n_r, m, ZERO_3)
    return None if step is None else step.all_reduced * g * P


HSDP_BETWEEN_BYTES = derivation(
    "hsdp-between-bytes",
    title="Bytes a device sends to other groups in a step of HSDP",
    unit=BYTE,
    letters={
        "P": HELD,
        "N": STATE_RANKS,
        "n_r": STATE_COPIES,
        "m": MICROBATCHES,
        "g": REDUCE_WIDTH,
    },
    uses={"V": RING_ALL_REDUCE.at(N="n_r", S="g*P/N")},
    source=FSDP_HYBRID,
    oracle=train_a_grid_and_watch_columns,
    convention="Scattered gradients are added up, and all-reduced between replicas once a step. "
    "For hosts of G among W devices the source prints 2M(W - 1)/(GW); the ring gives 2M(W - G)/(GW).",
    chain="""
    V_out = V                        -- one all-reduce of a shard among its `n_r` copies
      = 2*(n_r - 1)/n_r*(g*P/N)      -- its bytes on a ring of `n_r`
      = 2*(n_r - 1)/(n_r*N)*g*P      -- collect
      <= 2*g*P/N                     -- at most `1/N` of two model sizes, the most that DDP sends
    """,
)
