"""The overlapped threshold in whole sequences."""

from typing import Any

from workings.derivation import derivation
from workings.derivations.mesh._letters import ALL
from workings.derivations.mesh._sequences import first_batch
from workings.derivations.mesh.compute_bound_batch_max import COMPUTE_BOUND_BATCH_MAX
from workings.derivations.sources import SCALING_BOOK_MIXED
from workings.units import ONE
from workings.vocabulary.kinds import TORUS
from workings.vocabulary.training import SEQUENCE_LENGTH


def add_sequences(s: int, **letters: Any) -> int | None:
    """Sequences added one by one until compute outlasts the slower transfer."""
    tokens = first_batch(s, lambda t: max(t.fsdp, t.tensor), **letters)
    return tokens and tokens // s


COMPUTE_BOUND_SEQUENCES = derivation(
    "compute-bound-sequences",
    title="Whole sequences from which the forward pass is compute-bound",
    unit=ONE,
    noun="sequences",
    letters={**ALL, "s": SEQUENCE_LENGTH},
    uses={"B_star": COMPUTE_BOUND_BATCH_MAX.at()},
    source=SCALING_BOOK_MIXED,
    oracle=add_sequences,
    holds_for={TORUS: "compute-bound-sequences-sum"},
    convention="Large rings; both transfers and the compute run at the same time (max).",
    chain="""
    b_min = floor(B_star/s) + 1    -- the smallest whole number of `s` tokens above the threshold
    """,
)
