"""A model read from a Hugging Face config.json: its figures, the defaults of its class, refusals."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from model_totals import scenario_of, total

from workings.scenario import Scenario, ScenarioError
from workings.scenario.hf import MAX_BYTES
from workings.scenario.hf_families import FAMILIES
from workings.scenario.hf_likeness import most_like

KNOWN = "llama, mistral, mixtral, qwen2, qwen2_moe, qwen3, qwen3_moe, gemma2, gemma, "
KNOWN += "gemma3_text, phi3, granite, smollm3, glm4, starcoder2, gpt2, gpt_neox, deepseek_v2, deepseek_v3"
WHOLE = r"expected a whole number from 1 to 10\^15"

# What a config has to say itself, as the first model of each class has it: width, blocks, vocabulary.
SIZES = {
    "llama": (4096, 32, 32000), "mistral": (4096, 32, 32000), "mixtral": (4096, 32, 32000),
    "qwen2": (4096, 32, 151936), "qwen2_moe": (2048, 24, 151936), "qwen3": (4096, 32, 151936),
    "qwen3_moe": (2048, 24, 151936), "gemma2": (2304, 26, 256000), "gpt2": (768, 12, 50257),
    "gpt_neox": (6144, 44, 50432), "deepseek_v2": (4096, 32, 102400), "deepseek_v3": (7168, 61, 129280),
    "gemma": (3072, 28, 256000), "gemma3_text": (2304, 26), "phi3": (3072, 32, 32064),
    "granite": (4096, 32, 32000), "smollm3": (2048, 36, 128256), "glm4": (4096, 40, 151552),
    "starcoder2": (3072, 30, 49152),
}  # fmt: skip
COMMON = ("hidden_size", "num_hidden_layers", "vocab_size")
NEEDED = dict.fromkeys(FAMILIES, COMMON) | {
    "gpt2": ("n_embd", "n_layer", "vocab_size"),
    "gemma3_text": ("hidden_size", "num_hidden_layers"),
}


def sized(model_type: str, **more: Any) -> dict[str, Any]:
    """A config that says no more than it has to, and what is put over it."""
    needed = dict(zip(NEEDED[model_type], SIZES[model_type], strict=True))
    return {"model_type": model_type, **needed, **more}


def read(folder: Path, config: str | bytes | dict[str, Any], more: str = "") -> Scenario:
    if isinstance(config, dict):
        config = json.dumps(config)
    data = config if isinstance(config, bytes) else config.encode()
    (folder / "config.json").write_bytes(data)
    return scenario_of(folder, f'hf = "config.json"\n{more}')


def figures(scenario: Scenario) -> dict[str, int]:
    named = (key.partition(".") for key in scenario.values)
    keys = [key for section, _, key in named if section == "model"]
    return {key: int(scenario.values[f"model.{key}"].value) for key in keys}


# --- published models, by what their config.json says -------------------------------------------

LLAMA_3_8B = {
    "architectures": ["LlamaForCausalLM"], "attention_bias": False, "hidden_act": "silu",
    "hidden_size": 4096, "intermediate_size": 14336, "max_position_embeddings": 131072,
    "mlp_bias": False, "model_type": "llama", "num_attention_heads": 32, "num_hidden_layers": 32,
    "num_key_value_heads": 8, "rms_norm_eps": 1e-05, "rope_theta": 500000.0,
    "tie_word_embeddings": False, "torch_dtype": "bfloat16", "vocab_size": 128256,
}  # fmt: skip
DEEPSEEK_V2_LITE = {
    "model_type": "deepseek_v2", "first_k_dense_replace": 1, "hidden_size": 2048,
    "intermediate_size": 10944, "kv_lora_rank": 512, "moe_intermediate_size": 1408,
    "moe_layer_freq": 1, "n_routed_experts": 64, "n_shared_experts": 2, "num_attention_heads": 16,
    "num_experts_per_tok": 6, "num_hidden_layers": 27, "num_key_value_heads": 16,
    "q_lora_rank": None, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128,
    "vocab_size": 102400,
}  # fmt: skip
QWEN15_MOE = {
    "model_type": "qwen2_moe", "hidden_size": 2048, "intermediate_size": 5632,
    "decoder_sparse_step": 1, "moe_intermediate_size": 1408, "num_attention_heads": 16,
    "num_experts": 60, "num_experts_per_tok": 4, "num_hidden_layers": 24, "num_key_value_heads": 16,
    "shared_expert_intermediate_size": 5632, "tie_word_embeddings": False, "vocab_size": 151936,
}  # fmt: skip


@pytest.mark.parametrize(
    ("config", "published"),
    [
        (LLAMA_3_8B, 8_030_261_248),
        (DEEPSEEK_V2_LITE, 15_706_484_224),
        (QWEN15_MOE, 14_315_784_192),  # KerasHub's qwen1.5_moe_2.7b_en
        # Models whose other sizes are the defaults of their class
        (sized("llama"), 6_738_415_616),
        (sized("mistral"), 7_241_732_096),
        (sized("mixtral"), 46_702_792_704),
        (sized("gemma2"), 2_614_341_888),
        (sized("gpt2"), 124_439_808),
        (sized("gpt_neox"), 20_554_567_680),
        (sized("deepseek_v3"), 671_026_419_200),
    ],
    ids=lambda value: value.get("model_type") if isinstance(value, dict) else "",
)
def test_a_config_gives_the_published_number_of_parameters(
    tmp_path: Path, config: dict[str, Any], published: int
) -> None:
    assert total(read(tmp_path, config)) == published


def test_gpt2_xl_says_its_sizes_under_gpt2s_names(tmp_path: Path) -> None:
    xl = sized("gpt2", n_embd=1600, n_head=25, n_layer=48, n_ctx=1024)
    assert total(read(tmp_path, xl)) == 1_557_611_200  # KerasHub's gpt2_extra_large_en


def test_a_scenario_reads_its_config_beside_itself_and_overrides_it(tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "llama.json").write_text(json.dumps(LLAMA_3_8B))
    scenario = scenario_of(tmp_path, 'hf = "models/llama.json"\nblocks = 2')
    assert scenario.values["model.blocks"].value == 2
    assert scenario.values["model.d_ff"].value == 14336
    assert scenario.sources["model.d_ff"] == "llama.json, a Hugging Face config of llama"
    assert "model.blocks" not in scenario.sources


# --- architectures that are not known, but like one that is -------------------------------------

KIMI_K2 = {  # as copies of its config.json have it
    "architectures": ["DeepseekV3ForCausalLM"], "model_type": "kimi_k2", "hidden_size": 7168,
    "intermediate_size": 18432, "moe_intermediate_size": 2048, "num_hidden_layers": 61,
    "num_attention_heads": 64, "num_key_value_heads": 64, "kv_lora_rank": 512, "q_lora_rank": 1536,
    "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128, "n_routed_experts": 384,
    "n_shared_experts": 1, "routed_scaling_factor": 2.827, "num_experts_per_tok": 8,
    "moe_layer_freq": 1, "first_k_dense_replace": 1, "topk_method": "noaux_tc",
    "attention_bias": False, "tie_word_embeddings": False, "vocab_size": 163840,
}  # fmt: skip
GPT_OSS = {  # GptOssConfig's keys and defaults
    "model_type": "gpt_oss", "attention_bias": True, "head_dim": 64, "hidden_size": 2880,
    "intermediate_size": 2880, "num_attention_heads": 64, "num_experts_per_tok": 4,
    "num_hidden_layers": 36, "num_key_value_heads": 8, "num_local_experts": 128,
    "sliding_window": 128, "tie_word_embeddings": False, "vocab_size": 201088,
}  # fmt: skip
OLMO2 = {  # Olmo2Config's keys and defaults
    "model_type": "olmo2", "attention_bias": False, "hidden_size": 4096, "intermediate_size": 11008,
    "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 32,
    "tie_word_embeddings": False, "vocab_size": 50304,
}  # fmt: skip
BERT = {  # BertConfig's: an encoder, which is like none
    "model_type": "bert", "hidden_size": 768, "intermediate_size": 3072, "num_attention_heads": 12,
    "num_hidden_layers": 12, "max_position_embeddings": 512, "type_vocab_size": 2, "vocab_size": 30522,
}  # fmt: skip


@pytest.mark.parametrize(
    ("config", "like"),
    [(KIMI_K2, "deepseek_v3"), (GPT_OSS, "mixtral"), (OLMO2, "llama"),
     ({**LLAMA_3_8B, "model_type": "a_llama"}, "llama"),
     ({**DEEPSEEK_V2_LITE, "model_type": "a_deepseek"}, "deepseek_v2"),
     ({**QWEN15_MOE, "use_sliding_window": False, "sliding_window": 4096, "model_type": None},
      "qwen2_moe"),
     ({"model_type": "vision", "text_config": KIMI_K2}, "deepseek_v3")],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_an_unknown_architecture_is_told_which_known_one_its_keys_are_most_like(
    tmp_path: Path, config: dict[str, Any], like: str
) -> None:
    said = rf"{KNOWN}; its keys are most like those of {like}: if it is built so, "
    with pytest.raises(ScenarioError, match=rf'{said}say "model_type": "{like}" in a copy$'):
        read(tmp_path, config)


def test_what_is_like_no_known_architecture_is_not_told_one(tmp_path: Path) -> None:
    """Nor what has experts as DeepSeek has, and another attention."""
    latent = {"kv_lora_rank", "q_lora_rank", "qk_nope_head_dim", "qk_rope_head_dim", "v_head_dim"}
    plain = {key: value for key, value in KIMI_K2.items() if key not in latent}
    for config in (BERT, plain, {"model_type": "bert"}, {}):
        with pytest.raises(ScenarioError, match=rf"expected one of {KNOWN}$"):
            read(tmp_path, config)


def test_a_copy_that_says_so_is_read_as_the_one_it_is_like(tmp_path: Path) -> None:
    copied = read(tmp_path, {**KIMI_K2, "model_type": "deepseek_v3"})
    assert total(copied) == total(scenario_of(tmp_path, 'preset = "kimi-k2"')) == 1_026_408_232_448


@pytest.mark.parametrize("model_type", FAMILIES)
def test_a_config_of_a_known_architecture_is_most_like_one_that_reads_the_same(model_type: str) -> None:
    family = FAMILIES[model_type]
    config = {**family.defaults, **sized(model_type)}
    like = most_like(config)
    assert like is not None
    assert FAMILIES[like].defaults.keys() == family.defaults.keys()


# --- what a config may leave out, rename or set apart -------------------------------------------


def test_a_llama_without_key_value_heads_has_one_for_each_query(tmp_path: Path) -> None:
    for none in ({}, {"num_key_value_heads": None}):
        found = figures(read(tmp_path, sized("llama", num_attention_heads=16, **none)))
        assert (found["heads"], found["kv_heads"], found["head_dim"]) == (16, 16, 256)


def test_a_head_may_be_wider_than_its_share_of_the_model(tmp_path: Path) -> None:
    config = sized("qwen3", hidden_size=1024, num_attention_heads=16, num_key_value_heads=8)
    found = figures(read(tmp_path, config))  # Qwen3 0.6B
    assert (found["head_dim"], found["qk_norms"]) == (128, 2)


def test_of_a_model_that_also_reads_images_the_language_model_is_read(tmp_path: Path) -> None:
    text = {"model_type": "gemma3_text", "hidden_size": 2560, "intermediate_size": 10240,
            "num_hidden_layers": 34}  # fmt: skip
    scenario = read(tmp_path, {"model_type": "gemma3", "text_config": text, "vision_config": {}})
    found = figures(scenario)  # Gemma 3 4B, whose file leaves the vocabulary to its class
    assert (found["d_model"], found["heads"], found["vocab"]) == (2560, 8, 262_208)
    assert total(scenario) == 3_880_263_168  # its language model, as transformers counts it
    assert "its text_config" in scenario.sources["model.heads"]


def test_a_model_of_images_whose_language_model_is_not_known_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match=r'config\.json: model_type: found "bert", expected one of'):
        read(tmp_path, {"model_type": "clip", "text_config": {"model_type": "bert"}})


def test_biases_follow_the_architecture_and_its_switches(tmp_path: Path) -> None:
    def biases(model_type: str, **config: Any) -> tuple[int, ...]:
        found = figures(read(tmp_path, sized(model_type, **config)))
        return tuple(found[f"{part}_bias"] for part in ("norm", "qkv", "out", "ffn"))

    assert biases("llama") == (0, 0, 0, 0)
    assert biases("llama", attention_bias=True, mlp_bias=True) == (0, 1, 1, 1)
    assert biases("mistral", attention_bias=True) == (0, 0, 0, 0)  # its class has no such key
    assert biases("qwen2") == (0, 1, 0, 0)
    assert biases("qwen2_moe", qkv_bias=False) == (0, 0, 0, 0)
    assert biases("gpt2") == (1, 1, 1, 1)
    assert biases("gpt_neox", attention_bias=False) == (1, 0, 0, 1)


def test_tied_embeddings_are_one_table(tmp_path: Path) -> None:
    for tied in (True, False):
        found = figures(read(tmp_path, sized("llama", tie_word_embeddings=tied)))
        assert found["embeddings"] == (1 if tied else 2)


def test_some_blocks_of_a_sparse_model_are_dense(tmp_path: Path) -> None:
    config = sized("qwen3_moe", num_hidden_layers=9, decoder_sparse_step=2)
    assert figures(read(tmp_path, config))["moe_blocks"] == 4  # 1, 3, 5, 7
    config |= {"mlp_only_layers": [0, 3, 3, 99]}
    assert figures(read(tmp_path, config))["moe_blocks"] == 3
    config |= {"first_k_dense_replace": 5}  # not a key of this architecture
    assert figures(read(tmp_path, config))["moe_blocks"] == 3


def test_a_sparse_architecture_without_experts_is_dense(tmp_path: Path) -> None:
    for none in ({"num_experts": 0}, {"num_hidden_layers": 1, "decoder_sparse_step": 2}):
        found = figures(read(tmp_path, sized("qwen2_moe") | none))
        assert found["moe_blocks"] == 0
        assert "experts" not in found


def test_another_name_that_transformers_takes_is_taken(tmp_path: Path) -> None:
    named = {
        "model_type": "gpt2",
        "hidden_size": 1600,
        "num_attention_heads": 25,
        "num_hidden_layers": 48,
        "vocab_size": 50257,
    }
    assert total(read(tmp_path, named)) == 1_557_611_200
    assert figures(read(tmp_path, sized("mixtral", num_experts=4)))["experts"] == 4


@pytest.mark.parametrize("model_type", FAMILIES)
def test_every_architecture_is_counted_from_three_sizes_and_its_defaults(
    tmp_path: Path, model_type: str
) -> None:
    assert total(read(tmp_path, sized(model_type))) > 10**8


@pytest.mark.parametrize(("model_type", "key"), [(m, key) for m in FAMILIES for key in NEEDED[m]])
def test_a_config_that_does_not_say_its_size_is_refused(
    tmp_path: Path, model_type: str, key: str
) -> None:
    config = sized(model_type)
    del config[key]
    with pytest.raises(ScenarioError, match=rf"^config\.json: {key}: found nothing, {WHOLE}$"):
        read(tmp_path, config)


# --- bad input ----------------------------------------------------------------------------------

LLAMA = '{"model_type": "llama", "hidden_size": 4096'
SHORT = LLAMA + ', "num_hidden_layers": 32'


def text_of(model_type: str, **more: Any) -> str:
    return json.dumps(sized(model_type, **more))


BAD: dict[str, tuple[str | bytes, str]] = {
    "unknown architecture": (
        '{"model_type": "bert"}',
        rf'config\.json: model_type: found "bert", expected one of {KNOWN}$'),
    "no architecture": (
        '{"hidden_size": 1}', rf"config\.json: model_type: found nothing, expected one of {KNOWN}$"),
    "architecture that is no text": ('{"model_type": ["llama"]}', r'model_type: found \["llama"\], exp'),
    "architecture null": ('{"model_type": null}', r"model_type: found null, expected one of"),
    "text for a number": (
        '{"model_type": "llama", "hidden_size": "4096"}', rf'hidden_size: found "4096", {WHOLE}'),
    "fraction": ('{"model_type": "llama", "hidden_size": 4096.0}', rf"found 4096\.0, {WHOLE}"),
    "truth for a number": ('{"model_type": "llama", "hidden_size": true}', rf"found true, {WHOLE}"),
    "null for a number": ('{"model_type": "llama", "hidden_size": null}', rf"found null, {WHOLE}"),
    "list for a number": ('{"model_type": "llama", "hidden_size": [1]}', rf"found \[1\], {WHOLE}"),
    "no size at all": (
        '{"model_type": "llama"}', rf"config\.json: hidden_size: found nothing, {WHOLE}$"),
    "zero": (text_of("llama", num_hidden_layers=0), rf"num_hidden_layers: found 0, {WHOLE}"),
    "negative": (text_of("gpt2", n_layer=-1), rf"n_layer: found -1, {WHOLE}"),
    "beyond 10^15": (
        text_of("llama", vocab_size=1000000000000001),
        rf"vocab_size: found 1000000000000001, {WHOLE}"),
    "huge integer": (
        SHORT + ', "vocab_size": ' + "9" * 5000 + "}", rf"vocab_size: found 9{{60}}, {WHOLE}"),
    "huge exponent": (SHORT + ', "vocab_size": 1e999}', rf"vocab_size: found Infinity, {WHOLE}"),
    "number for a switch": (
        text_of("llama", attention_bias=1),
        r"attention_bias: found 1, expected true or false"),
    "text for a list": (
        text_of("qwen3_moe", mlp_only_layers="0"),
        r'mlp_only_layers: found "0", expected a list of whole numbers from 0'),
    "NaN": (
        LLAMA + ', "vocab_size": NaN}',
        r"config\.json: vocab_size: found NaN, expected a finite number"),
    "NaN in a key of no interest": (LLAMA + ', "x": -Infinity}', r"x: found -Infinity, expected a"),
    "a key twice": (LLAMA + ', "hidden_size": 1}', r"hidden_size: found it twice, expected it once"),
    "a key twice, deeper": (
        LLAMA + ', "rope": {"a": 1, "a": 2}}', r"config\.json: a: found it twice, expected it once"),
    "nested deep": (
        LLAMA + ', "x": ' + "[" * 100_000 + "]" * 100_000 + "}", r"found lists .* too deep"),
    "too large": (
        LLAMA + ', "x": "' + "a" * MAX_BYTES + '"}', r"config\.json: found more than 1,000,000 bytes"),
    "no object": ("[1, 2]", r"config\.json: found list, expected a JSON object"),
    "no JSON": ("hidden_size = 4096", r"config\.json: not valid JSON: Expecting value: line 1 column 1"),
    "cut off": (LLAMA, r"config\.json: not valid JSON: "),
    "empty": ("", r"config\.json: not valid JSON: "),
    "no UTF-8": (b'{"model_type": "\xff"}', r"config\.json: not valid JSON: 'utf-8' codec"),
    "a key with a line break": (
        '{"model_type": "llama", "a\\nb": NaN}', r"config\.json: a b: found NaN, expected"),
    "heads that do not divide the width": (
        text_of("llama", num_attention_heads=33),
        r"num_attention_heads: found 33, expected a divisor of hidden_size = 4096"),
    "groups that do not divide the heads": (
        text_of("llama", num_key_value_heads=5),
        r"num_key_value_heads: found 5, expected a divisor of the 32 heads"),
    "a shared expert no multiple of the others": (
        text_of("qwen2_moe", shared_expert_intermediate_size=5633),
        r"moe_intermediate_size: found 1408, expected a divisor of shared_expert_intermediate_size"),
    "two names that differ": (
        text_of("gpt2", hidden_size=1024),
        r"hidden_size: found 1024, expected 768, as n_embd has"),
    "cross-attention": (
        text_of("gpt2", add_cross_attention=True),
        r"add_cross_attention: found true, expected false: a decoder alone has no cross-attention"),
    "biases that DeepSeek does not have": (
        text_of("deepseek_v3", attention_bias=True),
        r"attention_bias: found true, expected false"),
    "experts in some blocks of DeepSeek": (
        text_of("deepseek_v2", moe_layer_freq=2), r"moe_layer_freq: found 2, expected 1: "),
    "a query of rank nothing": (
        text_of("deepseek_v3", q_lora_rank=0), rf"q_lora_rank: found 0, {WHOLE}"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_a_bad_config_is_refused_in_one_sentence_that_names_file_and_key(
    tmp_path: Path, case: str
) -> None:
    content, message = BAD[case]
    with pytest.raises(ScenarioError, match=message) as refused:
        read(tmp_path, content)
    text = str(refused.value)
    assert text.startswith("config.json: ")
    assert "\n" not in text
    assert len(text) < 350


@pytest.mark.parametrize(
    ("where", "message"),
    [
        (
            '"nowhere.json"',
            r'scenario\.toml: model\.hf: found "nowhere.json", expected the path of a file',
        ),
        ('"."', r'scenario\.toml: model\.hf: found ".", expected the path of a file'),
        ('"/dev/zero"', r'scenario\.toml: model\.hf: found "/dev/zero", expected the path of a file'),
        ('""', r'scenario\.toml: model\.hf: found "", expected the path of a Hugging Face config'),
        ("5", r"scenario\.toml: model\.hf: found 5, expected the path"),
        ('["config.json"]', r"scenario\.toml: model\.hf: found \[.*\], expected the path"),
        ('"a\\u0000b"', r"scenario\.toml: model\.hf: found .*, expected the path"),
        (f'"{"a/" * 3000}"', r"scenario\.toml: model\.hf: "),
    ],
)
def test_a_path_that_is_no_file_is_refused(tmp_path: Path, where: str, message: str) -> None:
    with pytest.raises(ScenarioError, match=message) as refused:
        scenario_of(tmp_path, f"hf = {where}")
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 300


def test_a_preset_and_a_config_are_not_mixed(tmp_path: Path) -> None:
    message = r"scenario\.toml: model\.hf: found a preset too, expected one of the two"
    with pytest.raises(ScenarioError, match=message):
        read(tmp_path, LLAMA_3_8B, 'preset = "llama3-8b"')


def test_hardware_has_no_config(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps(LLAMA_3_8B))
    with pytest.raises(ScenarioError, match=r"layout\.hf: found an unknown key"):
        scenario_of(tmp_path, 'preset = "llama3-8b"\n[layout]\nhf = "config.json"')


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)


@given(st.sampled_from(sorted(FAMILIES)), st.data())
def test_any_value_under_any_key_is_taken_or_refused(
    tmp_path_factory: pytest.TempPathFactory, model_type: str, data: st.DataObject
) -> None:
    keys = st.sampled_from(sorted({*FAMILIES[model_type].defaults, *NEEDED[model_type]}))
    config = sized(model_type) | data.draw(st.dictionaries(keys, _json, max_size=3))
    refused = "config.json: "
    try:
        read(tmp_path_factory.mktemp("hf"), config)
    except ScenarioError as error:
        refused = str(error)
    assert refused.startswith(("config.json: ", "scenario.toml: "))
    assert "\n" not in refused
