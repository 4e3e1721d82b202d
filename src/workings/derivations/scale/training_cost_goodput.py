"""Cost of a training run with interruptions."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.scale._sources import CLUSTER_COST
from workings.derivations.scale.training_time import RUN
from workings.derivations.scale.training_time_goodput import TRAINING_TIME_GOODPUT
from workings.simulate.steps import touch_weights, train
from workings.units import CURRENCY
from workings.vocabulary.scale import GOODPUT, PRICE


def pay_for_lost_time_too(
    P: int, T_tok: int, n: int, C: Fraction, u: Fraction, gamma: Fraction, c_d: Fraction
) -> Fraction:
    """Every device paid for its good seconds, and for those lost beside them."""
    run = train(T_tok, touch_weights(P, 1), n, u * C)
    return sum((c_d * (run.seconds + run.seconds * (1 / gamma - 1)) for _ in range(n)), Fraction(0))


TRAINING_COST_GOODPUT = derivation(
    "training-cost-goodput",
    title="Cost of a training run with interruptions",
    unit=CURRENCY,
    letters={**RUN, "gamma": GOODPUT, "c_d": PRICE},
    uses={"T_good": TRAINING_TIME_GOODPUT.at()},
    source=CLUSTER_COST,
    oracle=pay_for_lost_time_too,
    convention="Devices are paid for while the job is down.",
    leaves_out="Storage, network, people, and runs that failed.",
    chain="""
    c_good = n*T_good*c_d                    -- all devices, all the wall time
      = 6[FLOP]*P*T_tok*c_d/(C*(u*gamma))    -- put the time in
    """,
)
