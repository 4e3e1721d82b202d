"""Parameters of a mixture of experts that one token uses."""

from workings.derivation import derivation
from workings.derivations.parameters._letters import ACTIVE, MIXTURE, described
from workings.derivations.parameters._sources import transformers
from workings.derivations.parameters.ffn_block_parameters import FFN_BLOCK_PARAMETERS
from workings.derivations.parameters.router_parameters import ROUTER_PARAMETERS
from workings.simulate.weights import choose, count, mixture
from workings.units import ONE
from workings.vocabulary.kinds import WITH_EXPERTS


def route_one_token(**letters: int) -> int:
    """A token scores the experts; the router and the experts it goes to are listed and added up."""
    architecture = described(**letters)
    return count(mixture(architecture, choose(architecture)))


MIXTURE_ACTIVE_PARAMETERS = derivation(
    "mixture-active-parameters",
    title="Active parameters of a mixture of experts",
    unit=ONE,
    noun="parameters",
    letters={**MIXTURE, **ACTIVE},
    uses={
        "P_router": ROUTER_PARAMETERS.at(),
        "P_exp": FFN_BLOCK_PARAMETERS.at(F="F_E", beta_f="0"),
    },
    given=("k_E <= E",),
    source=transformers("qwen2_moe", "Qwen2MoeSparseMoeBlock"),
    oracle=route_one_token,
    convention="One block, one token: the whole router, the experts the token goes to, the shared ones.",
    holds_for={WITH_EXPERTS: "ffn-block-parameters"},
    chain="""
    A_mix = P_router + sum(P_exp, (i, 1, k_E)) + sum(P_exp, (i, 1, E_s)) + beta_s*D
                                                -- every expert is scored, `k_E` of them are used
      = P_router + (k_E + E_s)*P_exp + beta_s*D -- equal experts
    """,
)
