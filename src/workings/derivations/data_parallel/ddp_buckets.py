"""How many buckets the gradients fill."""

from workings.derivation import derivation
from workings.derivations.data_parallel._sources import MEGATRON_BUCKETS
from workings.units import ONE
from workings.vocabulary.data_parallel import BUCKET_PARAMETERS
from workings.vocabulary.state import HELD


def fill_buckets(P: int, P_b: int) -> int:
    """Gradients put in one by one, last parameter first, a new bucket opened when one is full."""
    buckets: list[list[int]] = []
    for parameter in reversed(range(P)):
        if not buckets or len(buckets[-1]) == P_b:
            buckets.append([])
        buckets[-1].append(parameter)
    return len(buckets)


DDP_BUCKETS = derivation(
    "ddp-buckets",
    title="Gradient buckets",
    unit=ONE,
    noun="buckets",
    letters={"P": HELD, "P_b": BUCKET_PARAMETERS},
    source=MEGATRON_BUCKETS,
    oracle=fill_buckets,
    leaves_out="Tensors that a bucket takes or leaves as a whole.",
    chain="""
    n_b = ceil(P/P_b)       -- a bucket that is only partly filled is still sent
    """,
)
