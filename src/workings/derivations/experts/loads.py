"""Tokens and loads.

How many tokens a rank has and an expert gets is what everything after it is multiplied by. In the mean
each expert gets an even share. Its places are rounded up and may have room to spare; tokens beyond the
places of an expert that is too popular are dropped. Random routing spreads more evenly the more tokens
there are, and the variance says from how many. At worst all tokens choose the experts of one rank, and
that bounds the imbalance.
"""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import lcm

from workings.derivation import Source, derivation, like, only_if
from workings.derivations.experts._letters import ROUTING, SPREAD_OUT, TOKENS
from workings.derivations.sources import DEEPSEEK_V3, SEQUENCE_PARALLEL, megatron_lm
from workings.simulate.routing import Route, even_routes, exchange, greedy_routes
from workings.units import ONE
from workings.vocabulary.experts import CAPACITY_FACTOR, EXPERT_TOKENS, IMBALANCE, ROUTED_TOKENS, SPREAD
from workings.vocabulary.layout import EP, ETP
from workings.vocabulary.model import EXPERTS

SWITCH = Source(
    "Fedus et al.",
    "Switch Transformers: Scaling to Trillion Parameter Models with Simple and Efficient Sparsity",
    2022,
    "section 2.2, equation 3",
    "https://arxiv.org/abs/2101.03961",
)

GSHARD = Source(
    "Lepikhin et al.",
    "GShard: Scaling Giant Models with Conditional Computation and Automatic Sharding",
    2020,
    "section 3.1, algorithm 2",
    "https://arxiv.org/abs/2006.16668",
)

MOST = 6_000  # copies of tokens an oracle moves at one point


def deal_a_micro_batch(b_m: int, s: int, c: int, t: int) -> Fraction:
    """Tokens dealt out one by one to the `c*t` ranks that share a sequence; the fullest rank."""
    held = [0] * (c * t)
    for position in range(s):
        held[position % len(held)] += b_m
    return Fraction(max(held))


RANK_TOKENS = derivation(
    "rank-tokens",
    title="Tokens of a micro-batch on one rank",
    phrases="tokens per GPU in a microbatch; bs/(ct); local token count; how many tokens does each GPU "
    "process; mbs times seq over cp and tp; local batch times local sequence length; sequence slice "
    "times micro batch size; local tokens entering the MoE layer; how many tokens does my card see at "
    "once",
    unit=ONE,
    noun="tokens",
    letters=TOKENS,
    given=("c*t divides s",),
    source=SEQUENCE_PARALLEL,
    oracle=deal_a_micro_batch,
    convention="Sequence parallelism: between blocks the `t` tensor-parallel ranks share the tokens of "
    "each sequence.",
    chain="""
    T = sum(s/c, (i, 1, b_m))/t     -- `s/c` tokens of each sequence, shared by `t` ranks
      = b_m*(s/c)/t                 -- equal terms
      = b_m*s/(c*t)                 -- collect
    """,
)


def one_round(E: int, k_E: int) -> list[Route]:
    """Routes in turn, from one token on, until every expert has had equally many.

    What a round moves counts for a rank's tokens in proportion.
    """
    tokens = 1
    while True:
        routes = even_routes(tokens, E, k_E)
        loads = Counter(expert for route in routes for expert in route)
        if len({loads[expert] for expert in range(E)}) == 1:
            return routes
        tokens += 1


@dataclass(frozen=True)
class Copies:
    """A token's copies, in the mean: those that leave its rank, come back, and that a rank computes."""

    dispatched: Fraction
    combined: Fraction
    computed: Fraction


def copies_of_a_token(e: int, E: int, k_E: int) -> Copies:
    """A round of tokens on each of `e` ranks really exchanged, if these are not too many to move."""
    routes = one_round(E, k_E)
    tokens = len(routes)
    only_if(tokens * e * k_E <= MOST)
    run = exchange([routes] * e, E)
    sent, back = Fraction(run.dispatched[0], tokens), Fraction(run.combined[0], tokens)
    return Copies(sent, back, Fraction(sum(run.computed), e * tokens))


def count_what_experts_receive(e: int, t_e: int, E: int, k_E: int, **tokens: int) -> Fraction:
    """Tokens routed in turn to experts on ranks, and counted there."""
    routes = one_round(E, k_E)
    only_if(len(routes) * e * t_e * k_E <= MOST)
    # Ranks of one tensor-parallel group of experts compute on all its tokens.
    computed = t_e * exchange([routes] * e, E).computed[0]
    return deal_a_micro_batch(**tokens) * computed / len(routes)


