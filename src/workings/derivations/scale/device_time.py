"""Device-hours of a training run."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.scale._sources import SCALING_BOOK_LLAMA
from workings.derivations.scale.training_time import RUN, TRAINING_TIME
from workings.simulate.steps import touch_weights, train
from workings.units import SECOND


def add_up_all_devices(P: int, T_tok: int, n: int, C: Fraction, u: Fraction) -> Fraction:
    """The seconds that each device works, added up over the devices."""
    return train(T_tok, touch_weights(P, 1), n, u * C).device_seconds


DEVICE_TIME = derivation(
    "device-time",
    title="Device time of a training run (device-hours)",
    unit=SECOND,
    letters=RUN,
    uses={"T_run": TRAINING_TIME.at()},
    source=SCALING_BOOK_LLAMA,
    oracle=add_up_all_devices,
    convention="6 FLOPs a parameter and token.",
    chain="""
    T_dev = n*T_run                          -- every device is busy or paid for all the time
      = n*(6[FLOP]*P*T_tok/(n*C*u))          -- put the time in
      = 6[FLOP]*P*T_tok/(C*u)                -- more devices at the same MFU: sooner, not dearer
    """,
)
