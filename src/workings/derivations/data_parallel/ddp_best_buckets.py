"""The best number of buckets where communication is the slower."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.data_parallel._sources import MEGATRON_BUCKETS
from workings.simulate.prefetch import ddp_backward
from workings.simulate.search import golden_bracket
from workings.units import SECOND
from workings.vocabulary.data_parallel import (
    ALL_REDUCE_BYTES_TIME,
    BACKWARD,
    BUCKET_STARTUP,
    BUCKETS_REAL,
)


def search_bucket_counts(
    T_B: Fraction, k_b: Fraction, T_0: Fraction, T_x: Fraction
) -> tuple[Fraction, Fraction]:
    """A search over the number of buckets, its times those of buckets run on two streams."""

    def end(buckets: Fraction) -> Fraction:
        return T_B / buckets + buckets * T_0 + T_x

    for whole in (1, 2, 5, 9):
        timeline = ddp_backward(whole, T_B / whole, T_0 + T_x / whole)
        if timeline.makespan != end(Fraction(whole)):
            raise AssertionError("The search looks at other times than the streams have.")
    return golden_bracket(end, 0, Fraction(10**6), 120)


DDP_BEST_BUCKETS = derivation(
    "ddp-best-buckets",
    title="Least time of a backward whose all-reduce is the slower",
    unit=SECOND,
    letters={
        "T_B": BACKWARD,
        "k_b": BUCKETS_REAL,
        "T_0": BUCKET_STARTUP,
        "T_x": ALL_REDUCE_BYTES_TIME,
    },
    given=("T_x >= T_B",),
    source=MEGATRON_BUCKETS,
    oracle=search_bucket_counts,
    convention="The number of buckets taken as a real number; on a ring, `T_0` is a start-up a hop.",
    leaves_out="Where compute is the slower, only the last bucket shows: the more buckets, the smaller.",
    chain="""
    T_best = T_B/k_b + k_b*(T_0 + T_x/k_b)
                             -- until the first bucket is full; then one all-reduce after the other
      = T_B/k_b + k_b*T_0 + T_x      -- only the start-ups grow with the number of buckets
      minimise over k_b at sqrt(T_B/T_0) = 2*sqrt(T_B*T_0) + T_x
                             -- least where waiting for the first and all start-ups are equal
    """,
)
