"""Parameter counts against transformers' models, built on torch's meta device: shapes, no memory."""

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from model_totals import scenario_of, total, value

from workings.scenario.hf_families import FAMILIES

pytestmark = pytest.mark.torch


@pytest.fixture(scope="module")
def transformers() -> Any:
    """The library, or a skip. This very folder is a `torch` to Python, so its file is asked for."""
    found = find_spec("torch")
    if found is None or found.origin is None:
        pytest.skip("torch is not installed")
    return pytest.importorskip("transformers", minversion="4.54", reason="transformers is not installed")


def counted(transformers: Any, config: Any, *, buffers: bool = True) -> int:
    """The values of all parameters, and of the routing biases that are kept as buffers."""
    torch = pytest.importorskip("torch")
    with torch.device("meta"):
        model = transformers.AutoModelForCausalLM.from_config(config)
    routing = (b for name, b in model.named_buffers() if name.endswith("e_score_correction_bias"))
    held = sum(int(bias.numel()) for bias in routing) if buffers else 0
    return held + sum(int(parameter.numel()) for parameter in model.parameters())


# Each preset's architecture in transformers' words, written down again.
LLAMA3 = {"vocab_size": 128256, "num_key_value_heads": 8}
YI = {"vocab_size": 64000}
PRESETS: dict[str, tuple[str, dict[str, Any]]] = {
    "gpt2": ("GPT2Config", {}),
    "gpt3-175b": ("GPT2Config", {"n_positions": 2048, "n_embd": 12288, "n_layer": 96, "n_head": 96}),
    "gpt-neox-20b": ("GPTNeoXConfig", {}),
    "llama2-7b": ("LlamaConfig", {}),
    "llama3-8b": ("LlamaConfig", {**LLAMA3, "intermediate_size": 14336}),
    "llama3-70b": ("LlamaConfig", {
        **LLAMA3, "hidden_size": 8192, "intermediate_size": 28672, "num_hidden_layers": 80,
        "num_attention_heads": 64}),
    "llama3-405b": ("LlamaConfig", {
        **LLAMA3, "hidden_size": 16384, "intermediate_size": 53248, "num_hidden_layers": 126,
        "num_attention_heads": 128}),
    "mistral-7b": ("MistralConfig", {}),
    "mixtral-8x7b": ("MixtralConfig", {}),
    "yi-6b": ("LlamaConfig", {**YI, "num_key_value_heads": 4}),
    "yi-34b": ("LlamaConfig", {
        **YI, "hidden_size": 7168, "intermediate_size": 20480, "num_hidden_layers": 60,
        "num_attention_heads": 56, "num_key_value_heads": 8}),
    "gemma2-2b": ("Gemma2Config", {}),
    "gemma2-9b": ("Gemma2Config", {
        "hidden_size": 3584, "intermediate_size": 14336, "num_hidden_layers": 42,
        "num_attention_heads": 16, "num_key_value_heads": 8}),
    "gemma2-27b": ("Gemma2Config", {
        "hidden_size": 4608, "intermediate_size": 36864, "num_hidden_layers": 46,
        "num_attention_heads": 32, "num_key_value_heads": 16, "head_dim": 128}),
    "olmo-7b": ("OlmoConfig", {"vocab_size": 50304, "tie_word_embeddings": False}),
    "qwen2-7b": ("Qwen2Config", {
        "vocab_size": 152064, "hidden_size": 3584, "intermediate_size": 18944,
        "num_hidden_layers": 28, "num_attention_heads": 28, "num_key_value_heads": 4}),
    "qwen3-8b": ("Qwen3Config", {
        "intermediate_size": 12288, "num_hidden_layers": 36, "num_key_value_heads": 8}),
    "qwen3-30b-a3b": ("Qwen3MoeConfig", {"num_hidden_layers": 48, "head_dim": 128}),
    "qwen3-235b-a22b": ("Qwen3MoeConfig", {
        "hidden_size": 4096, "num_hidden_layers": 94, "num_attention_heads": 64, "head_dim": 128,
        "moe_intermediate_size": 1536}),
    "deepseek-v2": ("DeepseekV2Config", {
        "vocab_size": 102400,
        "hidden_size": 5120, "intermediate_size": 12288, "moe_intermediate_size": 1536,
        "num_hidden_layers": 60, "num_attention_heads": 128, "n_routed_experts": 160,
        "num_experts_per_tok": 6, "first_k_dense_replace": 1}),
    "deepseek-v3": ("DeepseekV3Config", {}),
}  # fmt: skip


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_has_as_many_parameters_as_the_model(
    tmp_path: Path, transformers: Any, name: str
) -> None:
    class_, sizes = PRESETS[name]
    config = getattr(transformers, class_)(**sizes)
    assert total(scenario_of(tmp_path, f'preset = "{name}"')) == counted(transformers, config)


def test_without_its_routing_biases_deepseek_v3_has_what_transformers_calls_parameters(
    tmp_path: Path, transformers: Any
) -> None:
    learned = counted(transformers, transformers.DeepseekV3Config(), buffers=False)
    scenario = scenario_of(tmp_path, 'preset = "deepseek-v3"')
    assert value("mla-moe-parameters", scenario, router_bias="0") == learned == 671_026_404_352


# --- configs that transformers writes, read as ours ---------------------------------------------

