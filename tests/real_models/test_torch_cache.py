"""Caches of keys and values against those that transformers' models fill, on torch's meta device."""

from pathlib import Path
from typing import Any

import pytest
from evaluated import rational_at as at
from model_totals import scenario_of, value
from test_torch_parameters import PRESETS, transformers

__all__ = ["transformers"]  # the fixture

pytestmark = pytest.mark.torch

SEQUENCES, TOKENS, BEYOND = 2, 5, 5000  # short, and longer than the windows of 4,096 tokens
LATENT = ("deepseek-v2", "deepseek-v3")
WINDOWS = {"mistral-7b": 1, "gemma2-2b": 2, "gemma2-9b": 2, "gemma2-27b": 2}  # every which block has one


def filled(library: Any, config: Any, tokens: int) -> list[Any]:
    """The layers of the cache after a pass over so many tokens, in BF16: shapes, no memory."""
    torch = pytest.importorskip("torch")
    with torch.device("meta"):
        model = library.AutoModelForCausalLM.from_config(config, dtype=torch.bfloat16)
        read = torch.zeros((SEQUENCES, tokens), dtype=torch.long)
        return list(model(input_ids=read, use_cache=True).past_key_values.layers)


def kept(layers: list[Any]) -> int:
    """Bytes of all tensors of a cache."""
    tensors = [tensor for layer in layers for tensor in (layer.keys, layer.values)]
    return sum(int(tensor.numel() * tensor.element_size()) for tensor in tensors)


@pytest.mark.parametrize("name", [name for name in PRESETS if name not in LATENT])
def test_a_preset_s_cache_is_the_model_s_to_the_byte(
    tmp_path: Path, transformers: Any, name: str
) -> None:
    class_, sizes = PRESETS[name]
    layers = filled(transformers, getattr(transformers, class_)(**sizes), TOKENS)
    scenario = scenario_of(tmp_path, f'preset = "{name}"')
    read = {"b": str(SEQUENCES), "s": str(TOKENS), "w_kv": "2 byte"}
    assert value("kv-cache-bytes", scenario, **read) == kept(layers)
    assert value("kv-token-bytes", scenario, w_kv="2 byte") * SEQUENCES * TOKENS == kept(layers)


@pytest.mark.parametrize("name", LATENT)
def test_a_latent_cache_is_the_model_s_to_the_byte(tmp_path: Path, transformers: Any, name: str) -> None:
    class_, sizes = PRESETS[name]
    layers = filled(transformers, getattr(transformers, class_)(**sizes), TOKENS)
    if layers[0].keys.shape[1] > 1:
        pytest.skip("this release keeps keys and values of every head, not the latents")
    scenario = scenario_of(tmp_path, f'preset = "{name}"')
    assert value("mla-cache-bytes", scenario, b=str(SEQUENCES), s=str(TOKENS), w_kv="2 byte") == kept(
        layers
    )


@pytest.mark.parametrize("name", WINDOWS)
def test_blocks_with_a_window_keep_no_more_of_it(tmp_path: Path, transformers: Any, name: str) -> None:
    """From one step to the next they keep the window but for the token that the next step brings."""
    class_, sizes = PRESETS[name]
    config = getattr(transformers, class_)(**sizes)
    assert config.sliding_window < BEYOND
    read = {
        "b": str(SEQUENCES),
        "s": str(BEYOND),
        "w_kv": "2 byte",
        "s_w": str(config.sliding_window - 1),
    }
    windows = {"L_w": str(config.num_hidden_layers // WINDOWS[name])}
    ours = value("window-cache-bytes", scenario_of(tmp_path, f'preset = "{name}"'), **read, **windows)
    assert ours == kept(filled(transformers, config, BEYOND))


# Models without a preset: their published sizes, in transformers' words and in ours.
OTHERS: dict[str, tuple[str, dict[str, Any], dict[str, int]]] = {
    "qwen2.5-72b": ("Qwen2Config", {
        "vocab_size": 152064, "hidden_size": 8192, "intermediate_size": 29568,
        "num_hidden_layers": 80, "num_attention_heads": 64, "num_key_value_heads": 8},
        {"L": 80, "K": 8, "d_h": 128}),
    "gpt-oss-20b": ("GptOssConfig", {"num_hidden_layers": 24, "num_local_experts": 32},
        {"L": 24, "K": 8, "d_h": 64}),
    "gpt-oss-120b": ("GptOssConfig", {"num_hidden_layers": 36, "num_local_experts": 128},
        {"L": 36, "K": 8, "d_h": 64}),
}  # fmt: skip


@pytest.mark.parametrize("name", OTHERS)
def test_the_cache_of_a_model_without_a_preset(transformers: Any, name: str) -> None:
    class_, sizes, ours = OTHERS[name]
    if not hasattr(transformers, class_):
        pytest.skip("this release does not have the model")
    layers = filled(transformers, getattr(transformers, class_)(**sizes), TOKENS)
    assert at("kv-cache-bytes", b=SEQUENCES, s=TOKENS, w_kv=2, **ours) == kept(layers)
