"""Attention's parameters on a rank."""

from workings.derivation import derivation
from workings.derivations.tensor_parallel._heads import ATTENTION, EVEN, EVEN_IN_WORDS, placed
from workings.derivations.tensor_parallel._sources import VLLM_HEADS
from workings.derivations.tensor_parallel.tp_kv_heads import TP_KV_HEADS
from workings.units import ONE


def add_up_a_ranks_heads(t: int, H: int, K: int, D: int, d_h: int) -> int:
    """Query heads dealt out with the key and value heads they need; a rank's weights added up."""
    return max(placed(t, H, K).values(rank, D, d_h) for rank in range(t))


TP_ATTENTION_PARAMETERS = derivation(
    "tp-attention-parameters",
    title="Attention parameters on a tensor-parallel rank",
    unit=ONE,
    noun="parameters",
    letters=ATTENTION,
    uses={"K_t": TP_KV_HEADS.at()},
    given=EVEN,
    source=VLLM_HEADS,
    oracle=add_up_a_ranks_heads,
    convention=f"One block. {EVEN_IN_WORDS}",
    leaves_out="Biases and norms.",
    chain="""
    P_t = (H/t)*D*d_h + 2*K_t*D*d_h + (H/t)*d_h*D    -- queries; keys and values; rows of the output
      = 2*D*d_h*(H/t + K_t)                          -- collect
      = 2*D*d_h*(H + max(K, t))/t                    -- beyond `K` ranks keys and values shrink no more
    """,
)
