"""What a Hugging Face config gives a job: figures by the config's own keys, and a name."""

import json
from pathlib import Path
from typing import Any

import pytest
from job_files import CLUSTER, LAUNCH, launch, read, write

from workings.planning.job import Job

LLAMA = {"model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32,
         "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128256}  # fmt: skip
GPT2 = {"model_type": "gpt2", "n_embd": 768, "n_layer": 12, "n_head": 12, "vocab_size": 50257}

DEEPSEEK_V2_LITE = {
    "model_type": "deepseek_v2", "hidden_size": 2048, "intermediate_size": 10944, "num_hidden_layers": 27,
    "num_attention_heads": 16, "num_key_value_heads": 16, "vocab_size": 102400,
    "first_k_dense_replace": 1, "kv_lora_rank": 512, "q_lora_rank": None, "qk_nope_head_dim": 128,
    "qk_rope_head_dim": 64, "v_head_dim": 128, "moe_layer_freq": 1, "n_routed_experts": 64,
    "n_shared_experts": 2, "num_experts_per_tok": 6, "moe_intermediate_size": 1408,
}  # fmt: skip


def job(folder: Path, config: dict[str, Any], **settings: str) -> Job:
    write(folder, json.dumps(config), "config.json")
    return read(folder, '[model]\nhf = "config.json"\n' + CLUSTER + LAUNCH, **settings)


def test_a_figure_names_the_key_that_gives_it(tmp_path: Path) -> None:
    figures = job(tmp_path, LLAMA).figures
    origins = {letter: (figures[letter].kind, figures[letter].source) for letter in "DFLHKV"}
    assert origins == {
        "D": ("given", "config.json: hidden_size"),
        "F": ("given", "config.json: intermediate_size"),
        "L": ("given", "config.json: num_hidden_layers"),
        "H": ("given", "config.json: num_attention_heads"),
        "K": ("given", "config.json: num_key_value_heads"),
        "V": ("given", "config.json: vocab_size"),
    }


def test_what_the_architecture_settles_follows_from_it(tmp_path: Path) -> None:
    figures = job(tmp_path, LLAMA).figures
    for letter in ("n_f", "d_h", "n_n", "n_emb"):
        assert figures[letter].kind == "follows"
        assert figures[letter].source == "config.json, a Hugging Face config of llama"


def test_windows_of_attention_are_said_to_be_left_out_where_they_are_used(tmp_path: Path) -> None:
    found = job(tmp_path, {**LLAMA, "model_type": "mistral", "sliding_window": 4096})
    assert ignored(found) == {
        "sliding_window": "attention is taken over the whole sequence in every block"
    }
    off = {**LLAMA, "model_type": "qwen2", "sliding_window": 4096, "use_sliding_window": False}
    assert not ignored(job(tmp_path, off))


def ignored(found: Job) -> dict[str, str]:
    return {note.key: note.text for note in found.noted if note.remark == "ignored"}


GEMMA = {"model_type": "gemma3_text", "hidden_size": 2560, "intermediate_size": 10240,
         "num_hidden_layers": 34}  # fmt: skip


@pytest.mark.parametrize(
    "config",
    [GEMMA, {**GEMMA, "model_type": "gemma2", "vocab_size": 256000}, {**LLAMA, "model_type": "mistral"},
     {**LLAMA, "model_type": "qwen3", "use_sliding_window": True}],
)  # fmt: skip
def test_a_window_that_the_class_has_by_default_is_said_to_be_left_out(
    tmp_path: Path, config: dict[str, Any]
) -> None:
    said = ignored(job(tmp_path, config))
    assert said["sliding_window"].startswith("4,096 tokens, the default of its class: attention is taken")
    assert not ignored(job(tmp_path, {**config, "sliding_window": None}))


@pytest.mark.parametrize(
    "config",
    [{**LLAMA, "model_type": "phi3"}, {**LLAMA, "model_type": "starcoder2"}, LLAMA,
     {**LLAMA, "model_type": "qwen2"}, {**LLAMA, "model_type": "qwen2", "sliding_window": 4096},
     {**LLAMA, "model_type": "smollm3", "sliding_window": 4096}],
)  # fmt: skip
def test_a_class_whose_window_is_off_by_default_has_none(tmp_path: Path, config: dict[str, Any]) -> None:
    assert not ignored(job(tmp_path, config))


def test_the_outer_level_of_a_joined_config_is_seen_too(tmp_path: Path) -> None:
    inner = {**LLAMA, "_name_or_path": "inner"}
    outer = {"model_type": "llava", "_name_or_path": "lab/Seeing-7B", "text_config": inner,
             "vision_config": {"hidden_size": 1024}, "audio_config": {"hidden_size": 8},
             "quantization_config": {"quant_method": "fp8"}, "tie_word_embeddings": True}  # fmt: skip
    found = job(tmp_path, outer)
    assert ignored(found) == {
        "quantization_config": "weights are as wide as the launch says",
        "vision_config": "only the language model is planned",
        "audio_config": "only the language model is planned",
    }
    assert found.name.startswith("Seeing-7B on")
    assert found.figures["n_emb"].value == 1
    assert found.figures["n_emb"].source == "config.json: tie_word_embeddings"


def test_what_the_language_model_says_itself_goes_before_the_outer_level(tmp_path: Path) -> None:
    inner = {**LLAMA, "tie_word_embeddings": False, "_name_or_path": "lab/inner"}
    outer = {"model_type": "llava", "text_config": inner, "tie_word_embeddings": True}
    found = job(tmp_path, {**outer, "_name_or_path": ""})
    assert found.figures["n_emb"].value == 2
    assert found.name.startswith("inner on")


def test_what_the_cost_model_leaves_out_of_a_config_is_said(tmp_path: Path) -> None:
    config = {**DEEPSEEK_V2_LITE, "rope_scaling": {"type": "yarn", "factor": 40}}
    found = {n.key: n.text for n in job(tmp_path, config).noted if n.remark == "ignored"}
    assert list(found) == ["rope_scaling"]
    further = job(tmp_path, {**DEEPSEEK_V2_LITE, "num_nextn_predict_layers": 1})
    assert [n.key for n in further.noted if n.remark == "ignored"] == ["num_nextn_predict_layers"]
    none = job(tmp_path, {**DEEPSEEK_V2_LITE, "num_nextn_predict_layers": 0})
    assert not [n for n in none.noted if n.remark == "ignored"]


def test_latent_attention_is_read_with_its_own_widths(tmp_path: Path) -> None:
    figures = job(tmp_path, DEEPSEEK_V2_LITE).figures
    sizes = {letter: figures[letter].value for letter in ("r_q", "r_kv", "d_n", "d_r", "d_v", "d_h", "K")}
    assert sizes == {"r_q": 0, "r_kv": 512, "d_n": 128, "d_r": 64, "d_v": 128, "d_h": 0, "K": 16}
    assert (figures["r_kv"].kind, figures["r_kv"].source) == ("given", "config.json: kv_lora_rank")
    assert figures["r_q"].kind == "follows"  # null there: queries are not compressed


def test_the_keys_of_a_language_model_inside_another_are_named(tmp_path: Path) -> None:
    inner = {**LLAMA, "model_type": "gemma3_text", "head_dim": 128}
    figures = job(tmp_path, {"model_type": "gemma3", "text_config": inner}).figures
    assert (figures["D"].kind, figures["D"].source) == ("given", "config.json: hidden_size")


def test_other_families_have_keys_of_their_own(tmp_path: Path) -> None:
    figures = job(tmp_path, GPT2, sequence_length="1024").figures
    assert figures["D"].source == "config.json: n_embd"
    assert figures["L"].source == "config.json: n_layer"
    assert figures["F"].kind == "follows"
    assert figures["F"].value == 4 * 768


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("meta-llama/Llama-3.1-8B", "Llama-3.1-8B"),
        ("/home/ada/models/mine/", "mine"),
        ("C:\\models\\mine", "mine"),
        ("a|b`<c>\n$d", "abcd"),
        ("x" * 500, "x" * 60),
        ("", "llama (32 blocks of 4,096)"),
        ("./", "llama (32 blocks of 4,096)"),
        (None, "llama (32 blocks of 4,096)"),
        (9, "llama (32 blocks of 4,096)"),
    ],
)
def test_the_job_has_the_name_of_the_config(tmp_path: Path, path: object, name: str) -> None:
    assert (
        job(tmp_path, {**LLAMA, "_name_or_path": path}).name == f"{name} on 16 × NVIDIA H100 SXM, 80 GB"
    )


def test_a_name_without_a_config_says_the_sizes_that_are_set(tmp_path: Path) -> None:
    assert job(tmp_path, LLAMA, blocks="16").name.startswith("llama (16 blocks of 4,096)")
    run = "--num-layers 48 --hidden-size 8192 --num-attention-heads 64 --seq-length 2048 --bf16"
    run = f"torchrun pretrain_gpt.py {run} --micro-batch-size 1 --vocab-size 50257"
    found = launch(tmp_path, run, more="devices = 16")
    assert found.name == "model (48 blocks of 8,192) on 16 × NVIDIA H100 SXM, 80 GB"
