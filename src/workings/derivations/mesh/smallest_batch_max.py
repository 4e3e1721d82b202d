"""The smallest whole number of tokens, overlapped."""

from typing import Any

from workings.derivation import derivation
from workings.derivations.mesh._letters import ALL
from workings.derivations.mesh._sequences import first_batch
from workings.derivations.mesh.compute_bound_batch_max import COMPUTE_BOUND_BATCH_MAX
from workings.derivations.sources import SCALING_BOOK_MIXED
from workings.units import ONE
from workings.vocabulary.kinds import TORUS


def add_tokens_overlapped(**letters: Any) -> int | None:
    """Tokens added one by one until compute outlasts the slower transfer."""
    return first_batch(1, lambda t: max(t.fsdp, t.tensor), **letters)


SMALLEST_BATCH_MAX = derivation(
    "smallest-batch-max",
    title="Smallest compute-bound batch (overlapped)",
    unit=ONE,
    noun="tokens",
    letters=ALL,
    uses={"B_star": COMPUTE_BOUND_BATCH_MAX.at()},
    source=SCALING_BOOK_MIXED,
    oracle=add_tokens_overlapped,
    holds_for={TORUS: "smallest-batch-sum"},
    convention="Large rings; both transfers and the compute run at the same time (max).",
    chain="""
    B_min = floor(B_star) + 1      -- the smallest whole number above the threshold
    """,
)
