"""A model's preset, or a config.json, is enough for a question about the model alone."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

import workings
from workings import catalogue
from workings.derivation.evaluation import needed_letters
from workings.errors import UserError
from workings.scenario import ScenarioError, load_scenario, preset_names

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
