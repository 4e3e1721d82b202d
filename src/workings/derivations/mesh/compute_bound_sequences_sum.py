"""The threshold in whole sequences, not overlapped."""

from typing import Any

from workings.derivation import derivation
from workings.derivations.mesh._letters import ALL
from workings.derivations.mesh._sequences import first_batch
from workings.derivations.mesh.compute_bound_batch_sum import COMPUTE_BOUND_BATCH_SUM
from workings.derivations.sources import SCALING_BOOK_MIXED
from workings.units import ONE
from workings.vocabulary.training import SEQUENCE_LENGTH


def add_sequences_in_turn(s: int, **letters: Any) -> int | None:
    """Sequences added one by one until compute outlasts both transfers."""
    tokens = first_batch(s, lambda t: t.fsdp + t.tensor, **letters)
    return tokens and tokens // s


COMPUTE_BOUND_SEQUENCES_SUM = derivation(
    "compute-bound-sequences-sum",
    title="Whole sequences from which the forward pass is compute-bound (not overlapped)",
    unit=ONE,
    noun="sequences",
    letters={**ALL, "s": SEQUENCE_LENGTH},
    uses={"B_star": COMPUTE_BOUND_BATCH_SUM.at()},
    source=SCALING_BOOK_MIXED,
    oracle=add_sequences_in_turn,
    convention="Large rings; the two transfers take turns (sum), beside the compute.",
    chain="""
    b_turn = floor(B_star/s) + 1    -- the smallest whole number of `s` tokens above the threshold
    """,
)
