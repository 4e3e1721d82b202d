"""The architectures that a Hugging Face config may name, and how each becomes [model] figures.

Defaults are those of transformers' configuration classes (5.23, `configuration_*.py`); which parts
have biases and how many norms a block has is read off its modeling code (`modeling_*.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from workings.scenario.hf_values import Config, refusal

Figures: TypeAlias = dict[str, int | None]


@dataclass(frozen=True)
class Family:
    """One `model_type`: its class's defaults, other names of keys, and how it is read."""

    read: Callable[[Config], Figures]
    defaults: Mapping[str, Any]
    aliases: Mapping[str, str] = field(default_factory=dict)


def _llama_like(c: Config) -> Figures:
    """Gated feed-forward, rotary positions, RMSNorm before attention and before feed-forward."""
    return {
        "d_model": c.whole("hidden_size"),
        "d_ff": c.whole("intermediate_size"),
        "blocks": c.whole("num_hidden_layers"),
        "vocab": c.whole("vocab_size"),
        "embeddings": 2 - c.flag("tie_word_embeddings"),
        "ffn_matrices": 3,
        "norms": 2,
        **_heads(c),
    }


def _heads(c: Config) -> Figures:
    heads = c.whole("num_attention_heads")
    groups = c.maybe("num_key_value_heads")
    if groups is not None and heads % groups:
        raise refusal(c.file, "num_key_value_heads", groups, f"a divisor of the {heads} heads")
    width = c.maybe("head_dim") or c.divides("num_attention_heads", "hidden_size")
    return {"heads": heads, "kv_heads": groups or heads, "head_dim": width}


def _llama(c: Config) -> Figures:
    return {**_llama_like(c), **_attention_biases(c), "ffn_bias": c.flag("mlp_bias")}


def _attention_biases(c: Config) -> Figures:
    bias = c.flag("attention_bias")
    return {"qkv_bias": bias, "out_bias": bias}


def _mixtral(c: Config) -> Figures:
    return {
        **_llama_like(c),
        "experts": c.whole("num_local_experts"),
        "active_experts": c.whole("num_experts_per_tok"),
        "d_expert": c.whole("intermediate_size"),
        "moe_blocks": c.whole("num_hidden_layers"),
    }


def _qwen2(c: Config) -> Figures:
    return {**_llama_like(c), "qkv_bias": 1}


def _qwen2_moe(c: Config) -> Figures:
    figures = {**_llama_like(c), "qkv_bias": c.flag("qkv_bias"), **_sparse_blocks(c)}
    if figures["moe_blocks"]:
        shared = c.divides("moe_intermediate_size", "shared_expert_intermediate_size")
        figures |= {"shared_experts": shared, "shared_gate": 1}
    return figures


def _qwen3(c: Config) -> Figures:
    return {**_llama_like(c), **_attention_biases(c), "qk_norms": 2}


def _qwen3_moe(c: Config) -> Figures:
    return {**_qwen3(c), **_sparse_blocks(c)}


def _sparse_blocks(c: Config) -> Figures:
    """Every `decoder_sparse_step`-th block has experts, but for those of `mlp_only_layers`."""
    blocks, step = c.whole("num_hidden_layers"), c.whole("decoder_sparse_step")
    dense = {number for number in c.numbers("mlp_only_layers") if number < blocks}
    experts = c.whole("num_experts", least=0)
    sparse = blocks // step - sum((number + 1) % step == 0 for number in dense)
    if not experts or not sparse:
        return {"moe_blocks": 0}
    return {
        "experts": experts,
        "active_experts": c.whole("num_experts_per_tok"),
        "d_expert": c.whole("moe_intermediate_size"),
        "moe_blocks": sparse,
    }


def _gemma2(c: Config) -> Figures:
    return {**_llama_like(c), **_attention_biases(c), "norms": 4}


_EVERY_BIAS = {"norm_bias": 1, "qkv_bias": 1, "out_bias": 1, "ffn_bias": 1}


def _gpt2(c: Config) -> Figures:
    c.must_be("add_cross_attention", False, "a decoder alone has no cross-attention")
    width = c.whole("n_embd")
    return {
        "d_model": width,
        "d_ff": c.maybe("n_inner") or 4 * width,
        "blocks": c.whole("n_layer"),
        "vocab": c.whole("vocab_size"),
        "positions": c.whole("n_positions"),
        "embeddings": 2 - c.flag("tie_word_embeddings"),
        "ffn_matrices": 2,
        "heads": c.whole("n_head"),
        "kv_heads": c.whole("n_head"),
        "head_dim": c.divides("n_head", "n_embd"),
        "norms": 2,
        **_EVERY_BIAS,
    }


