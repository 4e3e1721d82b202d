"""Cost of a training run."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.scale._sources import CLUSTER_COST
from workings.derivations.scale.device_time import DEVICE_TIME
from workings.derivations.scale.training_time import RUN, TRAINING_TIME
from workings.simulate.steps import touch_weights, train
from workings.units import CURRENCY
from workings.vocabulary.scale import PRICE


def pay_every_device(P: int, T_tok: int, n: int, C: Fraction, u: Fraction, c_d: Fraction) -> Fraction:
    """Every device paid for its seconds, added up."""
    run = train(T_tok, touch_weights(P, 1), n, u * C)
    return sum((c_d * run.seconds for _ in range(n)), Fraction(0))


TRAINING_COST = derivation(
    "training-cost",
    title="Cost of a training run",
    unit=CURRENCY,
    letters={**RUN, "c_d": PRICE},
    uses={"T_run": TRAINING_TIME.at(), "T_dev": DEVICE_TIME.at()},
    source=CLUSTER_COST,
    oracle=pay_every_device,
    convention="A price for a device and second, whatever it does; 6 FLOPs a parameter and token.",
    leaves_out="Storage, network, people, and runs that failed.",
    chain="""
    c_run = n*T_run*c_d                      -- every device, all the time, at its price
      = T_dev*c_d                            -- device time
      = 6[FLOP]*P*T_tok*c_d/(C*u)            -- put the device time in
    """,
)
