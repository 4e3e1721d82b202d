"""A model's preset, a config.json, or a device's preset is enough for a question about it alone."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from documents import run

import workings
from workings import catalogue
from workings.derivation.evaluation import needed_letters
from workings.errors import UserError
from workings.scenario import PRESETS, ScenarioError, load_scenario, preset_names

# Presets of scenarios, and the model in each.
PAIRS = (("llama3-8b-8", "llama3-8b"), ("gpt3-512", "gpt3-175b"), ("deepseek-v3-2048", "deepseek-v3"))


def test_what_asks_only_for_a_model_has_the_value_that_it_has_in_a_scenario() -> None:
    """Over the catalogue: entries whose letters are all figures of the model, or counted of it."""
    asked = 0
    for whole, alone in ((load_scenario(a), load_scenario(b)) for a, b in PAIRS):
        for what in catalogue.every("parameters"):
            letters = [what.letters[name] for name in needed_letters(what)]
            if not all((concept.supplied or "").startswith("model.") for concept in letters):
                continue
            try:
                there = workings.value(what.id, at=whole).value
            except UserError as error:
                with pytest.raises(type(error)):
                    workings.value(what.id, at=alone)
                continue
            assert workings.value(what.id, at=alone).value == there, what.id
            asked += 1
    assert asked > 20


def test_every_model_counts_its_parameters_without_a_layout() -> None:
    for name in preset_names("models"):
        found = workings.value("mixed-precision-state", at=name, set={})
        assert found.value == 16 * found.inputs[0].value


def test_what_asks_for_more_says_what_and_takes_it_by_letter() -> None:
    with pytest.raises(UserError, match=r"rank-state needs P_d .* set zero_1_dense_rank_parameters"):
        workings.value("rank-state", at="llama3-8b")
    with pytest.raises(UserError, match="tp-step-bytes needs"):
        workings.value("tp-step-bytes", at="llama3-8b", set={"tp": "4"})
    bubble = workings.value("pipeline-bubble", at="llama3-8b", set={"pp": "4", "microbatches": "8"})
    assert bubble.value * 8 == 3


def test_a_model_on_a_device_says_how_fast_it_decodes_and_what_a_million_tokens_cost() -> None:
    batch = {"tp": "8", "batch": "64", "sequence_length": "8192"}
    widths = {"served_width": "2 byte", "cache_width": "2 byte"}
    served = {"hardware": "h100-sxm", **batch, **widths}
    memory = workings.value("serving-memory", at="llama3-70b", set={**batch, **widths})
    assert memory.value == 70_553_706_496 / 8 * 2 + 2 * 64 * 8192 * 80 * 128 * 2  # a head a rank
    rate = workings.value("decode-throughput-device", at="llama3-70b", set=served)
    cost = workings.value("decoded-tokens-cost", at="llama3-70b", set={**served, "price": "2 USD/h"})
    assert cost.value * rate.value == Fraction(2_000_000, 3600)
    assert 684 < rate.value < 686  # all weights and caches at 3.35 TB/s, 64 tokens on 8 devices


# --- named alone, in either order, or by settings --------------------------------------------

INTENSITY = Fraction(9894, 10) * 10**12 / (3350 * 10**9)  # 989.4 TFLOP/s over 3,350 GB/s
SERVED = {"tp": "8", "batch": "64", "sequence_length": "8192", "served_width": "2 byte",
          "cache_width": "2 byte"}  # fmt: skip


def shown(*arguments: str, **settings: str) -> str:
    """What `workings value` prints with these settings."""
    pairs = [word for name, text in settings.items() for word in ("--set", f"{name}={text}")]
    result = run("value", *arguments, *pairs)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def test_a_device_by_its_name_is_enough_for_a_question_about_it() -> None:
    assert workings.value("critical-intensity", at="h100-sxm").value == INTENSITY
    assert workings.value("critical-intensity", set={"hardware": "h100-sxm"}).value == INTENSITY
    assert shown("critical-intensity", "--at", "h100-sxm").splitlines()[2] == "    ≈ 295.34 FLOP/byte"
    assert shown("critical-intensity", hardware="h100-sxm") == shown(
        "critical-intensity", "--at", "h100-sxm"
    )


def test_a_model_and_a_device_may_be_named_in_any_place() -> None:
    """By --at and a setting, the one or the other, or by settings alone: the same lines."""
    model, device = {"model": "llama3-70b"}, {"hardware": "h100-sxm"}
    by_settings = shown("decode-step-time", **model, **device, **SERVED)
    assert shown("decode-step-time", "--at", "llama3-70b", **device, **SERVED) == by_settings
    assert shown("decode-step-time", "--at", "h100-sxm", **model, **SERVED) == by_settings
    assert workings.value("decode-step-time", at="h100-sxm", set=model | SERVED).value == (
        workings.value("decode-step-time", set=device | model | SERVED).value
    )
    assert workings.load_scenario("h100-sxm", model).name == workings.load_scenario(
        "llama3-70b", device
    ).name == "Llama 3.1 70B on NVIDIA H100 SXM, 80 GB"  # fmt: skip


def test_solving_takes_a_model_from_settings_too() -> None:
    """2.684 GB a sequence: 80 blocks, 8 heads of 128 numbers, two of 2 bytes each, 8,192 tokens."""
    given = {"model": "llama3-70b", "sequence_length": "8192", "cache_width": "2 byte"}
    assert workings.solve("kv-cache-bytes", "< 40 GB", letter="b", set=given).at == 14
    pairs = [word for name, text in given.items() for word in ("--set", f"{name}={text}")]
    printed = run("solve", "kv-cache-bytes", "< 40 GB", "--for", "b", *pairs)
    assert printed.stdout.splitlines()[0] == "b = 14, the largest"


def test_presets_may_be_written_in_capitals() -> None:
    for settings in (("--at", "H100-SXM"), ("--set", "hardware=H100-SXM")):
        assert shown("critical-intensity", *settings) == shown("critical-intensity", "--at", "h100-sxm")
    at = {name: load_scenario("GPT3-512", {"model": name}) for name in ("Llama3-70B", "llama3-70b")}
    assert at["Llama3-70B"].values == at["llama3-70b"].values
    assert at["Llama3-70B"].file == "gpt3-512.toml"
    with pytest.raises(ScenarioError, match="no hardware preset 'H100', expected h100-sxm or"):
        workings.value("critical-intensity", set={"hardware": "H100"})


def test_where_the_question_is_asked_may_hold_more_than_it_takes() -> None:
    """The cache of a model is as large on any device; a device that nothing asks for is no mistake."""
    kept = {"batch": "64", "sequence_length": "8192", "cache_width": "2 byte"}
    named = shown("kv-cache-bytes", model="llama3-70b", hardware="h100-sxm", **kept)
    assert named == shown("kv-cache-bytes", "--at", "llama3-70b", **kept)
    with pytest.raises(UserError, match="--set hardware: it changes nothing in kv-cache-bytes"):
        workings.value("kv-cache-bytes", at="llama3-70b-64", set={"hardware": "h200-sxm"})


def test_a_device_alone_says_what_it_lacks_and_takes_it_by_letter() -> None:
    with pytest.raises(UserError, match=r"weight-read-time needs .*parameters"):
        workings.value("weight-read-time", at="h100-sxm")
    read = {"parameters": "67e9", "served_width": "1 byte", "tp": "1"}
    assert workings.value("weight-read-time", at="h100-sxm", set=read).value == Fraction(67, 3350)


def test_a_name_that_no_preset_has_is_refused_with_those_of_its_kind() -> None:
    for kind, settings, known in (
        ("model", {"model": "h100-sxm"}, "deepseek-v2"),
        ("hardware", {"hardware": "llama3-70b"}, "a100-40gb-sxm"),
        ("model", {"hardware": "h100-sxm", "model": ""}, "deepseek-v2"),
    ):
        with pytest.raises(ScenarioError, match=rf"^no {kind} preset '.*', expected one of {known}"):
            workings.value("critical-intensity", set=settings)


def test_a_folder_of_ones_own_may_be_called_like_ours(tmp_path: Path) -> None:
    """A whole scenario stays one wherever it lies."""
    text = (PRESETS / "scenarios" / "llama3-8b-8.toml").read_text(encoding="utf-8")
    for folder in ("models", "hardware", "elsewhere"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "mine.toml").write_text(text, encoding="utf-8")
        found = workings.load_scenario(tmp_path / folder / "mine.toml")
        assert found.values == workings.load_scenario("llama3-8b-8").values


# --- settings and files ------------------------------------------------------------------------


def test_a_setting_of_the_model_counts() -> None:
    doubled = workings.value("dense-parameters", at="llama3-8b", set={"model.blocks": "64"})
    assert doubled.value > workings.value("dense-parameters", at="llama3-8b").value
    with pytest.raises(ScenarioError, match=r"^--set vocab: llama3-8b\.toml: model\.vocab: found '0'"):
        load_scenario("llama3-8b", {"vocab": "0"})


def test_a_config_is_a_model_too(tmp_path: Path) -> None:
    config = {
        "model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32,
        "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128256,
        "tie_word_embeddings": False,
    }  # fmt: skip
    (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    of_config = workings.value("dense-parameters", at=tmp_path / "config.json").value
    assert of_config == workings.value("dense-parameters", at="llama3-8b").value == 8_030_261_248


def test_a_job_is_called_one(tmp_path: Path) -> None:
    job = tmp_path / "job.toml"
    job.write_text('[model]\npreset = "llama3-8b"\n[cluster]\ndevices = 8\n', encoding="utf-8")
    with pytest.raises(ScenarioError, match=r"^job\.toml: cluster: found a section of a job, expected"):
        load_scenario(job)
