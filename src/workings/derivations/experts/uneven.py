"""The hottest expert, and what does not fit.

How uneven loads are is one figure that logs have, their standard deviation. It does not say what the
hottest expert gets, nor how many tokens find no place: both depend on how the loads are distributed.
But it bounds both. Of all loads with one spread, those drop most of which some experts stand as far
above their places as the others below, and those burden one expert most of which all others are
equal. Random routing has a spread that is known, so that the bounds hold for it in the mean. Its exact
means are sums over binomial coefficients, for which there is no closed form; powers of the loads bound
the mean of the hottest more closely where there are many experts.
"""

import math
from fractions import Fraction

from workings.derivation import Source, derivation, like, only_if
from workings.derivations.experts._letters import ROUTING
from workings.derivations.experts.loads import (
    EXPERT_LOAD_VARIANCE,
    every_load,
    try_every_routing,
)
from workings.simulate.search import golden_bracket
from workings.units import ONE
from workings.vocabulary.experts import CAPACITY_FACTOR, ROUTED_TOKENS, SPREAD
from workings.vocabulary.model import EXPERTS

SCARF = Source(
    "Scarf",
    "A Min-Max Solution of an Inventory Problem",
    1958,
    "the bound on the mean shortage, as others restate it (the chapter itself was not opened)",
    "https://doi.org/10.4236/ajor.2012.22023",
)
SAMUELSON = Source(
    "Samuelson",
    "How Deviant Can You Be?",
    1968,
    "the inequality and when it is reached, as the encyclopedia has it (the paper was not opened)",
    "https://en.wikipedia.org/wiki/Samuelson%27s_inequality",
)
MOMENTS = Source(
    "Mathematics Stack Exchange",
    "Expectation of maximum of n i.i.d. random variables",
    None,
    "best answer",
    "https://imathworks.com/math/math-expectation-of-maximum-of-n-i-i-d-random-variables/",
)


def most_above(phi: Fraction, square: Fraction) -> tuple[Fraction, Fraction]:
    """A bracket of what loads of mean 1 and this mean square deviation have above `phi`, at most.

    From below by loads of two kinds: the fuller ones tried, the others where the mean square deviation
    needs them. From above by parabolas that are nowhere below what a load has above `phi`, and
    whose mean follows from the mean and the mean square deviation alone.
    """

    def dropped(hot: Fraction) -> Fraction:
        other = 1 - square / (hot - 1)
        share = (1 - other) / (hot - other)
        return share * (hot - phi)

    def parabola(width: Fraction) -> Fraction:
        return (square + (1 - phi + width) ** 2) / (4 * width)

    far = 4 * (phi + square + 1)
    _, inverse = golden_bracket(lambda hot: 1 / dropped(hot), max(phi, 1 + square), far, 80)
    return 1 / inverse, golden_bracket(parabola, 0, far, 80)[1]


def try_loads_of_a_spread(phi: Fraction, delta: Fraction) -> tuple[Fraction, Fraction]:
    """Loads of two kinds tried for the most tokens beyond `phi`; parabolas over all loads bound it."""
    return most_above(phi, delta * delta)


SPREAD_DROPPED_SHARE = derivation(
    "spread-dropped-share",
    title="Most tokens dropped, as a share, by loads of a known spread",
    phrases="tokens dropped from the standard deviation of expert loads; worst-case drop rate at a "
    "capacity factor; distribution-free bound on dropped tokens; how many tokens overflow given load "
    "spread; capacity factor needed for a load standard deviation; Scarf bound",
    unit=ONE,
    letters={"phi": CAPACITY_FACTOR, "delta": SPREAD},
    given=("phi >= 1", "delta^2 <= 2*phi - 1 -- the emptier experts would have less than nothing"),
    source=SCARF,
    oracle=try_loads_of_a_spread,
    convention="Of all loads with this standard deviation over their mean, those that drop most; all "
    "others drop less. Experts have `phi` times the mean load as places.",
    leaves_out="Rounding the capacity to whole tokens.",
    chain="""
    x_most = (1 - (phi - sqrt((phi - 1)^2 + delta^2)))/(2*sqrt((phi - 1)^2 + delta^2))
             *sqrt((phi - 1)^2 + delta^2)
                       -- two kinds of experts, as far above `phi` as below: the share above, and how far
      = (1 - (phi - sqrt((phi - 1)^2 + delta^2)))/2     -- cancel the distance from `phi`
      = (sqrt((phi - 1)^2 + delta^2) - (phi - 1))/2     -- collect
    """,
)


def drop_from_every_routing(E: int, k_E: int, T_g: int, phi: Fraction) -> tuple[Fraction, Fraction]:
    """The spread over all routings, counted; loads tried for the most tokens beyond `phi`."""
    only_if(T_g <= 60)
    return most_above(phi, try_every_routing(E, k_E, T_g))


RANDOM_DROPPED_SHARE = like(
    "random-dropped-share",
    SPREAD_DROPPED_SHARE,
    title="Tokens dropped under random routing, as a share, at most",
    phrases="expected share of dropped tokens with uniform routing; drop rate at capacity factor by "
    "chance; tokens dropped by random routing at capacity factor 1.25; binomial overflow of experts; "
    "token drop probability with balanced experts; expected overflow fraction uniform router",
    letters={**ROUTING, "T_g": ROUTED_TOKENS, "phi": CAPACITY_FACTOR},
    uses={"v_E": EXPERT_LOAD_VARIANCE.at()},
    given=(
        "k_E < E",
        "phi >= 1",
        "v_E <= 2*phi - 1 -- the emptier experts would have less than nothing",
    ),
    oracle=drop_from_every_routing,
    convention="A bound on the mean over routings in which each token picks `k_E` different experts at "
    "random, all equally likely. It is about a quarter above that mean where experts have places for the "
    "mean load, and many times above where they have room for several standard deviations.",
    chain="""
    x_rand = (sqrt((phi - 1)^2 + v_E) - (phi - 1))/2     -- the most at this variance
      = (sqrt((phi - 1)^2 + (E - k_E)/(k_E*T_g)) - (phi - 1))/2     -- put the variance in
    """,
)


