"""How full the last bucket is."""

from workings.derivation import derivation
from workings.derivations.data_parallel._sources import DDP_NOTES
from workings.derivations.data_parallel.ddp_buckets import DDP_BUCKETS
from workings.units import ONE
from workings.vocabulary.data_parallel import BUCKET_PARAMETERS
from workings.vocabulary.state import HELD


def empty_full_buckets(P: int, P_b: int) -> int:
    """Full buckets sent off one after the other, and what is left for the last."""
    left = P
    while left > P_b:
        left -= P_b
    return left


DDP_LAST_BUCKET = derivation(
    "ddp-last-bucket",
    title="Gradients in the last bucket",
    unit=ONE,
    noun="parameters",
    letters={"P": HELD, "P_b": BUCKET_PARAMETERS},
    uses={"n_b": DDP_BUCKETS.at()},
    source=DDP_NOTES,
    oracle=empty_full_buckets,
    convention="Buckets fill in the order of the backward: the first layers' gradients come last.",
    chain="""
    P_last = P - (n_b - 1)*P_b              -- what all the full ones before it leave
      = P - (ceil(P/P_b) - 1)*P_b           -- put the buckets in
    """,
)
