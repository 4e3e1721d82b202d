"""Days of a training run."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.scale._sources import SCALING_BOOK_LLAMA
from workings.derivations.scale.training_time import RUN, TRAINING_TIME
from workings.simulate.steps import touch_weights, train
from workings.units import ONE

_HOURS, _MINUTES, _SECONDS = 24, 60, 60


def train_day_by_day(P: int, T_tok: int, n: int, C: Fraction, u: Fraction) -> Fraction:
    """The same run, its clock read in hours of minutes of seconds."""
    seconds = train(T_tok, touch_weights(P, 1), n, u * C).seconds
    return seconds / _SECONDS / _MINUTES / _HOURS


TRAINING_DAYS = derivation(
    "training-days",
    title="Days of a training run",
    unit=ONE,
    noun="days",
    fractional="a duration, in days",
    letters=RUN,
    uses={"T_run": TRAINING_TIME.at()},
    source=SCALING_BOOK_LLAMA,
    oracle=train_day_by_day,
    convention="6 FLOPs a parameter and token, so `u` is MFU without attention's core.",
    chain="""
    N_day = T_run/86400[s]                   -- a day has 86,400 seconds
      = 6[FLOP]*P*T_tok/(n*C*u*86400[s])     -- put the time in
    """,
)
