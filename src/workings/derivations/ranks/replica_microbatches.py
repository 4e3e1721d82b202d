"""Micro-batches a replica runs in a step."""

from workings.derivation import derivation
from workings.derivations.ranks._sources import MEGATRON_NOTATION
from workings.units import ONE
from workings.vocabulary.layout import DP
from workings.vocabulary.training import BATCH, MICROBATCH


def cut_the_batch(b: int, d: int, b_m: int) -> int | None:
    """Sequences dealt to the replicas, each of which cuts its own into micro-batches."""
    mine = [sequence for sequence in range(b) if sequence % d == 0]
    pieces = [mine[start : start + b_m] for start in range(0, len(mine), b_m)]
    return len(pieces) if len(pieces[-1]) == b_m else None


REPLICA_MICROBATCHES = derivation(
    "replica-microbatches",
    title="Micro-batches a replica runs in a step",
    unit=ONE,
    noun="micro-batches",
    letters={"b": BATCH, "d": DP, "b_m": MICROBATCH},
    given=("d*b_m divides b",),
    source=MEGATRON_NOTATION,
    oracle=cut_the_batch,
    convention="All replicas run as many, each of `b_m` sequences.",
    chain="""
    m_r = (b/d)/b_m          -- a replica's sequences, `b_m` at a time
      = b/(d*b_m)            -- the same for every replica
    """,
)
