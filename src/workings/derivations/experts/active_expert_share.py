"""The share of expert parameters a token uses."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.experts._letters import EXPERT, ROUTING
from workings.derivations.experts._matmuls import expert_weights
from workings.derivations.experts._sources import DEEPSEEK_MOE
from workings.simulate.routing import even_routes
from workings.simulate.tensors import total_elements
from workings.units import ONE
from workings.vocabulary.model import SHARED_EXPERTS


def list_the_weights_used(D: int, F_E: int, n_f: int, E: int, k_E: int, E_s: int) -> Fraction:
    """Every matrix of the block listed; those of a token's route and of shared experts over all."""
    every = [*range(E), *("shared" for _ in range(E_s))]
    (route,) = even_routes(1, E, k_E)
    used = [expert for expert in every if expert == "shared" or expert in route]
    count = {id_: sum(total_elements(expert_weights(n_f, D, F_E)) for _ in experts)
             for id_, experts in (("used", used), ("every", every))}  # fmt: skip
    return Fraction(count["used"], count["every"])


ACTIVE_EXPERT_SHARE = derivation(
    "active-expert-share",
    title="Share of the expert parameters that one token uses",
    unit=ONE,
    letters={**EXPERT, **ROUTING, "E_s": SHARED_EXPERTS},
    given=("k_E <= E",),
    source=DEEPSEEK_MOE,
    oracle=list_the_weights_used,
    convention="Shared experts are as wide as routed ones.",
    leaves_out="Attention, router and embeddings, of which a token uses all.",
    chain="""
    x_act = (k_E*n_f*D*F_E + E_s*n_f*D*F_E)/(E*n_f*D*F_E + E_s*n_f*D*F_E)  -- used, over all
      = (k_E + E_s)*(n_f*D*F_E)/((E + E_s)*(n_f*D*F_E))         -- factor
      = (k_E + E_s)/(E + E_s)                                   -- cancel
    """,
)
