"""What every tensor-parallel rank holds whole of a mixture of experts."""

from typing import Any

from workings.derivation import derivation
from workings.derivations.parameters._letters import ROUTER, described
from workings.derivations.parameters.mixtures import ROUTER_PARAMETERS
from workings.derivations.tensor_parallel._copied import whole
from workings.derivations.tensor_parallel._sources import MEGATRON_ROUTER
from workings.simulate.rank_tensors import mixture
from workings.units import ONE
from workings.vocabulary.model import SHARED_GATE


def list_what_is_whole(**letters: Any) -> int:
    """The tensors of a mixture placed on tensor-parallel ranks; those that no rank cuts, added up."""
    return whole(mixture(described(**letters)))


TP_COPIED_MIXTURE_PARAMETERS = derivation(
    "tp-copied-mixture-parameters",
    title="Parameters of a mixture that every tensor-parallel rank holds whole",
    unit=ONE,
    noun="parameters",
    letters={**ROUTER, "beta_s": SHARED_GATE},
    uses={"P_router": ROUTER_PARAMETERS.at()},
    source=MEGATRON_ROUTER,
    oracle=list_what_is_whole,
    convention="Beside attention and norms. Every rank scores its tokens with the whole router.",
    chain="""
    R_mix = P_router + beta_s*D           -- the router, and the gate of the shared experts
      = E*(D + beta_r) + beta_s*D         -- its vectors and biases put in
    """,
)
