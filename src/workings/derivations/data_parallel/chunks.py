"""Chunks of an interleaved pipeline.

A rank of an interleaved schedule holds several chunks of the model. It can gather the weights of one
while it computes another and reduce gradients in the same way, so that of all its data-parallel
transfers only the first gather and the last reduce-scatter show. The first gather can also be started
while the data of the step is loaded, and then one is left.
"""

from fractions import Fraction

from workings.derivation import Source, derivation, like
from workings.units import ONE
from workings.vocabulary.data_parallel import UNIT_GATHER, UNIT_REDUCE
from workings.vocabulary.layout import VIRTUAL_STAGES

MEGASCALE = Source(
    "Jiang et al.",
    "MegaScale: Scaling Large Language Model Training to More Than 10,000 GPUs",
    2024,
    "section 3.2, “Overlapping in data parallelism”",
    "https://arxiv.org/abs/2402.15627",
)


def exposed_share(v: int, T_g: Fraction, T_r: Fraction, ahead: int) -> Fraction:
    """Chunks run forward and back beside a link that gathers and reduces; idle over transfer time.

    The first `ahead` gathers are done before the step begins.
    """
    work = T_g + T_r + 1
    clock = link = sending = Fraction(0)
    for chunk in range(v):
        if chunk >= ahead:
            link += T_g
        sending += T_g
        clock = max(clock, link) + work
    for _ in range(v):
        clock += 2 * work
        link = max(link, clock) + T_r
        sending += T_r
    return (max(clock, link) - 3 * v * work) / sending


def wait_for_first_and_last(v: int, T_g: Fraction, T_r: Fraction) -> Fraction:
    """Chunks run forward and back by the clock beside their transfers; what is waited, over all."""
    return exposed_share(v, T_g, T_r, 0)


CHUNKED_SYNC_EXPOSED = derivation(
    "chunked-sync-exposed",
    title="Share of a rank's data-parallel transfers that chunks of an interleaved pipeline do not hide",
    phrases="exposed data-parallel communication with virtual pipeline; only the first all-gather and "
    "the last reduce-scatter show; DP overlap on a model chunk basis; 1/vpp_size; MegaScale overlap in "
    "data parallelism; exposed DP communication per model chunk",
    unit=ONE,
    letters={"v": VIRTUAL_STAGES, "T_g": UNIT_GATHER, "T_r": UNIT_REDUCE},
    given=("T_g + T_r > 0[s] -- without transfers there is no share of them",),
    source=MEGASCALE,
    oracle=wait_for_first_and_last,
    convention="Each chunk's weights are gathered before its first forward and its gradients reduced "
    "after its last backward; computing a chunk takes longer than either.",
    leaves_out="Optimizer step, and transfers of other axes on the same link.",
    chain="""
    x_v = (T_g + T_r)/(sum(T_g, (i, 1, v)) + sum(T_r, (i, 1, v)))   -- first gather, last reduce-scatter
      = 1/v                                                        -- of `v` each
    """,
)


def wait_for_the_last(v: int, T_g: Fraction, T_r: Fraction) -> Fraction:
    """The same run with the first chunk gathered beforehand; what is waited, over all transfers."""
    return exposed_share(v, T_g, T_r, 1)


CHUNKED_SYNC_PREFETCHED = like(
    "chunked-sync-prefetched",
    CHUNKED_SYNC_EXPOSED,
    title="Share of a rank's data-parallel transfers that chunks do not hide, first gather prefetched",
    phrases="prefetch the first all-gather while data loads; 1/(2*vpp_size); MegaScale reduces "
    "communication time by 1/(2 vpp_size); FSDP-style prefetching at the start of each iteration; "
    "exposed reduce-scatter of the last chunk; data-parallel communication after pre-fetching",
    oracle=wait_for_the_last,
    convention="As without prefetching, but the first gather is done while the step's data is loaded. "
    "Gather and reduce-scatter move as many values, so with equal widths the share is `1/(2*v)`.",
    chain="""
    x_pre = T_r/(sum(T_g, (i, 1, v)) + sum(T_r, (i, 1, v)))   -- only the last reduce-scatter
      = T_r/(v*(T_g + T_r))                                   -- half of what shows without
    """,
)
