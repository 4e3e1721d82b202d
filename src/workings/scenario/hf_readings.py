"""How a Hugging Face config of each architecture becomes [model] figures.

Which parts have biases and how many norms a block has is read off transformers' modeling code
(5.23, `modeling_*.py`).
"""

from __future__ import annotations

from typing import TypeAlias

from workings.scenario.hf_values import Config, refusal

Figures: TypeAlias = dict[str, int | None]


def llama_like(c: Config) -> Figures:
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


def llama(c: Config) -> Figures:
    """Biases in attention and in the feed-forward where the config says so."""
    return {**llama_like(c), **_attention_biases(c), "ffn_bias": c.flag("mlp_bias")}


def _attention_biases(c: Config) -> Figures:
    bias = c.flag("attention_bias")
    return {"qkv_bias": bias, "out_bias": bias}


def mixtral(c: Config) -> Figures:
    """Every block has experts, as wide as the feed-forward would be."""
    return {
        **llama_like(c),
        "experts": c.whole("num_local_experts"),
        "active_experts": c.whole("num_experts_per_tok"),
        "d_expert": c.whole("intermediate_size"),
        "moe_blocks": c.whole("num_hidden_layers"),
    }


def qwen2(c: Config) -> Figures:
    """Biases on queries, keys and values."""
    return {**llama_like(c), "qkv_bias": 1}


def qwen2_moe(c: Config) -> Figures:
    """Experts in some blocks, beside shared ones behind a gate."""
    figures = {**llama_like(c), "qkv_bias": c.flag("qkv_bias"), **_sparse_blocks(c)}
    if figures["moe_blocks"]:
        shared = c.divides("moe_intermediate_size", "shared_expert_intermediate_size")
        figures |= {"shared_experts": shared, "shared_gate": 1}
    return figures


def qwen3(c: Config) -> Figures:
    """Norms on every head's queries and keys."""
    return {**llama_like(c), **_attention_biases(c), "qk_norms": 2}


def qwen3_moe(c: Config) -> Figures:
    """The same with experts in some blocks."""
    return {**qwen3(c), **_sparse_blocks(c)}


def _sparse_blocks(c: Config) -> Figures:
    """Every `decoder_sparse_step`-th block has experts, but for those of `mlp_only_layers`."""
    blocks, step = c.whole("num_hidden_layers"), c.whole("decoder_sparse_step")
    dense = {number for number in c.numbers("mlp_only_layers") if number < blocks}
    experts = c.whole("num_experts", least=0)
    listed = range(step - 1, blocks, step)
    left_out = sorted(number for number in dense if number in listed)
    sparse = len(listed) - len(left_out)
    if not experts or not sparse:
        return {"moe_blocks": 0}
    return {
        "experts": experts,
        "active_experts": c.whole("num_experts_per_tok"),
        "d_expert": c.whole("moe_intermediate_size"),
        "moe_blocks": sparse,
        **({"moe_from": listed[len(left_out)], "moe_gap": step}
           if left_out == list(listed[: len(left_out)]) else {}),
    }  # fmt: skip


def gemma(c: Config) -> Figures:
    """Biases in attention where the config says so."""
    return {**llama_like(c), **_attention_biases(c)}


def gemma2(c: Config) -> Figures:
    """Norms before and after attention and feed-forward."""
    return {**gemma(c), "norms": 4}


def gemma3(c: Config) -> Figures:
    """Gemma 2 with norms on every head's queries and keys."""
    return {**gemma2(c), "qk_norms": 2}


def glm4(c: Config) -> Figures:
    """Norms before and after attention and feed-forward; no bias behind attention."""
    return {**llama_like(c), "qkv_bias": c.flag("attention_bias"), "norms": 4}


def starcoder2(c: Config) -> Figures:
    """Two plain matrices, and norms with biases."""
    bias = c.flag("use_bias")
    biases = {"norm_bias": 1, "qkv_bias": bias, "out_bias": bias, "ffn_bias": bias}
    return {**llama_like(c), **biases, "ffn_matrices": 2}


_EVERY_BIAS = {"norm_bias": 1, "qkv_bias": 1, "out_bias": 1, "ffn_bias": 1}


def gpt2(c: Config) -> Figures:
    """Learned positions, plain feed-forward, biases everywhere."""
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


def gpt_neox(c: Config) -> Figures:
    """Rotary positions, plain feed-forward, biases everywhere."""
    heads, width = c.whole("num_attention_heads"), c.divides("num_attention_heads", "hidden_size")
    attention = {**_attention_biases(c), "kv_heads": heads, "head_dim": width}
    return {**llama_like(c), **_EVERY_BIAS, **attention, "ffn_matrices": 2}


def deepseek(c: Config) -> Figures:
    """Latent attention; experts in all blocks but the first."""
    c.must_be("attention_bias", False, "DeepSeek's attention has no biases")
    c.must_be("mlp_bias", False, "DeepSeek's feed-forward has no biases")
    c.must_be("moe_layer_freq", 1, "every block after the first dense ones has experts")
    blocks, dense = c.whole("num_hidden_layers"), c.whole("first_k_dense_replace", least=0)
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
        "moe_blocks": max(0, blocks - dense),
        "moe_from": dense if dense < blocks else None,
    }


def deepseek_v3(c: Config) -> Figures:
    """The same with a bias that balances the router."""
    return {**deepseek(c), "router_bias": 1}
