"""All-reducing the gradients in buckets."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.data_parallel._letters import SAME
from workings.derivations.data_parallel._sources import MEGATRON_BUCKETS
from workings.simulate.ring import all_reduce
from workings.units import SECOND
from workings.vocabulary.data_parallel import BUCKETS
from workings.vocabulary.hardware import BANDWIDTH, LATENCY
from workings.vocabulary.training import REDUCE_WIDTH


def send_bucket_after_bucket(
    P: int, d: int, k_b: int, g: Fraction, alpha: Fraction, W_b: Fraction
) -> Fraction:
    """Each bucket walked round the ring hop by hop; start-ups and bytes added up in seconds."""
    seconds = Fraction(0)
    for _ in range(k_b):
        walk = all_reduce(d, g * P / k_b)
        seconds += walk.hops * alpha + walk.sent[0] / W_b
    return seconds


DDP_SYNC_TIME = derivation(
    "ddp-sync-time",
    title="Time to all-reduce the gradients in buckets",
    unit=SECOND,
    letters={**SAME, "k_b": BUCKETS, "g": REDUCE_WIDTH, "alpha": LATENCY, "W_b": BANDWIDTH},
    source=MEGATRON_BUCKETS,
    oracle=send_bucket_after_bucket,
    convention="All buckets equal, one after the other, each on a ring.",
    chain="""
    T_sync = sum(2*sum(alpha + g*P/(k_b*d)/W_b, (j, 1, d - 1)), (i, 1, k_b))
                                          -- a bucket goes round twice: a start-up and `1/d` of it a hop
      = k_b*(2*(d - 1)*(alpha + g*P/(k_b*d)/W_b))      -- equal hops, equal buckets
      = 2*(d - 1)*k_b*alpha + 2*(d - 1)/d*g*P/W_b      -- buckets multiply start-ups, and bytes not at all
    """,
)
