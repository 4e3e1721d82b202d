"""Zero bubble and DualPipe.

The gradients of the weights are needed by no other stage, so they can be put off to where a rank would
wait. On ZB-H1 a rank puts off as many as ranks go before it; ZB-H2 puts off twice as many, holds the
activations of more micro-batches, and does not wait at all if the three tasks take equally long.
DualPipe sends micro-batches in from both ends and runs a forward beside a backward; in return each rank
holds two stages. The gradient of the input and those of the weights are timed apart throughout, and a
bubble is a time unless its title says over what.
"""

from fractions import Fraction

from workings.derivation import derivation, like, only_if
from workings.derivations.pipeline._times import FILLED, TIMES, over_ideal
from workings.derivations.sources import DEEPSEEK_V3, ZERO_BUBBLE
from workings.simulate.dualpipe import dualpipe
from workings.simulate.zero_bubble import zb_h1, zb_h2
from workings.units import ONE, SECOND
from workings.vocabulary.layout import STAGES
from workings.vocabulary.model import BLOCKS
from workings.vocabulary.pipeline import FORWARD_TIME, LAYER_PARAMETERS, OVERLAPPED_TIME

DUALPIPE = DEEPSEEK_V3.at("section 3.2.1, table 2")


def put_off_a_few_weights(p: int, m: int, T_F: Fraction, T_B: Fraction, T_W: Fraction) -> Fraction:
    """ZB-H1 run task by task; the time in which the first rank runs nothing."""
    return Fraction(zb_h1(p, m, T_F, T_B, T_W).idle(0))


ZB_H1_BUBBLE = derivation(
    "zb-h1-bubble",
    title="Bubble of ZB-H1 as a time",
    phrases="zero bubble H1 idle; (p-1)(F+B-W); ZB-H1; Qi et al zero bubble handcrafted schedule H1; "
    "split backward into B and W; (p-1)(TF+TB-TW) seconds; ZB-H1 smaller bubble at 1F1B memory",
    unit=SECOND,
    letters={**FILLED, **TIMES},
    given=("T_W <= T_F", "T_W <= T_B", "m >= p"),
    source=ZERO_BUBBLE,
    oracle=put_off_a_few_weights,
    convention="`T_B` is the gradient of the input alone; a rank puts off as many `T_W` as ranks go "
    "before it.",
    leaves_out="Sending, and the synchronisation of the optimizer's step.",
    chain="""
    B_h1 = sum(T_F, (i, 1, p - 1)) + sum(T_B, (i, 1, p - 1)) - sum(T_W, (i, 1, p - 1))
                     -- to the last rank and back, less what it puts off
      = (p - 1)*T_F + (p - 1)*T_B - (p - 1)*T_W       -- equal terms
      = (p - 1)*(T_F + T_B - T_W)                     -- with 1F1B, `T_W` is added instead
    """,
)


def run_equal_thirds(p: int, m: int, T_F: Fraction) -> Fraction:
    """ZB-H1 run with three tasks of one length; the first rank's idle time over its busy time."""
    return over_ideal(zb_h1(p, m, T_F, T_F, T_F))


ZB_H1_BUBBLE_EQUAL = like(
    "zb-h1-bubble-equal",
    ZB_H1_BUBBLE,
    title="Bubble of ZB-H1 with three equal tasks, over ideal time",
    phrases="ZB-H1 bubble is a third of 1F1B; (p-1)/(3m); ZB-H1 fraction when F B W equal",
    unit=ONE,
    letters={**FILLED, "T_F": FORWARD_TIME},
    uses={"B_h1": ZB_H1_BUBBLE.at(T_B="T_F", T_W="T_F")},
    given=("m >= p",),
    oracle=run_equal_thirds,
    convention="Bubble over ideal time; forward and both gradients take equally long.",
    chain="""
    beta_h1 = B_h1/(3*m*T_F)                  -- over `m` times three tasks
      = (p - 1)*T_F/(3*m*T_F)                 -- put the bubble in
      = (p - 1)/(3*m)                         -- a third of 1F1B's
    """,
)


def put_off_twice_as_many(p: int, m: int, T_F: Fraction, T_B: Fraction, T_W: Fraction) -> Fraction:
    """ZB-H2 run task by task; the longest that any rank takes, less its work."""
    schedule = zb_h2(p, m, T_F, T_B, T_W)
    return Fraction(max(schedule.span(rank) - schedule.busy(rank) for rank in range(p)))


ZB_H2_BUBBLE = like(
    "zb-h2-bubble",
    ZB_H1_BUBBLE,
    title="Bubble of ZB-H2 as a time",
    phrases="zero bubble H2 idle; (p-1)(F+B-2W); ZB-H2; (p-1)(TF+TB-2TW) seconds; almost no bubble with "
    "more memory; zero bubble schedule with double memory",
    given=("T_W <= T_F", "T_W <= T_B", "m >= 2*p - 1"),
    oracle=put_off_twice_as_many,
    convention="Every rank is timed from its own start to its own end: ranks do not wait for each other "
    "before the optimizer's step. Activations of up to `2*p - 1` micro-batches are held.",
    leaves_out="Sending.",
    chain="""
    B_h2 = sum(T_F, (i, 1, p - 1)) + sum(T_B, (i, 1, p - 1)) - sum(T_W, (i, 1, 2*(p - 1)))
                     -- to the last rank and back, less what it puts off
      = (p - 1)*T_F + (p - 1)*T_B - 2*(p - 1)*T_W     -- equal terms
      = (p - 1)*(T_F + T_B - 2*T_W)                   -- nothing if all three take equally long
    """,
)


