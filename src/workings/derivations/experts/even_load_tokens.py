"""Tokens from which random routing is even enough."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.experts._letters import ROUTING
from workings.derivations.experts._sources import DEEPSEEK_MOE
from workings.derivations.experts.expert_load_variance import EXPERT_LOAD_VARIANCE, try_every_routing
from workings.units import ONE
from workings.vocabulary.experts import ROUTED_TOKENS, SPREAD


def compare_the_spread(E: int, k_E: int, T_g: int, delta: Fraction) -> bool | None:
    """The spread over all routings, counted, against the one that is wanted."""
    if T_g > 60:
        return None
    return try_every_routing(E, k_E, T_g) <= delta * delta


EVEN_LOAD_TOKENS = derivation(
    "even-load-tokens",
    title="Tokens from which random routing loads experts evenly",
    unit=ONE,
    noun="tokens",
    letters={**ROUTING, "T_g": ROUTED_TOKENS, "delta": SPREAD},
    uses={"v_E": EXPERT_LOAD_VARIANCE.at()},
    given=("k_E < E",),
    source=DEEPSEEK_MOE,
    oracle=compare_the_spread,
    convention="Random routing; `delta` is the standard deviation of an expert's tokens over their mean.",
    chain="""
    v_E <= delta^2                                -- the variance is the spread squared
      <=> (E - k_E)/(k_E*T_g) <= delta^2          -- put the variance in
      <=> T_g >= (E - k_E)/(k_E*delta^2)          -- solve for the tokens
    """,
)
