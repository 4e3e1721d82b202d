"""The tokens that a budget is spent on."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.compute.rule_of_six import TRAINING_FLOPS_SIX_N
from workings.derivations.scale._sources import CHINCHILLA
from workings.derivations.scale.budget_in_pairs import BUDGET_IN_PAIRS
from workings.units import ONE
from workings.vocabulary.scale import COMPUTE_BUDGET
from workings.vocabulary.training import TOKENS_PER_PARAMETER, TRAINING_TOKENS


def spend_on_every_token(T_tok: int, c_t: Fraction, Phi: Fraction) -> bool | None:
    """Token by token, its FLOPs with every parameter of the model taken from the budget."""
    if T_tok > 5_000:
        return None
    parameters, left = T_tok / c_t, Phi
    for _ in range(T_tok):
        left -= (2 + 2 + 2) * parameters
    return left >= 0


COMPUTE_OPTIMAL_TOKENS = derivation(
    "compute-optimal-tokens",
    title="Tokens that a compute budget trains, `c_t` a parameter (Chinchilla: 20)",
    unit=ONE,
    noun="tokens",
    letters={"T_tok": TRAINING_TOKENS, "c_t": TOKENS_PER_PARAMETER, "Phi": COMPUTE_BUDGET},
    uses={"f_6": TRAINING_FLOPS_SIX_N.at(P="T_tok/c_t"), "N_pair": BUDGET_IN_PAIRS.at()},
    source=CHINCHILLA,
    oracle=spend_on_every_token,
    convention="Parameters and tokens grow together: twice the tokens, four times the budget.",
    leaves_out="Attention's core; the paper's own count of FLOPs is finer.",
    chain="""
    f_6 <= Phi                               -- the run fits the budget
      <=> 6[FLOP]*(T_tok/c_t)*T_tok <= Phi   -- a parameter for every `c_t` tokens
      <=> (T_tok/c_t)^2 <= N_pair            -- `T_tok/c_t` parameters, in pairs
      <=> T_tok <= c_t*sqrt(N_pair)          -- 20 times the parameters, at 20 tokens each
    """,
)