TINY = {"hidden_size": 48, "intermediate_size": 56, "num_hidden_layers": 3, "num_attention_heads": 6,
        "vocab_size": 77}  # fmt: skip
GROUPED = {**TINY, "num_key_value_heads": 2}
NO_PADDING = {"pad_token_id": None}  # theirs lie beyond so small a vocabulary
TINY_GPT2 = {"n_embd": 48, "n_head": 6, "n_layer": 3, "vocab_size": 77}
EXPERTS = {**GROUPED, "num_hidden_layers": 5, "moe_intermediate_size": 20, "num_experts_per_tok": 2}
LATENT = {
    **EXPERTS, "kv_lora_rank": 10, "q_lora_rank": 14, "qk_nope_head_dim": 8, "qk_rope_head_dim": 4,
    "v_head_dim": 6, "n_routed_experts": 7, "n_shared_experts": 3, "first_k_dense_replace": 2,
}  # fmt: skip
VARIANTS: list[tuple[str, dict[str, Any]]] = [
    ("llama", GROUPED),
    ("llama", {**GROUPED, "attention_bias": True, "mlp_bias": True, "tie_word_embeddings": True}),
    ("llama", {**TINY, "head_dim": 32}),
    ("mistral", {**GROUPED, "head_dim": 20}),
    ("mixtral", {**GROUPED, "num_local_experts": 5, "num_experts_per_tok": 3}),
    ("qwen2", {**GROUPED, "tie_word_embeddings": True}),
    ("qwen2_moe", {**EXPERTS, "num_experts": 6, "shared_expert_intermediate_size": 60}),
    ("qwen2_moe", {**EXPERTS, "num_experts": 6, "shared_expert_intermediate_size": 20,
                   "decoder_sparse_step": 2, "mlp_only_layers": [3], "qkv_bias": False}),
    ("qwen3", {**GROUPED, "head_dim": 16, "attention_bias": True}),
    ("qwen3_moe", {**EXPERTS, "num_experts": 6, "decoder_sparse_step": 2}),
    ("qwen3_moe", {**EXPERTS, "num_experts": 6, "head_dim": 16, "mlp_only_layers": [0, 4]}),
    ("gemma2", {**GROUPED, "head_dim": 12, "attention_bias": True}),
    ("gemma2", {**GROUPED, "tie_word_embeddings": False}),
    ("gemma", {**GROUPED, "head_dim": 12}),
    ("gemma3_text", {**GROUPED, "head_dim": 12, "attention_bias": True}),
    ("phi3", {**GROUPED, "tie_word_embeddings": True, **NO_PADDING}),
    ("granite", {**GROUPED, "attention_bias": True, "mlp_bias": True}),
    ("smollm3", {**GROUPED, "tie_word_embeddings": False, **NO_PADDING}),
    ("glm4", {**GROUPED, "head_dim": 12, **NO_PADDING}),
    ("glm4", {**GROUPED, "attention_bias": False, "tie_word_embeddings": True, **NO_PADDING}),
    ("starcoder2", GROUPED),
    ("starcoder2", {**GROUPED, "use_bias": False, "tie_word_embeddings": False}),
    ("gpt2", {**TINY_GPT2, "n_positions": 33, "n_inner": 100}),
    ("gpt2", {**TINY_GPT2, "tie_word_embeddings": False}),
    ("gpt_neox", TINY),
    ("gpt_neox", {**TINY, "attention_bias": False, "tie_word_embeddings": True}),
    ("deepseek_v2", LATENT),
    ("deepseek_v2", {**LATENT, "q_lora_rank": None, "first_k_dense_replace": 9}),
    ("deepseek_v3", LATENT),
    ("deepseek_v3", {**LATENT, "q_lora_rank": None, "tie_word_embeddings": True}),
]  # fmt: skip


def from_json(folder: Path, config: dict[str, Any]) -> int:
    """The parameters of a model read from a config.json of ours."""
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    return total(scenario_of(folder, 'hf = "config.json"'))


@pytest.mark.parametrize(("model_type", "sizes"), VARIANTS)
def test_a_config_is_read_as_transformers_reads_it(
    tmp_path: Path, transformers: Any, model_type: str, sizes: dict[str, Any]
) -> None:
    config = transformers.AutoConfig.for_model(model_type, **sizes)
    expected = counted(transformers, config)
    assert from_json(tmp_path, {"model_type": model_type, **sizes}) == expected
    written = json.loads(config.to_json_string())  # with every default written out
    assert from_json(tmp_path, written) == expected


# What a config has to say itself: width, blocks, vocabulary.
NEEDED = {"gpt2": ("n_embd", "n_layer", "vocab_size")}


@pytest.mark.parametrize("model_type", FAMILIES)
def test_what_else_a_config_leaves_out_has_the_default_of_its_class(
    tmp_path: Path, transformers: Any, model_type: str
) -> None:
    width, blocks, vocab = NEEDED.get(model_type, ("hidden_size", "num_hidden_layers", "vocab_size"))
    class_ = transformers.AutoConfig.for_model(model_type)
    needed = {name: getattr(class_, name) for name in (width, blocks, vocab)}
    for sizes in (needed, {**needed, blocks: 2}):
        config = transformers.AutoConfig.for_model(model_type, **sizes)
        assert from_json(tmp_path, {"model_type": model_type, **sizes}) == counted(transformers, config)
