"""Rows of the sixth set are read from their words alone; none has been scored."""

from collections import Counter
from typing import Any

import pytest
from heldout_row import refusals
from heldouts.clusters import cluster
from heldouts.flops import counts
from heldouts.jobs import tables
from heldouts.launches import launch, sharding
from heldouts.published import peak, step
from heldouts.recomputed import on_host, recomputed
from heldouts.rows import LATER, RefusedError, Row, rows

SIXTH = rows(LATER["sixth"])


def named(words: str) -> Row:
    return next(row for row in SIXTH if words in row["name"])


def kept(row: Row) -> dict[str, Any]:
    return {**recomputed(row), **on_host(row)}


def test_most_of_the_set_is_read_and_the_rest_has_its_reason() -> None:
    refused = Counter[str]()
    for reason, many in refusals(SIXTH).items():
        refused[reason.partition(":")[0]] += many
    assert refused == {"no preset": 12, "precision": 6, "published": 2}


@pytest.mark.parametrize(
    ("words", "preset"),
    [
        ("one H100 PCIe", "h100-pcie"), ("one H100 NVL", "h100-nvl"), ("one A100 PCIe", "a100-80gb-pcie"),
        ("one L40,", "l40"), ("one L40S", "l40s"), ("one L4,", "l4"), ("one A40,", "a40"),
        ("RTX 6000 Ada", "rtx-6000-ada"), ("RTX PRO 6000", "rtx-pro-6000"), ("Trainium2", "trainium2"),
    ],
)  # fmt: skip
def test_a_board_or_chip_without_a_preset_is_refused_by_its_name(words: str, preset: str) -> None:
    with pytest.raises(RefusedError, match=f"^no preset: {preset}$"):
        cluster(named(words))


def test_a_row_without_a_precision_is_refused() -> None:
    with pytest.raises(RefusedError, match="precision: not said"):
        tables(named("EasyDeL"))


def test_chips_of_a_host_are_no_node_of_a_slice() -> None:
    assert "node_devices" not in cluster(named("per-layer remat, 1 x 8192"))
    assert cluster(named("Qwen3 30B-A3B, 16 H100"))["node_devices"] == 8


def test_recomputation_that_no_page_states_is_left_out() -> None:
    for words in ("Nemotron-4 15B, 64 B200, BF16", "BF16, PP8 VP4 EP8", "cx v260", "torchax baseline"):
        assert recomputed(named(words)) == {}


def test_recomputation_is_read_in_words_and_by_policies() -> None:
    for words, found in (
        ("moe_act without nccl_ub", "layernorm, moe_act"), ("rack 04", "layernorm, moe_act"),
        ("13B GPT, 32 A100-40GB", "core_attn"), ("TinyMathReason", "full"),
        ("stage 1, 4096 tokens", "all but query, key, value, middle, gate, up, output"),
        ("cc5 v060", "all but query, key, value, context"), ("June 2025 log", "operations"),
        ("8 B200, BF16, MBS2", "none"),
    ):  # fmt: skip
        assert recomputed(named(words)) == {"recompute": found}


def test_what_lies_with_the_host_stands_in_several_places() -> None:
    assert kept(named("activation offload of 8 layers")) == {
        "recompute": "none", "offload_activations": "0.5",
    }  # fmt: skip
    assert on_host(named("Llama 3 70B FP8, 64")) == {"offload_activations": "0.0625"}
    assert on_host(named("optimizer offload")) == {"offload_optimizer": 1}
    assert kept(named("DP16 MBS48 GBS768")) == {"recompute": "full", "offload_activations": "input"}
    assert kept(named("qkv projections off-loaded")) == {
        "recompute": "all but query, key, value", "offload_activations": "query, key, value",
    }  # fmt: skip
    assert kept(named("Qwen3 8B MaxText, 2 x 8192")) == {
        "recompute": "all but query, key, value, middle",
        "offload_activations": "input, query, key, value, middle",
    }


