"""A backward pass that reduces its gradients bucket by bucket."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.data_parallel._sources import DDP_NOTES
from workings.simulate.prefetch import ddp_backward
from workings.units import SECOND
from workings.vocabulary.data_parallel import BUCKET_BACKWARD, BUCKET_REDUCE, BUCKETS


def run_buckets(k_b: int, T_c: Fraction, T_a: Fraction) -> Fraction:
    """Each bucket all-reduced on a second stream once it is full; when the last one ends."""
    return ddp_backward(k_b, T_c, T_a).makespan


DDP_BACKWARD_TIME = derivation(
    "ddp-backward-time",
    title="Backward pass of DDP with its gradients' all-reduce",
    unit=SECOND,
    letters={"k_b": BUCKETS, "T_c": BUCKET_BACKWARD, "T_a": BUCKET_REDUCE},
    source=DDP_NOTES,
    oracle=run_buckets,
    convention="A bucket is all-reduced while the next one is computed; all buckets are equal.",
    chain="""
    T_ddp = T_c + sum(max(T_c, T_a), (i, 1, k_b - 1)) + T_a
                                      -- first bucket; then the slower of computing one and reducing one
      = T_c + (k_b - 1)*max(T_c, T_a) + T_a      -- equal buckets; the last reduce hides behind nothing
    """,
)
