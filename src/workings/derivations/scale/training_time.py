"""Seconds of a training run."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.compute.rule_of_six import TRAINING_FLOPS_SIX_N
from workings.derivations.scale._sources import SCALING_BOOK_LLAMA
from workings.simulate.steps import touch_weights, train
from workings.units import SECOND
from workings.vocabulary.hardware import COMPUTE
from workings.vocabulary.layout import DEVICES
from workings.vocabulary.model import ACTIVE_PARAMETERS
from workings.vocabulary.scale import MFU
from workings.vocabulary.training import TRAINING_TOKENS

RUN = {"P": ACTIVE_PARAMETERS, "T_tok": TRAINING_TOKENS, "n": DEVICES, "C": COMPUTE, "u": MFU}


def train_every_token(P: int, T_tok: int, n: int, C: Fraction, u: Fraction) -> Fraction:
    """Every token trained, each meeting every weight in three passes; the clock at the end."""
    return train(T_tok, touch_weights(P, 1), n, u * C).seconds


TRAINING_TIME = derivation(
    "training-time",
    title="Time of a training run",
    unit=SECOND,
    letters=RUN,
    uses={"f_6": TRAINING_FLOPS_SIX_N.at()},
    source=SCALING_BOOK_LLAMA,
    oracle=train_every_token,
    convention="6 FLOPs a parameter and token, so `u` is MFU without attention's core.",
    leaves_out="Interruptions; see training-time-goodput.",
    chain="""
    T_run = f_6/(n*(u*C))                    -- all FLOPs, over useful FLOP/s of all devices
      = 6[FLOP]*P*T_tok/(n*C*u)              -- 6 a parameter and token
    """,
)
