"""The largest model that a budget trains on enough tokens."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.compute.rule_of_six import TRAINING_FLOPS_SIX_N
from workings.derivations.scale._sources import CHINCHILLA
from workings.derivations.scale.budget_in_pairs import BUDGET_IN_PAIRS
from workings.units import ONE
from workings.vocabulary.model import PARAMETERS
from workings.vocabulary.scale import COMPUTE_BUDGET
from workings.vocabulary.training import TOKENS_PER_PARAMETER


def spend_the_budget(P: int, c_t: Fraction, Phi: Fraction) -> bool | None:
    """Parameter by parameter, its FLOPs for every token of the run taken from the budget."""
    if P > 5_000:
        return None
    tokens, left = c_t * P, Phi
    for _ in range(P):
        left -= (2 + 2 + 2) * tokens
    return left >= 0


COMPUTE_OPTIMAL_PARAMETERS = derivation(
    "compute-optimal-parameters",
    title="Parameters that a compute budget trains on `c_t` tokens each (Chinchilla: 20)",
    unit=ONE,
    noun="parameters",
    letters={"P": PARAMETERS, "c_t": TOKENS_PER_PARAMETER, "Phi": COMPUTE_BUDGET},
    uses={"f_6": TRAINING_FLOPS_SIX_N.at(T_tok="c_t*P"), "N_pair": BUDGET_IN_PAIRS.at()},
    source=CHINCHILLA,
    oracle=spend_the_budget,
    convention="Parameters and tokens grow together: twice the model, four times the budget.",
    leaves_out="Attention's core; the paper's own count of FLOPs is finer.",
    chain="""
    f_6 <= Phi                               -- the run fits the budget
      <=> 6[FLOP]*P*(c_t*P) <= Phi           -- `c_t` tokens a parameter
      <=> P^2 <= N_pair                      -- `P` parameters are `P^2` pairs
      <=> P <= sqrt(N_pair)                  -- the root of `Phi/120` at 20 tokens a parameter
    """,
)
