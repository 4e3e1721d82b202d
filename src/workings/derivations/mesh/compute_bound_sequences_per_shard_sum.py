"""The threshold in whole sequences on every FSDP shard, not overlapped."""

from typing import Any

from workings.derivation import derivation
from workings.derivations.mesh._letters import ALL
from workings.derivations.mesh._sequences import first_batch
from workings.derivations.mesh.compute_bound_batch_sum import COMPUTE_BOUND_BATCH_SUM
from workings.derivations.sources import SCALING_BOOK_MIXED
from workings.units import ONE
from workings.vocabulary.training import SEQUENCE_LENGTH


def add_sequences_to_every_shard_in_turn(s: int, X: int, **letters: Any) -> int | None:
    """One more sequence on every shard at a time, until compute outlasts both transfers."""
    tokens = first_batch(s * X, lambda t: t.fsdp + t.tensor, X=X, **letters)
    return tokens and tokens // s


COMPUTE_BOUND_SEQUENCES_PER_SHARD_SUM = derivation(
    "compute-bound-sequences-per-shard-sum",
    title="Whole sequences, as many on every FSDP shard, for a compute-bound forward (not overlapped)",
    unit=ONE,
    noun="sequences",
    letters={**ALL, "s": SEQUENCE_LENGTH},
    uses={"B_star": COMPUTE_BOUND_BATCH_SUM.at()},
    source=SCALING_BOOK_MIXED,
    oracle=add_sequences_to_every_shard_in_turn,
    convention="Large rings; the two transfers take turns (sum), beside the compute.",
    chain="""
    b_each = X*(floor(B_star/(X*s)) + 1)    -- a whole number on each of `X` shards
    """,
)
