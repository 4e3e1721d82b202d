"""What every tensor-parallel rank holds whole of a dense block."""

from typing import Any

from workings.derivation import derivation
from workings.derivations.parameters._letters import BLOCK_NORMS
from workings.derivations.parameters.feed_forward import BLOCK_NORM_PARAMETERS
from workings.derivations.tensor_parallel._copied import CONVENTION, on_both_ranks
from workings.derivations.tensor_parallel._sources import MEGATRON_CORE_LAYERS
from workings.units import ONE
from workings.vocabulary.model import FFN_BIAS, OUT_BIAS


def list_what_is_whole(**letters: Any) -> int:
    """The tensors of a block placed on tensor-parallel ranks; those that no rank cuts, added up."""
    return on_both_ranks(**letters)


TP_COPIED_BLOCK_PARAMETERS = derivation(
    "tp-copied-block-parameters",
    title="Parameters of a block that every tensor-parallel rank holds whole",
    unit=ONE,
    noun="parameters",
    letters={**BLOCK_NORMS, "beta_o": OUT_BIAS, "beta_f": FFN_BIAS},
    uses={"P_norms": BLOCK_NORM_PARAMETERS.at()},
    source=MEGATRON_CORE_LAYERS,
    oracle=list_what_is_whole,
    convention=CONVENTION,
    leaves_out="Key and value heads that ranks hold in copies where there are more ranks than heads.",
    chain="""
    R_b = P_norms + beta_o*D + beta_f*D
                          -- norms; the biases of attention's output and of the feed-forward's last matrix
      = (1 + beta_n)*(n_n*D + n_qk*d_h) + (beta_o + beta_f)*D      -- the norms' parameters put in
    """,
)