TOKENS_PER_EXPERT = derivation(
    "tokens-per-expert",
    title="Tokens an expert receives, on average",
    phrases="average tokens per expert; mean expert load; expert batch size; how many words does each "
    "expert get; top-k tokens over num_experts; is my batch large enough for 256 experts; T times k "
    "over E; tokens routed to one expert; how many tokens does each expert see",
    unit=ONE,
    noun="tokens",
    fractional="on average over the experts",
    letters={**TOKENS, "e": EP, "t_e": ETP, **ROUTING},
    uses={"T": RANK_TOKENS.at()},
    given=("e divides E", "k_E <= E", "c*t divides s"),
    source=SWITCH,
    oracle=count_what_experts_receive,
    convention="Per micro-batch and block, over the `e*t_e` ranks that share one set of experts.",
    chain="""
    T_E = sum(k_E*T, (i, 1, e*t_e))/E     -- each rank sends each of its tokens to `k_E` experts
      = e*t_e*k_E*T/E                     -- equal terms
      = e*t_e*k_E*b_m*s/(c*t*E)           -- put the tokens in
    """,
)


def add_places_until_enough(E: int, k_E: int, phi: Fraction, **tokens: int) -> int:
    """Places added to every expert, one by one, until they hold the copies and the spare room."""
    copies = k_E * deal_a_micro_batch(**tokens)
    places = each = 0
    while places < phi * copies:
        places += E
        each += 1
        only_if(each <= 20_000)
    return each


EXPERT_CAPACITY = derivation(
    "expert-capacity",
    title="Places an expert keeps for one rank's tokens",
    phrases="expert capacity; capacity factor slots; max tokens per expert buffer; when does an expert "
    "overflow; GShard expert buffer size; how many slots per expert",
    unit=ONE,
    noun="tokens",
    letters={**TOKENS, **ROUTING, "phi": CAPACITY_FACTOR},
    uses={"T": RANK_TOKENS.at()},
    given=("k_E <= E", "c*t divides s"),
    source=megatron_lm("megatron/core/transformer/moe/moe_utils.py", "get_capacity"),
    oracle=add_places_until_enough,
    convention="Rounded up to whole tokens, as Megatron does (MegaBlocks rounds down).",
    chain="""
    C_E = ceil(phi*(sum(T, (i, 1, k_E))/E))   -- the even share of all copies, and room to spare
      = ceil(phi*k_E*T/E)                     -- equal terms
      = ceil(phi*k_E*b_m*s/(c*t*E))           -- put the tokens in
    """,
)


def give_every_expert_a_place(E: int, k_E: int, phi: Fraction, **tokens: int) -> bool:
    """Places for a rank's copies and the spare room, given to one expert after the other."""
    room = phi * sum(deal_a_micro_batch(**tokens) for _ in range(k_E))
    only_if(E <= 20_000)
    for _expert in range(E):
        room -= 1
    return room >= 0


CAPACITY_FLOOR = like(
    "expert-capacity-floor",
    EXPERT_CAPACITY,
    title="Experts up to which each has a whole place for a rank's tokens",
    phrases="capacity falls under one token; what limits adding devices; group size for many "
    "experts; largest number of experts for a local batch; GShard scaling limit of capacity; how many "
    "experts before capacity rounds to zero; tokens a group needs so that every expert gets one",
    noun="experts",
    source=GSHARD.at("section 5.2"),
    oracle=give_every_expert_a_place,
    convention="With more experts an even share is less than a token: capacities are rounded up, and "
    "most places stay empty.",
    chain="""
    phi*k_E*T/E >= 1                       -- an even share of the places, before rounding
      <=> E <= phi*k_E*T                   -- multiply by the experts
      <=> E <= phi*k_E*b_m*s/(c*t)         -- put the tokens in
    """,
)


def fill_the_places(E: int, n_E: int, phi: Fraction, **popular: Fraction) -> Fraction:
    """Tokens queue before their experts and fill the places one by one; the rest are dropped."""
    hot = popular["lambda"] * n_E  # a word of Python's own, so no name of an argument
    other = (E * n_E - hot) / (E - 1) if E > 1 else Fraction(0)
    whole = lcm(hot.denominator, other.denominator, (phi * n_E).denominator)
    only_if(whole * E * n_E <= 50_000)
    queues = [int(hot * whole)] + [int(other * whole)] * (E - 1)
    places = int(phi * n_E * whole)
    dropped = total = 0
    for queue in queues:
        free = places
        for _ in range(queue):
            total += 1
            dropped += free == 0
            free -= free > 0
    return Fraction(dropped, total)


