"""Parameters of one block's mixture of experts."""

from workings.derivation import derivation
from workings.derivations.parameters._letters import MIXTURE, described
from workings.derivations.parameters._sources import transformers
from workings.derivations.parameters.ffn_block_parameters import FFN_BLOCK_PARAMETERS
from workings.derivations.parameters.router_parameters import ROUTER_PARAMETERS
from workings.simulate.weights import count, mixture
from workings.units import ONE
from workings.vocabulary.kinds import WITH_EXPERTS


def list_every_expert(E: int, **letters: int) -> int:
    """A list of the router, of every expert's matrices and of the gate, elements added up."""
    return count(mixture(described(E=E, **letters), range(E)))


MIXTURE_PARAMETERS = derivation(
    "mixture-parameters",
    title="Parameters of a mixture of experts",
    unit=ONE,
    noun="parameters",
    letters=MIXTURE,
    uses={
        "P_router": ROUTER_PARAMETERS.at(),
        "P_exp": FFN_BLOCK_PARAMETERS.at(F="F_E", beta_f="0"),
    },
    source=transformers("qwen2_moe", "Qwen2MoeSparseMoeBlock"),
    oracle=list_every_expert,
    convention="One block; it stands where a dense block has its feed-forward. Experts without "
    "biases; `beta_s` is 1 where a gate weighs the shared experts (Qwen2-MoE).",
    holds_for={WITH_EXPERTS: "ffn-block-parameters"},
    chain="""
    P_mix = P_router + sum(P_exp, (i, 1, E)) + sum(P_exp, (i, 1, E_s)) + beta_s*D
                                              -- the router, routed experts, shared experts, their gate
      = P_router + (E + E_s)*P_exp + beta_s*D -- equal experts
    """,
)
