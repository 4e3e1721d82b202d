"""The architectures that a Hugging Face config may name, and the defaults of each.

Defaults are those of transformers' configuration classes (5.23, `configuration_*.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from workings.scenario.hf_readings import (
    Figures,
    deepseek,
    deepseek_v3,
    gemma,
    gemma2,
    gemma3,
    glm4,
    gpt2,
    gpt_neox,
    llama,
    llama_like,
    mixtral,
    qwen2,
    qwen2_moe,
    qwen3,
    qwen3_moe,
    starcoder2,
)
from workings.scenario.hf_values import Config


@dataclass(frozen=True)
class Family:
    """One `model_type`: its class's defaults, other names of keys, and how it is read."""

    read: Callable[[Config], Figures]
    defaults: Mapping[str, Any]
    aliases: Mapping[str, str] = field(default_factory=dict)


def _sizes(inner: int, heads: int, **more: Any) -> dict[str, Any]:
    """The defaults that most classes have, under the names they give them."""
    return {
        "intermediate_size": inner,
        "num_attention_heads": heads,
        "num_key_value_heads": None,
        "head_dim": None,
        "tie_word_embeddings": False,
        "attention_bias": False,
        "mlp_bias": False,
        **more,
    }


_SPARSE = {"decoder_sparse_step": 1, "mlp_only_layers": None}
_WINDOW = {"use_sliding_window": False, "sliding_window": 4096}
_LATENT = {
    "kv_lora_rank": 512, "q_lora_rank": 1536, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64,
    "v_head_dim": 128, "moe_layer_freq": 1,
}  # fmt: skip

FAMILIES: dict[str, Family] = {
    "llama": Family(llama, _sizes(11008, 32)),
    "mistral": Family(llama_like, _sizes(14336, 32, num_key_value_heads=8, sliding_window=4096)),
    "mixtral": Family(
        mixtral,
        _sizes(14336, 32, num_key_value_heads=8, num_local_experts=8,
               num_experts_per_tok=2),
        {"num_local_experts": "num_experts"},
    ),
    "qwen2": Family(qwen2, _sizes(22016, 32, num_key_value_heads=32, **_WINDOW)),
    "qwen2_moe": Family(
        qwen2_moe,
        _sizes(5632, 16, num_key_value_heads=16, qkv_bias=True, num_experts=60,
               num_experts_per_tok=4, moe_intermediate_size=1408,
               shared_expert_intermediate_size=5632, **_SPARSE, **_WINDOW),
    ),
    "qwen3": Family(
        qwen3, _sizes(22016, 32, num_key_value_heads=32, head_dim=128, **_WINDOW)
    ),
    "qwen3_moe": Family(
        qwen3_moe,
        _sizes(6144, 32, num_key_value_heads=4, num_experts=128,
               num_experts_per_tok=8, moe_intermediate_size=768, **_SPARSE, **_WINDOW),
        {"num_experts": "num_local_experts"},
    ),
    "gemma2": Family(
        gemma2,
        _sizes(9216, 8, num_key_value_heads=4, head_dim=256,
               tie_word_embeddings=True, sliding_window=4096),
    ),
    "gemma": Family(
        gemma,
        _sizes(24576, 16, num_key_value_heads=16, head_dim=256, tie_word_embeddings=True),
    ),
    "gemma3_text": Family(
        gemma3,
        _sizes(9216, 8, num_key_value_heads=4, head_dim=256, tie_word_embeddings=True,
               sliding_window=4096, vocab_size=262_208),  # which the published files of Gemma 3 leave out
    ),
    "phi3": Family(llama_like, _sizes(8192, 32)),
    "granite": Family(llama, _sizes(11008, 32)),
    "smollm3": Family(
        llama,
        _sizes(11008, 16, num_key_value_heads=4, tie_word_embeddings=True, use_sliding_window=False),
    ),
    "glm4": Family(glm4, _sizes(13696, 32, num_key_value_heads=2, head_dim=128, attention_bias=True)),
    "starcoder2": Family(
        starcoder2, _sizes(12288, 24, num_key_value_heads=2, use_bias=True, tie_word_embeddings=True)
    ),
    "gpt2": Family(
        gpt2,
        {"n_positions": 1024, "n_head": 12, "n_inner": None,
         "tie_word_embeddings": True, "add_cross_attention": False},
        {"n_embd": "hidden_size", "n_positions": "max_position_embeddings",
         "n_head": "num_attention_heads", "n_layer": "num_hidden_layers"},
    ),
    "gpt_neox": Family(gpt_neox, _sizes(24576, 64, attention_bias=True)),
    "deepseek_v2": Family(
        deepseek,
        _sizes(11008, 32, n_routed_experts=64, n_shared_experts=2,
               num_experts_per_tok=None, moe_intermediate_size=1407, first_k_dense_replace=0,
               **_LATENT),
        {"n_routed_experts": "num_experts"},
    ),
    "deepseek_v3": Family(
        deepseek_v3,
        _sizes(18432, 128, n_routed_experts=256, n_shared_experts=1,
               num_experts_per_tok=8, moe_intermediate_size=2048, first_k_dense_replace=3, **_LATENT),
        {"n_routed_experts": "num_local_experts"},
    ),
}  # fmt: skip
