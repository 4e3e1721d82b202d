"""How much the tokens of an expert vary under random routing."""

from fractions import Fraction
from itertools import combinations

from workings.derivation import derivation
from workings.derivations.experts._letters import ROUTING
from workings.derivations.experts._sources import DEEPSEEK_MOE
from workings.units import ONE
from workings.vocabulary.experts import ROUTED_TOKENS


def try_every_routing(E: int, k_E: int, T_g: int) -> Fraction:
    """All choices of experts, token after token; the first expert's tokens, squared from the mean."""
    choices = list(combinations(range(E), k_E))
    chosen = sum(1 for choice in choices if 0 in choice)
    ways = {0: 1}  # tokens the expert has, and in how many routings
    for _ in range(T_g):
        after: dict[int, int] = {}
        for load, number in ways.items():
            after[load + 1] = after.get(load + 1, 0) + number * chosen
            after[load] = after.get(load, 0) + number * (len(choices) - chosen)
        ways = after
    routings = sum(ways.values())
    mean = Fraction(sum(load * number for load, number in ways.items()), routings)
    squares = sum(number * (load - mean) * (load - mean) for load, number in ways.items())
    return squares / (routings * mean * mean)


EXPERT_LOAD_VARIANCE = derivation(
    "expert-load-variance",
    title="Variance of an expert's tokens, over their mean squared",
    unit=ONE,
    letters={**ROUTING, "T_g": ROUTED_TOKENS},
    given=("k_E <= E",),
    source=DEEPSEEK_MOE,
    oracle=try_every_routing,
    convention="Each token picks `k_E` different experts at random, all equally likely.",
    leaves_out="What a router has learned: real loads are more uneven unless they are balanced.",
    chain="""
    v_E = sum(k_E/E - (k_E/E)^2, (i, 1, T_g))/(T_g*k_E/E)^2
                                           -- a token comes with chance `k_E/E`, or does not
      = T_g*(k_E/E)*(1 - k_E/E)/(T_g*k_E/E)^2     -- independent tokens: variances add
      = (1 - k_E/E)*E/(T_g*k_E)                   -- cancel `T_g*k_E/E`
      = (E - k_E)/(k_E*T_g)                       -- multiply out
    """,
)