def test_stages_follow_what_is_sharded_and_experts_groups_make_no_copies() -> None:
    assert sharding(named("68 GB200, EP4")) == {"zero": 3}
    assert sharding(named("GPT-3 5B, 16 A100")) == {"zero": 0}
    assert sharding(named("3D ZeRO-0")) == {"zero": 0}
    assert sharding(named("nanochat d20")) == {"zero": 1}


def test_attention_that_is_said_to_be_unfused_keeps_its_scores() -> None:
    for words in ("18B GPT, 16 V100", "torchax baseline", "GPT-3 20B", "MLA MoE"):
        assert launch(named(words))["flash_attention"] is False
    assert "flash_attention" not in launch(named("13B GPT, 32 A100-40GB"))


def test_widths_of_state_are_those_of_the_precision_and_the_optimizer() -> None:
    found = launch(named("1 x 8192, BF16 states"))
    assert (found["master_width"], found["moment_width"]) == ("2 byte", "2 byte")
    found = launch(named("FP32 moments, 2 x 4096"))
    assert (found["master_width"], found["moment_width"]) == ("2 byte", "4 byte")
    assert launch(named("BF16 weights, MXFP8 (all"))["working_width"] == "0 byte"
    assert "master_width" not in launch(named("FP32 weights, BF16"))
    for words in ("nanochat d20", "stage 1, 4096 tokens", "16 x 2048 (before fusion)"):
        assert launch(named(words))["moment_width"] == "2 byte"  # Muon


def test_gradients_of_nvidias_scripts_are_in_16_bits_but_not_of_own_ones() -> None:
    assert launch(named("Nemotron-4 15B, 64 B200, BF16"))["gradient_width"] == "2 byte"
    assert "gradient_width" not in launch(named("rack 04"))


def test_the_loss_is_made_in_parts_by_tiles_chunks_and_liger() -> None:
    for words, parts in (
        ("phase B", 16), ("chunks of 4096", 16), ("chunks of 16384", 8), ("FP32 weights, BF16", 75),
        ("fused chunked loss", 8),
    ):  # fmt: skip
        assert launch(named(words))["loss_parts"] == parts
    for words in ("128 x 512, full logits", "(all linears and norms)"):
        assert "loss_parts" not in launch(named(words))


def test_experts_traffic_hides_where_a_name_or_a_note_says_so() -> None:
    assert tables(named("overlap + full recompute"))["assume"] == {"ep_hidden": "90 %"}
    assert tables(named("all-to-all overlap, VP4"))["assume"] == {"ep_hidden": "90 %"}
    assert "assume" not in tables(named("no overlap, full recompute"))


def test_flops_of_megatron_bridge_are_known_of_dense_models_alone() -> None:
    assert step(named("68 GB200, TP2 PP2")).by == "tflops_per_gpu"
    assert counts(named("rack 04")) is None
    with pytest.raises(RefusedError, match="not defined"):
        step(named("68 GB200, EP4"))


def test_a_step_of_a_thrashing_allocator_is_none() -> None:
    with pytest.raises(RefusedError, match="waits for memory"):
        step(named("(thrashing)"))


@pytest.mark.parametrize(
    ("words", "size", "what"),
    [
        ("3D ZeRO-0", 19.49 * 2**30, "allocated"), ("DeepEP", 63.5 * 2**30, "nvidia-smi"),
        ("Llama 3 70B FP8, 64", 164.4e9, "allocated"), ("128 x 512, full logits", 29.18e9, "allocated"),
        ("August 2025 log", 47.38 * 2**30, "reserved"), ("one B200, micro-batch 64", 47.05 * 2**30,
        "nvidia-smi"), ("cx v260", 30.94 * 2**30, "not said"),
    ],
)  # fmt: skip
def test_peaks_have_their_unit_and_kind(words: str, size: float, what: str) -> None:
    assert peak(named(words)) == (size, what)


def test_what_a_compiler_reports_is_no_peak() -> None:
    assert peak(named("20 x 2048")) is None
