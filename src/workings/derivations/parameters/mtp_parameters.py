"""Parameters of a multi-token prediction module."""

from workings.derivation import derivation
from workings.derivations.parameters._letters import LATENT, MIXTURE, NORM, described
from workings.derivations.parameters._sources import DEEPSEEK_WEIGHTS
from workings.derivations.parameters.mixture_parameters import MIXTURE_PARAMETERS
from workings.derivations.parameters.mla_parameters import MLA_PARAMETERS
from workings.derivations.parameters.norm_parameters import NORM_PARAMETERS
from workings.simulate.weights import block, count, linear, norm
from workings.units import ONE
from workings.vocabulary.model import NORMS


def list_the_module(D: int, beta_n: int, **letters: int) -> int:
    """A list of the tensors that join two inputs, of one expert block and of the norm after it."""
    joined = linear("eh_proj", D + D, D)
    names = ("enorm", "hnorm", "shared_head.norm")
    norms = (w for name in names for w in norm(name, D, beta_n))
    one = block(described(D=D, beta_n=beta_n, **letters), expert_block=True)
    return count(joined) + count(norms) + count(one)


MTP_PARAMETERS = derivation(
    "mtp-parameters",
    title="Parameters of a multi-token prediction module",
    unit=ONE,
    noun="parameters",
    letters={**LATENT, **NORM, "n_n": NORMS, **MIXTURE},
    uses={
        "P_mla": MLA_PARAMETERS.at(),
        "P_mix": MIXTURE_PARAMETERS.at(),
        "P_norm": NORM_PARAMETERS.at(),
    },
    source=DEEPSEEK_WEIGHTS,
    oracle=list_the_module,
    convention="What DeepSeek-V3's module adds to the model; its embedding and output tables are the "
    "model's own, though the released file holds a copy of each.",
    chain="""
    P_mtp = (D + D)*D + 3*P_norm + P_mla + P_mix + sum(P_norm, (i, 1, n_n))
                  -- joins hidden state and next token; norms of both and of the output; one block
      = 2*D^2 + P_mla + P_mix + (n_n + 3)*P_norm            -- collect
    """,
)
