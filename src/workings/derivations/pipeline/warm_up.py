"""Forwards before the first backward.

Until the gradient of its first micro-batch comes back a rank has nothing but forwards to run, each of
which takes memory until its own backward. How many are worth it? The first entry says what the first
stage waits with a given number, the second how many fit in before that gradient comes, and the third
how many it takes so that no stage waits at all. With tasks of one length and messages that take no time
these are 2p - 1 in both, as on ZB-H2.
"""

from typing import Any

from workings.derivation import derivation, like, only_if
from workings.derivations.pipeline._sources import ZERO_BUBBLE_LIMIT
from workings.derivations.pipeline._times import Time
from workings.derivations.pipeline.sending import BOUNDARY, PP_MESSAGE_TIME, SENDING, send_token_by_token
from workings.simulate.zero_bubble import wait_before_backward, warmed_up
from workings.units import ONE, SECOND
from workings.vocabulary.layout import STAGES
from workings.vocabulary.pipeline import FORWARD_TIME, INPUT_GRADIENT_TIME, WARM_UP_FORWARDS

LETTERS = {"p": STAGES, "T_F": FORWARD_TIME, "T_B": INPUT_GRADIENT_TIME, **SENDING, **BOUNDARY}
MANY = 80


def as_on_1f1b(p: int, first: int) -> list[int]:
    """Warm-ups of all ranks: one forward for each rank from this one on, if the first sends so many."""
    return [first, *(min(first, p - rank) for rank in range(1, p))]


def wait_with_a_warm_up(p: int, n_w: int, T_F: Time, T_B: Time, **message: Any) -> Time:
    """The warm-up run task by task; the time in which the first rank runs nothing until it ends."""
    only_if(n_w <= MANY and p <= MANY)
    run = warmed_up(as_on_1f1b(p, n_w), T_F, T_B, send_token_by_token(**message))
    return wait_before_backward(run, 0)


FIRST_BACKWARD_BUBBLE = derivation(
    "first-backward-bubble",
    title="Time the first stage waits for its first backward",
    phrases="(p-1)(TB+2Tcomm)+(p-k)TF; bubble before the first backward; initial bubble of the first "
    "stage with k forwards; zero bubble memory limit and bubble; idle time until first gradient comes "
    "back; fewer warm-up forwards cost how much idle time; lower bound of beta in zero bubble appendix",
    unit=SECOND,
    letters={**LETTERS, "n_w": WARM_UP_FORWARDS},
    uses={"T_hop": PP_MESSAGE_TIME.at()},
    given=("t divides s", "n_w*T_F <= p*T_F + (p - 1)*(T_B + 2*T_hop)"),
    source=ZERO_BUBBLE_LIMIT,
    oracle=wait_with_a_warm_up,
    convention="`T_B` is the gradient of the input alone. A forward pass takes memory until its "
    "backward, so `n_w` of them hold `n_w` times what one keeps.",
    leaves_out="What the other stages wait.",
    chain="""
    B_w = sum(T_F, (i, 1, p)) + sum(T_B + 2*T_hop, (i, 1, p - 1)) - sum(T_F, (i, 1, n_w))
                     -- the first micro-batch there and back again, less the forwards run meanwhile
      = p*T_F + (p - 1)*(T_B + 2*T_hop) - n_w*T_F             -- equal terms: a forward less for each run
    """,
)


def run_ever_longer_warm_ups(p: int, T_F: Time, T_B: Time, **message: Any) -> int:
    """Warm-ups run task by task, ever longer ones, until the first backward starts later for it."""
    hop = send_token_by_token(**message)
    only_if(p <= 12 and p * T_F + p * (T_B + 2 * hop) <= MANY * T_F)

    def first_backward(forwards: int) -> Time:
        tasks = warmed_up(as_on_1f1b(p, forwards), T_F, T_B, hop).of(0)
        return next(task.start for task in tasks if task.kind == "input gradient")

    forwards = 1
    while first_backward(forwards + 1) == first_backward(1):
        forwards += 1
    return forwards


UNDELAYED_WARM_UP = like(
    "undelayed-warm-up",
    FIRST_BACKWARD_BUBBLE,
    title="Most forwards of the first stage that do not delay its first backward",
    phrases="best number of warm-up forwards; how many forward passes before the first backward; warm-up "
    "depth at which the bubble rate flattens; floor(((p-1)(TB+2Tcomm)+pTF)/TF); zero bubble memory "
    "plateau; memory limit beyond which ZB gains nothing; activation limit of the searched schedule",
    unit=ONE,
    noun="forward passes",
    letters=LETTERS,
    given=("t divides s",),
    oracle=run_ever_longer_warm_ups,
    convention="`T_B` is the gradient of the input alone. Each forward pass takes memory until its "
    "backward; less than one `T_F` is left to wait.",
    chain="""
    n_u = floor((sum(T_F, (i, 1, p)) + sum(T_B + 2*T_hop, (i, 1, p - 1)))/T_F)
                     -- whole forwards in the time of the first micro-batch there and back again
      = floor((p*T_F + (p - 1)*(T_B + 2*T_hop))/T_F)          -- equal terms
      = p + floor((p - 1)*(T_B + 2*T_hop)/T_F)                -- one for each stage, and the way back
    """,
)


def lengthen_until_none_waits(p: int, T_F: Time, T_B: Time, **message: Any) -> int:
    """From the last rank to the first, the shortest warm-up with which it does not wait when run."""
    hop = send_token_by_token(**message)
    only_if(p <= 8 and p * T_F + p * (T_B + 2 * hop) <= MANY * T_F)
    needed = [1]
    while len(needed) < p:
        forwards = needed[0]
        while True:
            run = warmed_up([forwards, *needed], T_F, T_B, hop)
            if all(wait_before_backward(run, rank) == 0 for rank in range(len(needed) + 1)):
                break
            forwards += 1
        needed.insert(0, forwards)
    return needed[0]


ZERO_BUBBLE_WARM_UP = like(
    "zero-bubble-warm-up",
    UNDELAYED_WARM_UP,
    title="Forwards of the first stage with which no stage waits for its first backward",
    phrases="warm-up forwards for zero bubble; memory for no bubble at all; 2p - 1 forwards of ZB-H2; "
    "p-1 additional forward passes; activation memory that zero bubble needs; how many micro-batches in "
    "flight make the pipeline bubble vanish; floor(((p-1)(TB+2Tcomm)+(2p-1)TF)/TF)",
    given=("t divides s", "T_hop <= T_F"),
    oracle=lengthen_until_none_waits,
    convention="`T_B` is the gradient of the input alone. Every stage is timed from its own first task "
    "and rounds up by itself. The paper rounds down once, after it has added a forward for each of "
    "`p - 1` stages, so that its number is always enough and up to `p - 1` larger.",
    leaves_out="What stages wait later in the step.",
    chain="""
    n_z = 1 + sum(1 + ceil((T_B + 2*T_hop)/T_F), (i, 1, p - 1))
                     -- one on the last stage; a stage before runs one for it and some for the way back
      = 1 + (p - 1)*(1 + ceil((T_B + 2*T_hop)/T_F))           -- equal terms
      = p + (p - 1)*ceil((T_B + 2*T_hop)/T_F)                 -- each stage rounds up
    """,
)
