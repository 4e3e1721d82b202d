"""What the oracles of this topic share: tokens dealt to ranks, and rounds of routing.

Routed in turn, tokens load every expert
equally after a round; what a round moves counts for the rank's tokens in proportion.
"""

from fractions import Fraction

from workings.simulate.routing import Route, even_routes

MOST = 6_000  # copies of tokens an oracle moves at one point


def dealt_tokens(b_m: int, s: int, c: int, t: int) -> Fraction:
    """Tokens of one micro-batch on the fullest rank, each sequence dealt out position by position."""
    held = [0] * (c * t)
    for _ in range(b_m):
        for position in range(s):
            held[position % len(held)] += 1
    return Fraction(max(held))


def one_round(E: int, k_E: int) -> list[Route]:
    """Routes in turn, from one token on, until every expert has had equally many."""
    tokens = 1
    while True:
        routes = even_routes(tokens, E, k_E)
        loads = dict.fromkeys(range(E), 0)
        for route in routes:
            for expert in route:
                loads[expert] += 1
        if len(set(loads.values())) == 1:
            return routes
        tokens += 1


def too_many(tokens: int, e: int, k_E: int) -> bool:
    """Whether so many tokens on `e` ranks are more than an oracle should move."""
    return tokens * e * k_E > MOST
