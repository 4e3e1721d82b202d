"""Megatron's estimate of a run's time."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.compute.rule_of_six import TRAINING_FLOPS_SIX_N
from workings.derivations.scale._sources import MEGATRON_DAYS
from workings.simulate.steps import touch_weights, train
from workings.units import SECOND
from workings.vocabulary.layout import DEVICES
from workings.vocabulary.model import ACTIVE_PARAMETERS
from workings.vocabulary.scale import ACHIEVED
from workings.vocabulary.training import TRAINING_TOKENS


def train_with_forward_twice(P: int, T_tok: int, n: int, C_a: Fraction) -> Fraction:
    """Every token trained, each meeting every weight in four passes; the clock at the end."""
    return train(T_tok, touch_weights(P, 1, passes=4), n, C_a).seconds


TRAINING_TIME_RECOMPUTE = derivation(
    "training-time-recompute",
    title="Time of a training run that recomputes every block",
    unit=SECOND,
    letters={"P": ACTIVE_PARAMETERS, "T_tok": TRAINING_TOKENS, "n": DEVICES, "C_a": ACHIEVED},
    uses={"f_6": TRAINING_FLOPS_SIX_N.at()},
    source=MEGATRON_DAYS,
    oracle=train_with_forward_twice,
    convention="`C_a` counts recomputation: it is HFU times the peak, not MFU.",
    leaves_out="Attention's core and the logits.",
    chain="""
    T_re = (f_6 + f_6/3)/(n*C_a)             -- forward, a third of the work, is done twice
      = 8[FLOP]*P*T_tok/(n*C_a)              -- 8 FLOPs a parameter and token
    """,
)
