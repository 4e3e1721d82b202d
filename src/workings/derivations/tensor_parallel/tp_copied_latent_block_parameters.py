"""What every tensor-parallel rank holds whole of a block with latent attention."""

from typing import Any

from workings.derivation import derivation
from workings.derivations.parameters._letters import NORM
from workings.derivations.tensor_parallel._copied import CONVENTION, on_both_ranks
from workings.derivations.tensor_parallel._sources import MEGATRON_LATENT_LAYERS
from workings.units import ONE
from workings.vocabulary.model import FFN_BIAS, KV_RANK, NORMS, Q_RANK, ROPE_DIM


def list_what_is_whole(**letters: Any) -> int:
    """The tensors of a block placed on tensor-parallel ranks; those that no rank cuts, added up."""
    return on_both_ranks(**letters)


TP_COPIED_LATENT_BLOCK_PARAMETERS = derivation(
    "tp-copied-latent-block-parameters",
    title="Parameters of a block with MLA that every tensor-parallel rank holds whole",
    unit=ONE,
    noun="parameters",
    letters={
        **NORM, "n_n": NORMS, "r_q": Q_RANK, "r_kv": KV_RANK, "d_r": ROPE_DIM, "beta_f": FFN_BIAS,
    },
    source=MEGATRON_LATENT_LAYERS,
    oracle=list_what_is_whole,
    convention=CONVENTION + " The ways down to the latents are whole, the ways up are cut by heads.",
    chain="""
    R_mla = n_n*(1 + beta_n)*D + D*r_q + r_q + D*(r_kv + d_r) + r_kv + beta_f*D
                               -- norms; both ways down, and each latent's own norm; a bias
      = (n_n*(1 + beta_n) + r_q + r_kv + d_r + beta_f)*D + r_q + r_kv        -- collect
    """,
)  # fmt: skip
