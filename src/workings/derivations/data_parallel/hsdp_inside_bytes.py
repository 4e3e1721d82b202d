"""Hybrid sharding inside a group."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives.ring import RING_ALL_GATHER, RING_REDUCE_SCATTER
from workings.derivations.data_parallel._letters import WIDTHS
from workings.derivations.data_parallel._sources import FSDP_HYBRID
from workings.derivations.data_parallel._step import grid
from workings.simulate.training_step import ZERO_3
from workings.units import BYTE
from workings.vocabulary.layout import STATE_COPIES, STATE_RANKS
from workings.vocabulary.state import HELD
from workings.vocabulary.training import MICROBATCHES


def train_a_grid_and_watch_rows(
    P: int, N: int, n_r: int, m: int, w: Fraction, g: Fraction
) -> Fraction | None:
    """A step on a grid of real ranks; the bytes that went over the ring of a row."""
    step = grid(N, n_r, m, ZERO_3)
    return None if step is None else (step.gathered * w + step.scattered * g) * P


HSDP_INSIDE_BYTES = derivation(
    "hsdp-inside-bytes",
    title="Bytes a device sends inside its group in a step of HSDP",
    unit=BYTE,
    letters={"P": HELD, "N": STATE_RANKS, "n_r": STATE_COPIES, "m": MICROBATCHES, **WIDTHS},
    uses={"V_AG": RING_ALL_GATHER.at(S="w*P"), "V_RS": RING_REDUCE_SCATTER.at(S="g*P")},
    source=FSDP_HYBRID,
    oracle=train_a_grid_and_watch_rows,
    convention="Weights are gathered for each pass, gradients scattered after each micro-batch.",
    chain="""
    V_in = sum(2*V_AG + V_RS, (i, 1, m))       -- FSDP within the group, replicas take no part
      = m*(2*V_AG + V_RS)                      -- equal terms
      = m*(N - 1)/N*(2*w + g)*P                -- their bytes on a ring of `N`
    """,
)
