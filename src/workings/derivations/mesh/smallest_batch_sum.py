"""The smallest whole number of tokens, not overlapped."""

from typing import Any

from workings.derivation import derivation
from workings.derivations.mesh._letters import ALL
from workings.derivations.mesh._sequences import first_batch
from workings.derivations.mesh.compute_bound_batch_sum import COMPUTE_BOUND_BATCH_SUM
from workings.derivations.sources import SCALING_BOOK_MIXED
from workings.units import ONE


def add_tokens_in_turn(**letters: Any) -> int | None:
    """Tokens added one by one until compute outlasts both transfers."""
    return first_batch(1, lambda t: t.fsdp + t.tensor, **letters)


SMALLEST_BATCH_SUM = derivation(
    "smallest-batch-sum",
    title="Smallest compute-bound batch (not overlapped)",
    unit=ONE,
    noun="tokens",
    letters=ALL,
    uses={"B_star": COMPUTE_BOUND_BATCH_SUM.at()},
    source=SCALING_BOOK_MIXED,
    oracle=add_tokens_in_turn,
    convention="Large rings; the two transfers take turns (sum).",
    chain="""
    B_min = floor(B_star) + 1      -- the smallest whole number above the threshold
    """,
)
