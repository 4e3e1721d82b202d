"""Parameters of a router."""

from workings.derivation import derivation
from workings.derivations.parameters._letters import ROUTER, described
from workings.derivations.parameters._sources import transformers
from workings.simulate.weights import count, router
from workings.units import ONE


def list_the_scores(**letters: int) -> int:
    """A list of the vector, and the bias, that scores each expert, elements added up."""
    return count(router(described(**letters)))


ROUTER_PARAMETERS = derivation(
    "router-parameters",
    title="Parameters of a router",
    unit=ONE,
    noun="parameters",
    letters=ROUTER,
    source=transformers("deepseek_v3", "DeepseekV3TopkRouter"),
    oracle=list_the_scores,
    convention="One block. DeepSeek-V3's bias balances load and is set by rule, not by gradient: "
    "transformers keeps it as a buffer.",
    chain="""
    P_router = sum(D + beta_r, (i, 1, E))     -- a vector, and perhaps a bias, scores each expert
      = E*(D + beta_r)                        -- `E` equal experts
    """,
)
