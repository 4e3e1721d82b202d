"""Latent attention.

Multi-head latent attention stores a short vector in place of keys and values, and sometimes of queries:
one matrix leads down to it, a norm follows, and one leads up for each head. The key has a part that
carries the position, shared by all heads. Queries and keys with values are counted first, then all of it
with the output.
"""

from workings.derivation import derivation
from workings.derivations.parameters._letters import LATENT, LATENT_KV, LATENT_QUERY, described
from workings.derivations.parameters._sources import transformers
from workings.simulate.weights import count, latent_attention, latent_key_value, latent_query
from workings.units import ONE
from workings.vocabulary.kinds import LATENT_ATTENTION


def list_the_query(**letters: int) -> int:
    """A list of the query's matrices and norm, compressed or full, elements added up."""
    return count(latent_query(described(**letters)))


MLA_QUERY_PARAMETERS = derivation(
    "mla-query-parameters",
    title="Parameters of the queries of multi-head latent attention",
    phrases="MLA query weights; q_a_proj and q_b_proj parameters; q_lora_rank; DeepSeek query down and "
    "up projection weights; low-rank query compression weights",
    unit=ONE,
    noun="parameters",
    letters=LATENT_QUERY,
    source=transformers("deepseek_v3", "DeepseekV3Attention: q_a_proj, q_b_proj or q_proj"),
    oracle=list_the_query,
    convention="One block. `r_q = 0` says that the query is not compressed (DeepSeek-V2-Lite); "
    "`min(1, r_q)` is 1 where it is, else 0.",
    chain="""
    P_q = D*r_q + r_q + sum(r_q*(d_n + d_r), (i, 1, H))
          + (1 - min(1, r_q))*sum(D*(d_n + d_r), (i, 1, H))
                    -- down to `r_q`, its norm, up to each head; or else a full matrix a head
      = r_q*(D + 1 + H*(d_n + d_r)) + (1 - min(1, r_q))*H*D*(d_n + d_r)     -- equal heads
    """,
)


def list_keys_and_values(**letters: int) -> int:
    """A list of the matrices that compress and rebuild keys and values, elements added up."""
    return count(latent_key_value(described(**letters)))


MLA_KV_PARAMETERS = derivation(
    "mla-kv-parameters",
    title="Parameters of the keys and values of multi-head latent attention",
    phrases="W^UK and W^UV up-projection sizes; "
    "low-rank joint compression of keys and values; "
    "MLA key-value weights; kv_a_proj and kv_b_proj parameters; kv_lora_rank; compressed kv "
    "projection weights in DeepSeek; DeepSeek latent KV down- and up-projection matrices; weights of "
    "latent kv compression",
    unit=ONE,
    noun="parameters",
    letters=LATENT_KV,
    source=transformers("deepseek_v3", "DeepseekV3Attention: kv_a_proj_with_mqa, kv_b_proj"),
    oracle=list_keys_and_values,
    convention="One block.",
    chain="""
    P_kv = D*r_kv + D*d_r + r_kv + sum(r_kv*(d_n + d_v), (i, 1, H))
              -- down to `r_kv`, one rotary key for all heads, the norm, up to each head's key and value
      = D*(r_kv + d_r) + r_kv*(1 + H*(d_n + d_v))   -- equal heads
    """,
)


def list_latent_attention(**letters: int) -> int:
    """A list of every matrix and norm of latent attention, elements added up."""
    return count(latent_attention(described(**letters)))


MLA_PARAMETERS = derivation(
    "mla-parameters",
    title="Parameters of multi-head latent attention (MLA)",
    phrases="MLA weights; latent attention parameter count; DeepSeek attention size; kv_lora_rank "
    "q_lora_rank qk_rope_head_dim v_head_dim to weights; low-rank compressed attention weights in "
    "total; how big is attention in DeepSeek-V3",
    unit=ONE,
    noun="parameters",
    letters=LATENT,
    uses={"P_q": MLA_QUERY_PARAMETERS.at(), "P_kv": MLA_KV_PARAMETERS.at()},
    source=transformers("deepseek_v3", "DeepseekV3Attention"),
    oracle=list_latent_attention,
    convention="One block, without biases, as in DeepSeek-V2 and V3.",
    holds_for={LATENT_ATTENTION: "attention-parameters"},
    chain="""
    P_mla = P_q + P_kv + sum(d_v*D, (i, 1, H))
                                      -- queries, keys and values, and the output's rows of each head
      = P_q + P_kv + H*d_v*D          -- equal heads
    """,
)
