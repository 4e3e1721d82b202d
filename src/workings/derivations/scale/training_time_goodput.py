"""Wall time of a training run with interruptions."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.scale._sources import LLAMA_3
from workings.derivations.scale.training_time import RUN, TRAINING_TIME
from workings.simulate.steps import touch_weights, train
from workings.units import SECOND
from workings.vocabulary.scale import GOODPUT


def train_in_the_good_time(
    P: int, T_tok: int, n: int, C: Fraction, u: Fraction, gamma: Fraction
) -> Fraction:
    """Token after token; beside each second that is kept passes its part that is lost."""
    clock, lost_beside = Fraction(0), (1 - gamma) / gamma
    for _ in range(T_tok):
        good = train(1, touch_weights(P, 1), n, u * C).seconds
        clock += good + good * lost_beside
    return clock


TRAINING_TIME_GOODPUT = derivation(
    "training-time-goodput",
    title="Wall time of a training run with interruptions",
    unit=SECOND,
    letters={**RUN, "gamma": GOODPUT},
    uses={"T_run": TRAINING_TIME.at()},
    source=LLAMA_3,
    oracle=train_in_the_good_time,
    convention="`u` is MFU while the job makes progress that is kept, `gamma` the share of the wall "
    "time that this is: effective MFU is `u*gamma`.",
    chain="""
    T_good = T_run/gamma                     -- only this share of the wall time counts
      = 6[FLOP]*P*T_tok/(n*C*(u*gamma))      -- put the time in
    """,
)
