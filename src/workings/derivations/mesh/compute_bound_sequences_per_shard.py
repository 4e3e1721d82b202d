"""The overlapped threshold in whole sequences on every FSDP shard."""

from typing import Any

from workings.derivation import derivation
from workings.derivations.mesh._letters import ALL
from workings.derivations.mesh._sequences import first_batch
from workings.derivations.mesh.compute_bound_batch_max import COMPUTE_BOUND_BATCH_MAX
from workings.derivations.sources import SCALING_BOOK_MIXED
from workings.units import ONE
from workings.vocabulary.kinds import TORUS
from workings.vocabulary.training import SEQUENCE_LENGTH


def add_sequences_to_every_shard(s: int, X: int, **letters: Any) -> int | None:
    """One more sequence on every shard at a time, until compute outlasts the slower transfer."""
    tokens = first_batch(s * X, lambda t: max(t.fsdp, t.tensor), X=X, **letters)
    return tokens and tokens // s


COMPUTE_BOUND_SEQUENCES_PER_SHARD = derivation(
    "compute-bound-sequences-per-shard",
    title="Whole sequences, as many on every FSDP shard, for a compute-bound forward pass",
    unit=ONE,
    noun="sequences",
    letters={**ALL, "s": SEQUENCE_LENGTH},
    uses={"B_star": COMPUTE_BOUND_BATCH_MAX.at()},
    source=SCALING_BOOK_MIXED,
    oracle=add_sequences_to_every_shard,
    holds_for={TORUS: "compute-bound-sequences-per-shard-sum"},
    convention="Large rings; both transfers and the compute run at the same time (max).",
    chain="""
    b_even = X*(floor(B_star/(X*s)) + 1)    -- a whole number on each of `X` shards
    """,
)
