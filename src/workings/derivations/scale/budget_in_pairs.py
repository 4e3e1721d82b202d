"""A compute budget counted in parameters that meet one another's tokens."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.scale._sources import CHINCHILLA
from workings.simulate.steps import touch_weights
from workings.units import ONE
from workings.vocabulary.scale import COMPUTE_BUDGET
from workings.vocabulary.training import TOKENS_PER_PARAMETER


def pay_for_one_pair(c_t: Fraction, Phi: Fraction) -> Fraction:
    """One weight met by one token in three passes, for all tokens of a parameter; the budget over it."""
    return Phi / (touch_weights(1, 1) * c_t)


BUDGET_IN_PAIRS = derivation(
    "budget-in-pairs",
    title="Pairs of parameters that a budget lets meet each other's tokens",
    unit=ONE,
    noun="pairs",
    fractional="a budget divided by what one pair costs",
    letters={"c_t": TOKENS_PER_PARAMETER, "Phi": COMPUTE_BUDGET},
    source=CHINCHILLA,
    oracle=pay_for_one_pair,
    convention="Every parameter brings `c_t` tokens, and every parameter meets the tokens of all.",
    chain="""
    N_pair = Phi/(c_t*(2[FLOP] + 2[FLOP] + 2[FLOP]))  -- forward, input's gradient, weight's gradient
      = Phi/(6[FLOP]*c_t)                             -- 6 FLOPs a parameter and token
    """,
)