DROPPED_SHARE = derivation(
    "dropped-share",
    title="Share of tokens dropped when one expert is too popular",
    phrases="token drop rate; overflow fraction with capacity factor; dropped tokens hot expert; tokens "
    "lost when expert is full; percentage of skipped tokens",
    unit=ONE,
    letters={"E": EXPERTS, "n_E": EXPERT_TOKENS, "phi": CAPACITY_FACTOR, "lambda": IMBALANCE},
    given=("phi >= 1", "lambda >= phi", "lambda <= E"),
    source=SWITCH,
    oracle=fill_the_places,
    convention="One expert draws `lambda` times the mean `n_E`, the others share the rest evenly.",
    leaves_out="Rounding the capacity to whole tokens.",
    chain="""
    x_drop = (lambda*n_E - phi*n_E)/(E*n_E)   -- beyond the popular expert's places, over all tokens
      = (lambda - phi)*n_E/(E*n_E)            -- factor
      = (lambda - phi)/E                      -- cancel
    """,
)


def every_load(E: int, k_E: int, T_g: int) -> dict[int, int]:
    """All choices of experts, token after token: what the first expert gets, and in how many routings."""
    choices = list(combinations(range(E), k_E))
    chosen = sum(1 for choice in choices if 0 in choice)
    ways = {0: 1}
    for _ in range(T_g):
        after: dict[int, int] = {}
        for load, number in ways.items():
            after[load + 1] = after.get(load + 1, 0) + number * chosen
            after[load] = after.get(load, 0) + number * (len(choices) - chosen)
        ways = after
    return ways


def try_every_routing(E: int, k_E: int, T_g: int) -> Fraction:
    """All choices of experts, token after token; the first expert's tokens, squared from the mean."""
    ways = every_load(E, k_E, T_g)
    routings = sum(ways.values())
    mean = Fraction(sum(load * number for load, number in ways.items()), routings)
    squares = sum(number * (load - mean) * (load - mean) for load, number in ways.items())
    return squares / (routings * mean * mean)


EXPERT_LOAD_VARIANCE = derivation(
    "expert-load-variance",
    title="Variance of an expert's tokens, over their mean squared",
    phrases="variance of tokens per expert; load spread under random routing; coefficient of variation "
    "of expert load; Shazeer importance and load loss statistic; how uneven is random routing",
    unit=ONE,
    letters={**ROUTING, "T_g": ROUTED_TOKENS},
    given=("k_E <= E",),
    source=DEEPSEEK_V3,
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


def compare_the_spread(E: int, k_E: int, T_g: int, delta: Fraction) -> bool:
    """The spread over all routings, counted, against the one that is wanted."""
    only_if(T_g <= 60)
    return try_every_routing(E, k_E, T_g) <= delta * delta


EVEN_LOAD_TOKENS = derivation(
    "even-load-tokens",
    title="Tokens from which random routing loads experts evenly",
    phrases="batch tokens for statistical balance; random routing concentration; tokens for balanced "
    "experts by chance; how many tokens until expert load evens out; enough tokens for law of large "
    "numbers on experts; statistical imbalance without aux loss",
    unit=ONE,
    noun="tokens",
    letters={**ROUTING, "T_g": ROUTED_TOKENS, "delta": SPREAD},
    uses={"v_E": EXPERT_LOAD_VARIANCE.at()},
    given=("k_E < E",),
    source=DEEPSEEK_V3,
    oracle=compare_the_spread,
    convention="Random routing; `delta` is the standard deviation of an expert's tokens over their mean.",
    chain="""
    v_E <= delta^2                                -- the variance is the spread squared
      <=> (E - k_E)/(k_E*T_g) <= delta^2          -- put the variance in
      <=> T_g >= (E - k_E)/(k_E*delta^2)          -- solve for the tokens
    """,
)


def send_all_to_the_first_rank(e: int, E: int, k_E: int, T_g: int) -> Fraction:
    """Every token takes the first experts; the first rank's load over the mean of all ranks."""
    only_if(T_g * e * k_E <= MOST)
    routes = [greedy_routes(T_g, E, k_E)] + [[] for _ in range(e - 1)]
    computed = exchange(routes, E).computed
    each = len(computed) // e
    loads = [sum(computed[rank * each : (rank + 1) * each]) for rank in range(e)]
    return Fraction(max(loads) * e, sum(loads))


WORST_IMBALANCE = derivation(
    "worst-imbalance",
    title="Largest load of a rank over the mean",
    phrases="max load factor of EP; router collapse worst case; hottest rank over average; hot expert "
    "straggler; all tokens choose the same card's experts; load imbalance slows MoE layer; MaxVio of "
    "expert load; one GPU gets all the tokens",
    unit=ONE,
    letters={"e": EP, **ROUTING, "T_g": ROUTED_TOKENS},
    given=SPREAD_OUT,
    source=DEEPSEEK_V3,
    oracle=send_all_to_the_first_rank,
    convention="No capacity. A token's experts differ: a rank of `E/e` gets at most `E/e` copies of it.",
    chain="""
    lambda_max = T_g*min(k_E, E/e)/(T_g*k_E/e)    -- all that one rank can get, over the mean
      = e*min(k_E, E/e)/k_E                       -- cancel the tokens
      = min(e, E/k_E)                             -- divide within the minimum
    """,
)