def _gpt_neox(c: Config) -> Figures:
    heads, width = c.whole("num_attention_heads"), c.divides("num_attention_heads", "hidden_size")
    attention = {**_attention_biases(c), "kv_heads": heads, "head_dim": width}
    return {**_llama_like(c), **_EVERY_BIAS, **attention, "ffn_matrices": 2}


def _deepseek(c: Config) -> Figures:
    c.must_be("attention_bias", False, "DeepSeek's attention has no biases")
    c.must_be("mlp_bias", False, "DeepSeek's feed-forward has no biases")
    c.must_be("moe_layer_freq", 1, "every block after the first dense ones has experts")
    blocks = c.whole("num_hidden_layers")
    return {
        "d_model": c.whole("hidden_size"),
        "d_ff": c.whole("intermediate_size"),
        "blocks": blocks,
        "vocab": c.whole("vocab_size"),
        "embeddings": 2 - c.flag("tie_word_embeddings"),
        "ffn_matrices": 3,
        "heads": c.whole("num_attention_heads"),
        "q_rank": c.maybe("q_lora_rank") or 0,
        "kv_rank": c.whole("kv_lora_rank"),
        "nope_dim": c.whole("qk_nope_head_dim"),
        "rope_dim": c.whole("qk_rope_head_dim"),
        "v_dim": c.whole("v_head_dim"),
        "norms": 2,
        "experts": c.whole("n_routed_experts"),
        "active_experts": c.maybe("num_experts_per_tok"),
        "shared_experts": c.maybe("n_shared_experts", least=0) or 0,
        "d_expert": c.whole("moe_intermediate_size"),
        "moe_blocks": max(0, blocks - c.whole("first_k_dense_replace", least=0)),
    }


def _deepseek_v3(c: Config) -> Figures:
    return {**_deepseek(c), "router_bias": 1}


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
_LATENT = {
    "kv_lora_rank": 512, "q_lora_rank": 1536, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64,
    "v_head_dim": 128, "moe_layer_freq": 1,
}  # fmt: skip

FAMILIES: dict[str, Family] = {
    "llama": Family(_llama, _sizes(11008, 32)),
    "mistral": Family(_llama_like, _sizes(14336, 32, num_key_value_heads=8)),
    "mixtral": Family(
        _mixtral,
        _sizes(14336, 32, num_key_value_heads=8, num_local_experts=8,
               num_experts_per_tok=2),
        {"num_local_experts": "num_experts"},
    ),
    "qwen2": Family(_qwen2, _sizes(22016, 32, num_key_value_heads=32)),
    "qwen2_moe": Family(
        _qwen2_moe,
        _sizes(5632, 16, num_key_value_heads=16, qkv_bias=True, num_experts=60,
               num_experts_per_tok=4, moe_intermediate_size=1408,
               shared_expert_intermediate_size=5632, **_SPARSE),
    ),
    "qwen3": Family(
        _qwen3, _sizes(22016, 32, num_key_value_heads=32, head_dim=128)
    ),
    "qwen3_moe": Family(
        _qwen3_moe,
        _sizes(6144, 32, num_key_value_heads=4, num_experts=128,
               num_experts_per_tok=8, moe_intermediate_size=768, **_SPARSE),
        {"num_experts": "num_local_experts"},
    ),
    "gemma2": Family(
        _gemma2,
        _sizes(9216, 8, num_key_value_heads=4, head_dim=256,
               tie_word_embeddings=True),
    ),
    "gpt2": Family(
        _gpt2,
        {"n_positions": 1024, "n_head": 12, "n_inner": None,
         "tie_word_embeddings": True, "add_cross_attention": False},
        {"n_embd": "hidden_size", "n_positions": "max_position_embeddings",
         "n_head": "num_attention_heads", "n_layer": "num_hidden_layers"},
    ),
    "gpt_neox": Family(_gpt_neox, _sizes(24576, 64, attention_bias=True)),
    "deepseek_v2": Family(
        _deepseek,
        _sizes(11008, 32, n_routed_experts=64, n_shared_experts=2,
               num_experts_per_tok=None, moe_intermediate_size=1407, first_k_dense_replace=0,
               **_LATENT),
        {"n_routed_experts": "num_experts"},
    ),
    "deepseek_v3": Family(
        _deepseek_v3,
        _sizes(18432, 128, n_routed_experts=256, n_shared_experts=1,
               num_experts_per_tok=8, moe_intermediate_size=2048, first_k_dense_replace=3, **_LATENT),
        {"n_routed_experts": "num_local_experts"},
    ),
}  # fmt: skip
