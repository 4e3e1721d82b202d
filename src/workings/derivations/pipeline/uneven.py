"""Uneven stages.

Layers do not always divide by the stages, and embedding and head lie on the ends only. Then the slowest
stage sets the pace: every micro-batch after the first comes out one turn of the slowest stage later.
The first entry says so for stages of any lengths, the second for equal layers dealt out as evenly as
they go, the third for a first and a last stage that have embedding and head beside their own numbers of
layers.
"""

from fractions import Fraction

from workings.derivation import derivation, like, only_if
from workings.derivations.pipeline._times import FILLED
from workings.derivations.sources import GPIPE
from workings.simulate.pipeline import unequal_gpipe
from workings.units import SECOND
from workings.vocabulary.model import BLOCKS
from workings.vocabulary.pipeline import (
    ALL_STAGES_TIME,
    EMBEDDING_TIME,
    HEAD_TIME,
    LAYER_TIME,
    SLOWEST_STAGE_TIME,
)
from workings.vocabulary.state import FIRST_BLOCKS, LAST_BLOCKS, MIDDLE_BLOCKS


def _unequal(p: int, T_all: Fraction, T_max: Fraction) -> list[Fraction]:
    """Stage times, none above T_max, that add up to T_all: equal but for one pair."""
    if p == 1:
        only_if(T_all == T_max)
        return [T_max]
    rest = (T_all - T_max) / (p - 1)
    only_if(0 < rest <= T_max)
    times = [rest for _ in range(p - 1)]
    if p > 2:
        shift = min(rest, T_max - rest) / 2
        times[0], times[-1] = rest + shift, rest - shift
    return [*times[:1], T_max, *times[1:]]


def run_unequal_stages(p: int, m: int, T_all: Fraction, T_max: Fraction) -> Fraction:
    """GPipe run with one slowest stage and others that differ, in three orders of the stages."""
    stages = _unequal(p, T_all, T_max)
    ends = set()
    for order in (stages, stages[::-1], stages[1:] + stages[:1]):
        schedule = unequal_gpipe([time / 3 for time in order], [2 * time / 3 for time in order], m)
        ends.add(Fraction(schedule.makespan))
    [end] = ends
    return end


UNEVEN_STAGES_TIME = derivation(
    "uneven-stages-time",
    title="Time of a step with GPipe when stages differ",
    phrases="iteration time with a slow stage; heterogenous stages GPipe; straggler stage; slowest "
    "stage sets the pace; heavy lm_head stage stalls the pipeline; unbalanced pipeline stages step "
    "time; imbalanced pp stages time",
    unit=SECOND,
    letters={**FILLED, "T_all": ALL_STAGES_TIME, "T_max": SLOWEST_STAGE_TIME},
    given=("T_max >= T_all/p", "T_max < T_all"),
    source=GPIPE.at("section 2.3, on partitions that are not balanced"),
    oracle=run_unequal_stages,
    convention="The backward takes the same multiple of the forward in every stage.",
    leaves_out="Sending activations between stages.",
    chain="""
    T_un = T_all + sum(T_max, (i, 1, m - 1))
                     -- one micro-batch through all stages; then one each turn of the slowest
      = T_all + (m - 1)*T_max              -- equal terms
      <= (m + p - 1)*T_max                 -- as if every stage were the slowest
    """,
)


def deal_out_layers(p: int, m: int, L: int, T_l: Fraction) -> Fraction:
    """Layers dealt out to the stages one by one, then GPipe run on them."""
    stages = [sum((T_l for _ in range(stage, L, p)), Fraction(0)) for stage in range(p)]
    schedule = unequal_gpipe([time / 3 for time in stages], [2 * time / 3 for time in stages], m)
    return Fraction(schedule.makespan)


UNEVEN_LAYERS_TIME = like(
    "uneven-layers-time",
    UNEVEN_STAGES_TIME,
    title="Time of a step when `L` layers do not divide evenly over `p` stages",
    phrases="iteration time when layers don't divide by stages; unbalanced layer split; "
    "decoder-first-pipeline-num-layers imbalance; layers not divisible by pp slowdown; 30 layers on 4 "
    "stages time; ceil(L/p) stage slows the pipeline",
    letters={**FILLED, "L": BLOCKS, "T_l": LAYER_TIME},
    uses={"T_un": UNEVEN_STAGES_TIME.at(T_all="L*T_l", T_max="ceil(L/p)*T_l")},
    given=("L >= p", "p > 1"),
    oracle=deal_out_layers,
    convention="Equal layers, dealt out as evenly as possible; the fullest stage has `L/p` rounded up.",
    leaves_out="Embeddings and head; sending activations between stages.",
    chain="""
    T_lay = T_un                                -- all layers' time, and the fullest stage's
      = L*T_l + (m - 1)*(ceil(L/p)*T_l)         -- put the stages in
      = (L + (m - 1)*ceil(L/p))*T_l             -- collect
    """,
)


def run_with_embedding_and_head(
    p: int,
    m: int,
    L_first: int,
    L_mid: int,
    L_last: int,
    T_l: Fraction,
    T_emb: Fraction,
    T_head: Fraction,
) -> Fraction:
    """Layers of every stage, embedding and head added up, then GPipe run on them."""
    only_if(p * m <= 200)
    blocks = [L_first, *[L_mid] * (p - 2), L_last]
    stages = [sum((T_l for _ in range(count)), Fraction(0)) for count in blocks]
    stages[0] += T_emb
    stages[-1] += T_head
    only_if(min(stages) > 0)
    schedule = unequal_gpipe([time / 3 for time in stages], [2 * time / 3 for time in stages], m)
    return Fraction(schedule.makespan)


UNEVEN_ENDS_TIME = like(
    "uneven-ends-time",
    UNEVEN_STAGES_TIME,
    title="Time of a step when the first stage has the embedding and the last the head",
    phrases="pipeline step with embedding on the first and lm_head on the last stage; one layer less on "
    "first and last stage; decoder_first_pipeline_num_layers and decoder_last_pipeline_num_layers; "
    "balance the pipeline for a large vocabulary; uneven first and last pipeline stages; head makes the "
    "last stage slower; account_for_embedding_in_pipeline_split",
    letters={
        **FILLED, "L_first": FIRST_BLOCKS, "L_mid": MIDDLE_BLOCKS, "L_last": LAST_BLOCKS,
        "T_l": LAYER_TIME, "T_emb": EMBEDDING_TIME, "T_head": HEAD_TIME,
    },
    given=("p > 2", "L_first*T_l + T_emb > 0", "L_last*T_l + T_head > 0"),
    uses={},
    oracle=run_with_embedding_and_head,
    leaves_out="Sending activations between stages.",
    chain="""
    T_ends = L_first*T_l + T_emb + sum(L_mid*T_l, (i, 1, p - 2)) + L_last*T_l + T_head
             + sum(max(L_first*T_l + T_emb, L_mid*T_l, L_last*T_l + T_head), (i, 1, m - 1))
                     -- one micro-batch through all stages; then one each turn of the slowest
      = (L_first + (p - 2)*L_mid + L_last)*T_l + T_emb + T_head
        + (m - 1)*max(L_first*T_l + T_emb, L_mid*T_l, L_last*T_l + T_head)
                     -- equal terms
    """,
)  # fmt: skip