def run_from_both_ends(
    p: int, m: int, T_F: Fraction, T_B: Fraction, T_W: Fraction, T_FB: Fraction
) -> Fraction:
    """DualPipe run task by task; the time in which a rank in the middle runs nothing."""
    only_if(m <= 60)
    return Fraction(dualpipe(p, m, T_F, T_B, T_W, T_FB).idle(p // 2))


DUALPIPE_BUBBLE = derivation(
    "dualpipe-bubble",
    title="Bubble of DualPipe as a time",
    phrases="DualPipe idle time; (PP/2-1)(F&B + B - 3W); bidirectional pipeline bubble; DeepSeek-V3 "
    "schedule bubble",
    unit=SECOND,
    letters={**FILLED, **TIMES, "T_FB": OVERLAPPED_TIME},
    given=(
        "2 divides p", "2 divides m", "m >= 2*p", "T_W <= T_B", "T_B <= T_F", "T_FB >= T_F",
        "T_FB >= T_B + T_W",
    ),
    source=DUALPIPE,
    oracle=run_from_both_ends,
    convention="The published bubble, a pair and a backward less three times `T_W`, has `T_B` for "
    "`T_F`. It is this one where the gradient of the input takes as long as a forward, and too short "
    "where it takes less. A rank in the middle waits longest, but where a pair takes longer than its "
    "parts one after the other. `m` micro-batches in both directions together.",
    leaves_out="Sending; a gradient of the input that takes longer than a forward.",
    chain="""
    B_dual = (p/2 - 1)*T_F + (p/2 - 1)*(T_FB - (T_B + T_W)) + (p/2 - 1)*(T_B - T_W)
                     -- a rank in the middle waits to fill, behind pairs at the ends, to drain
      = (p/2 - 1)*(T_FB + T_F - 2*T_W)             -- it does not depend on `m`
    """,
)  # fmt: skip


def count_what_is_held(p: int, m: int) -> Fraction:
    """DualPipe run task by task; the most micro-batches that any rank holds at once."""
    only_if(m <= 60)
    schedule = dualpipe(p, m, overlapped=2)
    return Fraction(max(schedule.in_flight_peak(rank) for rank in range(p)))


DUALPIPE_IN_FLIGHT = derivation(
    "dualpipe-in-flight",
    title="Micro-batches a rank holds with DualPipe",
    phrases="DualPipe live microbatches; PP+1 activations; DeepSeek-V3 pipeline outstanding "
    "microbatches; stored microbatches in DeepSeek bidirectional pipeline",
    unit=ONE,
    noun="micro-batches",
    letters=FILLED,
    given=("2 divides p", "2 divides m", "m >= 2*p"),
    source=DUALPIPE,
    oracle=count_what_is_held,
    convention="Both directions together; each is held on one stage, a `p`-th of the model.",
    chain="""
    A_dual = 2*(p/2 - 1) + 2 + 1
                     -- at an end: its own direction, one of each, and one in a pair
      = p + 1                              -- 1F1B holds at most `p`
    """,
)


def collect_a_ranks_stages(p: int, L: int, P_l: int) -> int:
    """DualPipe run task by task, layers dealt from both ends; parameters of all chunks a rank used."""
    only_if(p <= 8)
    ends = [stage for pair in range(p // 2) for stage in (pair, p - 1 - pair)]
    order = ends[::2] + ends[1::2]  # a layer for every pair of stages before a second for any
    layers = [0] * p
    for layer in range(L):
        layers[order[layer % p]] += 1
    run, most = dualpipe(p, 2 * p), 0
    for rank in range(p):
        chunks = {task.chunk for task in run.of(rank)}
        most = max(most, sum(layers[p - 1 - rank if chunk else rank] for chunk in chunks))
    return most * P_l


DUALPIPE_PARAMETERS = derivation(
    "dualpipe-parameters",
    title="Parameters a rank holds with DualPipe",
    phrases="DualPipe double parameters; two copies of stage weights; 2x parameter memory of "
    "bidirectional pipeline",
    unit=ONE,
    noun="parameters",
    letters={"p": STAGES, "L": BLOCKS, "P_l": LAYER_PARAMETERS},
    given=("2 divides p",),
    source=DUALPIPE,
    oracle=collect_a_ranks_stages,
    convention="The fullest rank, layers spread over pairs of stages as evenly as they go: twice what a "
    "rank of another pipeline holds, where `p` divides `L`.",
    leaves_out="Embeddings and head.",
    chain="""
    P_dual = ceil(L/(p/2))*P_l        -- `p/2` pairs of stages, one up and one down: two ranks hold each
      = ceil(2*L/p)*P_l               -- collect
    """,
)
