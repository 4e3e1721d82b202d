"""What a step waits for gradients."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.data_parallel._sources import NEMO_OVERLAP
from workings.derivations.data_parallel.ddp_backward_time import DDP_BACKWARD_TIME
from workings.simulate.prefetch import ddp_backward
from workings.units import SECOND
from workings.vocabulary.data_parallel import BUCKET_BACKWARD, BUCKET_REDUCE, BUCKETS


def wait_for_buckets(k_b: int, T_c: Fraction, T_a: Fraction) -> Fraction:
    """Both streams run bucket by bucket; the time in which nothing is computed."""
    timeline = ddp_backward(k_b, T_c, T_a)
    return timeline.makespan - timeline.busy("compute")


DDP_EXPOSED_TIME = derivation(
    "ddp-exposed-time",
    title="All-reduce time that the backward of DDP does not hide",
    unit=SECOND,
    letters={"k_b": BUCKETS, "T_c": BUCKET_BACKWARD, "T_a": BUCKET_REDUCE},
    uses={"T_ddp": DDP_BACKWARD_TIME.at()},
    source=NEMO_OVERLAP,
    oracle=wait_for_buckets,
    convention="The backward's compute takes `k_b*T_c`, the all-reduce of all gradients `k_b*T_a`.",
    chain="""
    X_ddp = T_ddp - k_b*T_c                                  -- the pass, less its compute
      = T_a + (k_b - 1)*(max(T_c, T_a) - T_c)                -- put the pass in, collect
      = T_a + (k_b - 1)*max(0[s], T_a - T_c)     -- the last bucket always shows; others by their excess
      = T_a + (k_b - 1)/k_b*max(0[s], k_b*T_a - k_b*T_c)
                                 -- one bucket, and of many buckets nearly all the excess of the whole
    """,
)
