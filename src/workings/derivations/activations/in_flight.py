"""Micro-batches in flight.

A stage holds a micro-batch's activations from its forward to its backward, so what it keeps is what a
block saves times the micro-batches in between. GPipe runs all forwards first and holds them all. 1F1B
starts a backward as soon as it can, and the first stage holds no more than there are stages. Interleaving
gives a rank several chunks, each a part of a micro-batch, and holds somewhat more; two chunks laid out as
a V hold equally much on every rank, and no rank waits. Stages are counted from 0.
"""

from fractions import Fraction

from workings.derivation import derivation, like, only_if
from workings.derivations.activations._sources import PIPELINE_EQ_5, ZB_V
from workings.derivations.sources import GPIPE, megatron_lm
from workings.simulate.peak import gpipe_order, in_flight, interleaved_order, one_f_one_b_order
from workings.simulate.zero_bubble_v import fewest_held, zb_v
from workings.units import ONE
from workings.vocabulary.layout import STAGES, VIRTUAL_STAGES
from workings.vocabulary.ranks import PP_INDEX
from workings.vocabulary.training import MICROBATCHES


def run_gpipe(m: int, p: int, k: int) -> Fraction:
    """The schedule run task by task; the most micro-batches the stage holds at once."""
    return in_flight(gpipe_order, p, m, k)


IN_FLIGHT_GPIPE = derivation(
    "in-flight-gpipe",
    title="Micro-batches in flight under GPipe",
    phrases="outstanding microbatches in GPipe; GPipe keeps all m alive; live microbatches "
    "all-forward-all-backward; live microbatches all-forward- all-backward; AFAB activation stash "
    "count; why does GPipe OOM with more microbatches; fill-drain outstanding microbatches; all "
    "microbatches stored at once",
    unit=ONE,
    noun="micro-batches",
    letters={"m": MICROBATCHES, "p": STAGES, "k": PP_INDEX},
    given=("k < p",),
    source=GPIPE,
    oracle=run_gpipe,
    convention="The same on every stage, the first and the last.",
    chain="""
    n_g = sum(1, (i, 1, m))       -- all forwards of a stage come before its first backward
      = m                         -- so none of the micro-batches has been given back
    """,
)


def run_1f1b(m: int, p: int, k: int) -> Fraction:
    """The schedule run task by task on all stages; the most micro-batches this stage holds at once."""
    return in_flight(one_f_one_b_order, p, m, k)


IN_FLIGHT_1F1B = like(
    "in-flight-1f1b",
    IN_FLIGHT_GPIPE,
    title="Micro-batches in flight on a stage under 1F1B",
    phrases="outstanding microbatches in 1F1B; min(m, p - k); warm-up depth of stage k; live "
    "microbatches per stage PipeDream-Flush; why does PP rank 0 use most memory; number of warmup "
    "microbatches plus one; how many microbatches alive per stage; outstanding forwards waiting for "
    "their backward; one-forward-one-backward stash depth",
    source=PIPELINE_EQ_5,
    oracle=run_1f1b,
    convention="Stages are counted from 0: the first holds the most.",
    chain="""
    n_f = min(m, (p - 1 - k) + 1)
                       -- a warm-up forward for each stage that follows, and one before the first backward
      = min(m, p - k)  -- then a backward gives one back before each forward
    """,
)


def run_interleaved(m: int, p: int, v: int) -> Fraction | None:
    """The schedule run chunk by chunk on all ranks; the most chunks the first holds, over `v`."""
    if m * p * v > 1_000:
        return None
    return in_flight(interleaved_order, p, m, 0, v)


IN_FLIGHT_INTERLEAVED = derivation(
    "in-flight-interleaved",
    title="Micro-batches in flight on the first rank under interleaved 1F1B",
    phrases="outstanding microbatches with virtual stages; interleaved schedule live chunks; p + "
    "(p-1)/v in flight; VPP warm-up microbatches; VPP warmup microbatches on rank 0",
    unit=ONE,
    noun="micro-batches",
    fractional="a chunk in flight counts as `1/v` of a micro-batch",
    letters={"m": MICROBATCHES, "p": STAGES, "v": VIRTUAL_STAGES},
    given=("v > 1", "p divides m"),
    source=megatron_lm("megatron/core/pipeline_parallel/schedules.py", "get_pp_rank_microbatches"),
    oracle=run_interleaved,
    convention="A chunk keeps `1/v` of the rank's blocks.",
    chain="""
    n_i = min(m*v, 2*(p - 1) + (v - 1)*p + 1)/v
                       -- warm-up forwards of chunks, and the one before the first backward; in chunks
      = min(m*v, v*p + p - 1)/v      -- collect
      = min(m, p + (p - 1)/v)        -- divide both by the chunks of a rank
    """,
)


def run_round_the_v(m: int, p: int, k: int) -> Fraction:
    """ZB-V run with the fewest chunks in flight with which no rank waits; a rank's most, in halves."""
    only_if(p * m <= 120)
    return Fraction(zb_v(p, m, fewest_held(p, m)).in_flight_peak(k), 2)


IN_FLIGHT_ZB_V = derivation(
    "in-flight-zb-v",
    title="Micro-batches in flight on a rank under ZB-V",
    phrases="outstanding microbatches with ZB-V; V-shaped zero bubble schedule live micro-batches; two "
    "chunks per worker laid out as a V; warm-up forward passes of ZBV; (2p - i) + (i - 1) forwards; "
    "zero bubble at 1F1B memory; V-schedule stash depth; how many forwards before the first backward in "
    "zbv; chunk 0 and chunk 2p-1 on the first rank",
    unit=ONE,
    noun="micro-batches",
    letters={"m": MICROBATCHES, "p": STAGES, "k": PP_INDEX},
    given=("k < p", "m >= 2*p - 1 -- too few to keep the ranks busy until the first gradient is back"),
    source=ZB_V,
    oracle=run_round_the_v,
    convention="Rank `k`, from 0, holds chunks `k` and `2*p - 1 - k` of the model. Forward and both "
    "gradients take equally long; then no rank waits between its first task and its last. Of the "
    "forwards the paper counts the last one to the turns that follow: its warm-up has `2*p - 1`.",
    leaves_out="Sending, and the synchronisation of the optimizer's step.",
    chain="""
    n_v = (2*(p - k) + k + k)/2
                       -- chunks from `k` and back to it, on to the first rank, gradients back; halves
      = p              -- a forward for each of these times: as on the first rank of 1F1B, on every rank
    """,
)