def most_on_one(E: int, square: Fraction) -> tuple[Fraction, Fraction]:
    """A bracket of the most that one of `E` loads of mean 1 and this mean square deviation can be.

    Some get more and the others as much less, until the loads deviate that far; any number of them.
    """

    def deviation(more: Fraction, hot: int) -> Fraction:
        loads = [1 + more] * hot + [1 - more * hot / (E - hot)] * (E - hot)
        return sum(((load - 1) ** 2 for load in loads), Fraction(0)) / E

    best = Fraction(1), Fraction(1)
    for hot in range(1, E):
        low, high = Fraction(0), Fraction(E)
        for _ in range(50):
            middle = (low + high) / 2
            low, high = (middle, high) if deviation(middle, hot) <= square else (low, middle)
        best = max(best, (1 + low, 1 + high))
    return best


def heap_on_some(E: int, delta: Fraction) -> tuple[Fraction, Fraction]:
    """Some experts get more and the others less, until the loads have the spread; the most one gets."""
    only_if(E <= 24)
    return most_on_one(E, delta * delta)


SPREAD_HOTTEST_EXPERT = derivation(
    "spread-hottest-expert",
    title="Most tokens one expert can have, over the mean, at a known spread",
    phrases="hottest expert from the standard deviation of loads; max load from coefficient of "
    "variation; Samuelson inequality for expert loads; peak expert load given load spread; how hot can "
    "one expert be",
    unit=ONE,
    letters={"E": EXPERTS, "delta": SPREAD},
    given=("E >= 2", "delta^2 <= E - 1 -- one expert would have more than all tokens"),
    source=SAMUELSON,
    oracle=heap_on_some,
    convention="Of all loads with this standard deviation over their mean, those in which one expert is "
    "hottest: all others are equal.",
    chain="""
    lambda_most = 1 + sqrt(E*delta^2/(1 + (E - 1)*(1/(E - 1))^2))
                         -- squares add to `E*delta^2`: one expert's, and of others that lack its surplus
      = 1 + sqrt(delta^2*(E - 1))               -- `1 + 1/(E - 1) = E/(E - 1)`
      = 1 + delta*sqrt(E - 1)                   -- the root of a square
    """,
)


def log2_bracket(number: Fraction) -> tuple[Fraction, Fraction]:
    """A bracket of the binary logarithm of a number from 1 on: its digits, read off squares."""
    whole = (number.numerator // number.denominator).bit_length() - 1
    low, rest, place = Fraction(whole), number / 2**whole, Fraction(1, 2)
    for _ in range(40):
        rest = (rest * rest).limit_denominator(10**20)
        if rest >= 2:
            low, rest = low + place, rest / 2
        place /= 2
    return low, low + 2 * place + Fraction(1, 10**10)


def weigh_every_routing(E: int, k_E: int, T_g: int) -> tuple[Fraction, Fraction]:
    """All routings, each load weighed with a power of it; the load with the weight of all experts."""
    only_if(T_g <= 60 and E <= 24)
    ways = every_load(E, k_E, T_g)
    routings = sum(ways.values())
    mean = Fraction(sum(load * number for load, number in ways.items()), routings)
    steepness = try_every_routing(E, k_E, T_g) * sum(log2_bracket(Fraction(E))) / 2
    base = 1 + Fraction(math.sqrt(steepness)).limit_denominator(10**12)
    weight = sum((number * base**load for load, number in ways.items()), Fraction(0)) / routings
    (least, most), (short, long) = log2_bracket(E * weight), log2_bracket(base)
    return least / (long * mean), most / (short * mean)


RANDOM_HOTTEST_EXPERT = derivation(
    "random-hottest-expert",
    title="Load of the hottest expert under random routing, over the mean, at most",
    phrases="expected maximum expert load with uniform routing; balls into bins maximum of experts; "
    "hottest expert by chance; straggler expert under random routing; how far above the mean is the "
    "busiest expert; expected max load of perfectly balanced router",
    unit=ONE,
    letters={**ROUTING, "T_g": ROUTED_TOKENS},
    uses={"v_E": EXPERT_LOAD_VARIANCE.at()},
    given=("k_E < E",),
    source=MOMENTS,
    oracle=weigh_every_routing,
    convention="A bound on the mean over routings in which each token picks `k_E` different experts at "
    "random, all equally likely. It holds with any number above 1 whose powers weigh the loads; "
    "`1 + sqrt(v_E*log2(E))` is near the best one. For few experts `1 + sqrt(v_E*(E - 1))` is nearer.",
    leaves_out="What a router has learned: real loads are more uneven unless they are balanced.",
    chain="""
    lambda_rand = log2(E*(1 + k_E/E*sqrt(v_E*log2(E)))^T_g)/(log2(1 + sqrt(v_E*log2(E)))*(T_g*k_E/E))
                          -- the most's power is below the sum of all; each token adds a factor by chance
      = (log2(E) + T_g*log2(1 + k_E/E*sqrt(v_E*log2(E))))/(log2(1 + sqrt(v_E*log2(E)))*(T_g*k_E/E))
                          -- the logarithm of a product
    """,
)
