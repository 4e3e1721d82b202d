"""ZB-H1 on one stage."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.activations._sources import ZERO_BUBBLE
from workings.simulate.peak import Memory, peaks, zb_h1_order
from workings.units import BYTE
from workings.vocabulary.activations import KEPT_INPUT_GRADIENT, KEPT_WEIGHT_GRADIENT
from workings.vocabulary.layout import STAGES
from workings.vocabulary.ranks import PP_INDEX
from workings.vocabulary.training import MICROBATCHES


def run_zb_h1(m: int, p: int, k: int, M_B: Fraction, M_W: Fraction) -> Fraction:
    """The schedule run task by task, both halves of each backward; the most bytes the stage holds."""
    orders = [zb_h1_order(p, stage, m) for stage in range(p)]
    return peaks(orders, [Memory(forward=M_B, weights=M_W)] * p)[k]


ZB_H1_ACTIVATIONS = derivation(
    "zb-h1-activations",
    title="Activations of a stage under the zero-bubble schedule ZB-H1",
    unit=BYTE,
    letters={
        "m": MICROBATCHES, "p": STAGES, "k": PP_INDEX, "M_B": KEPT_INPUT_GRADIENT,
        "M_W": KEPT_WEIGHT_GRADIENT,
    },
    given=("k < p", "M_W <= M_B", "m >= p"),
    source=ZERO_BUBBLE,
    oracle=run_zb_h1,
    convention="Stages are counted from 0; the paper counts from 1.",
    chain="""
    A_zb = sum(M_B, (i, 1, p - k)) + sum(M_W, (i, 1, k))
                            -- as many wait for both halves as under 1F1B, `k` more for the weights' half
      = (p - k)*M_B + k*M_W            -- equal terms
      <= p*M_B                         -- no more than the first stage of 1F1B
    """,
)  # fmt: skip
