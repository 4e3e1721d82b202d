"""How uneven the load of ranks can get."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.experts._dealt import too_many
from workings.derivations.experts._letters import ROUTING, SPREAD_OUT
from workings.derivations.experts._sources import DEEPSEEK_MOE
from workings.simulate.routing import exchange, greedy_routes
from workings.units import ONE
from workings.vocabulary.experts import ROUTED_TOKENS
from workings.vocabulary.layout import EP


def send_all_to_the_first_rank(e: int, E: int, k_E: int, T_g: int) -> Fraction | None:
    """Every token takes the first experts; the first rank's load over the mean of all ranks."""
    if too_many(T_g, e, k_E):
        return None
    routes = [greedy_routes(T_g, E, k_E)] + [[] for _ in range(e - 1)]
    computed = exchange(routes, E).computed
    each = len(computed) // e
    loads = [sum(computed[rank * each : (rank + 1) * each]) for rank in range(e)]
    return Fraction(max(loads) * e, sum(loads))


WORST_IMBALANCE = derivation(
    "worst-imbalance",
    title="Largest load of a rank over the mean",
    unit=ONE,
    letters={"e": EP, **ROUTING, "T_g": ROUTED_TOKENS},
    given=SPREAD_OUT,
    source=DEEPSEEK_MOE,
    oracle=send_all_to_the_first_rank,
    convention="No capacity. A token's experts differ: a rank of `E/e` gets at most `E/e` copies of it.",
    chain="""
    lambda_max = T_g*min(k_E, E/e)/(T_g*k_E/e)    -- all that one rank can get, over the mean
      = e*min(k_E, E/e)/k_E                       -- cancel the tokens
      = min(e, E/k_E)                             -- divide within the minimum
    """,
)
