"""Rows of the eighth set are read from their words alone; nothing is fitted to them."""

import pytest
from heldout_row import refusals
from heldouts.clusters import cluster
from heldouts.flops import counts
from heldouts.jobs import tables
from heldouts.launches import launch, sharding
from heldouts.models import model
from heldouts.published import peak, step
from heldouts.recomputed import on_host, recomputed
from heldouts.rows import LATER, RefusedError, Row, compiled, eight_bits, framework, program, rows, source

EIGHTH = rows(LATER["eighth"])
# What readers look at, and what they leave: words for people, rates and shares of what is read already.
READ = {
    "agreement", "attention", "compile", "cp", "date", "device", "device_mem_gb", "dispatcher", "dp",
    "dp_kind", "ep", "etp", "framework", "global_batch", "gpus", "gpus_per_node", "loss_head", "mem_kind",
    "micro_batch", "model", "model_source", "name", "network", "notes", "optimizer", "overlap",
    "peak_mem_gb", "peak_mem_gib", "peak_mem_what", "pipeline_schedule", "pp", "precision", "recompute",
    "samples_per_s", "seq_len", "sequence_parallel", "source", "step_time_s", "tflops_def",
    "tflops_per_gpu", "tokens_per_s_per_gpu", "tp", "unknown", "vpp",
}  # fmt: skip
LEFT = {"cuda_graph", "evidence", "mfu", "pp_layout", "printed"}


def named(words: str) -> Row:
    return next(row for row in EIGHTH if words in row["name"])


def test_every_key_is_read_or_left_on_purpose() -> None:
    assert {key for row in EIGHTH for key in row} == READ | LEFT
    assert not READ & LEFT


def test_what_is_not_read_has_its_reason() -> None:
    assert refusals(EIGHTH) == {
        "launch: the batch is not said": 19,
        "launch: the sequence is not said": 13,
        "launch: parameters are off-loaded to the host": 2,
        "model: documents are masked, whose lengths are not said": 2,
        "no preset: a100-64gb-sxm": 3,
        "no preset: the device is not named": 20,
        "precision: products of FP4": 3,
    }


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("bs_176B_h64_tp4_pp12_mbs2", "full"), ("181B_tp8pp2", "full"),
        ("6.7B_2048_8192", "full"), ("6.7B_256_4096", "none"), ("oellm32b_2048_pp1", "none"),
        ("gb200_8b_bf16_eager", "compiled operations"), ("gb200_8b_mxfp8_graph", "compiled operations"),
        ("b200_1node_eager", "operations"), ("b200_1node_graph", "operations"),
        ("titan_fsdp8", "compiled operations"), ("dsv3_gb200_mxfp8_partial_cg", "mlp"),
        ("pp1_dp1_ep8_bf16", "none"), ("qwen3_32b_sdma_on", "none"),
    ],
)  # fmt: skip
def test_recomputation_is_read_by_its_words(words: str, found: str) -> None:
    assert recomputed(named(words)) == {"recompute": found}


def test_recomputation_that_is_unknown_is_left_out() -> None:
    for words in (
        "64h100_pp4_ep8_fsdp",
        "vultr_llama8b_fp8",
        "qwen3_235b_b200_bf16",
        "fair_dsv3_256_mxfp8",
    ):
        assert recomputed(named(words)) == {}


def test_what_the_host_holds() -> None:
    assert on_host(named("partial_cg")) == {"offload_activations": "query, key, value"}
    with pytest.raises(RefusedError, match="parameters are off-loaded"):
        on_host(named("gpt13b_v100x8"))


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("bs_195B", {"zero": 1}), ("181B_tp4pp6", {"zero": 1}), ("pp8_vpp4_1452155", {"zero": 1}),
        ("ddp8_bs8", {"zero": 0}), ("hsdp_2x4", {"zero": 3, "replicas": 2}), ("leo_13B", {"zero": 3}),
        ("2.7B_512_4096", {"zero": 3, "replicas": 128}), ("gb200_8b_bf16_eager", {"zero": 3}),
        ("h200_qwen3_30b_3190", {"zero": 3}), ("titan_fsdp8", {"zero": 3}),
        ("gpt48_sdma_on", {"zero": 3}), ("dsv2lite_8h100_adam", {"zero": 2}), ("ep8_fsdp", {"zero": 2}),
        ("ep8_hsdp", {"zero": 2, "replicas": 2}), ("vultr_llama8b_fp8", {}),
    ],
)  # fmt: skip
def test_stages_and_copies_follow_the_words(words: str, found: dict[str, int]) -> None:
    assert sharding(named(words)) == found


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("bs_195B", {}), ("bs_200B", {"gradient_width": "2 byte", "reduce_width": "2 byte"}),
        ("181B_tp2pp24", {"gradient_width": "2 byte", "reduce_width": "2 byte"}),
        ("1395802", {"gradient_width": "2 byte", "reduce_width": "2 byte"}), ("1452153", {}),
        ("vultr_nemotron15b_bf16", {"gradient_width": "2 byte", "reduce_width": "2 byte"}),
        ("h200_qwen3_30b_3141", {"gradient_width": "2 byte", "reduce_width": "2 byte"}),
        ("mn5_13B_64", {"reduce_width": "2 byte", "working_width": "0 byte"}),
        ("dsv2lite_8h100_muon", {"moment_width": "2 byte", "working_width": "2 byte"}),
        ("dsv2_lite_8h100", {}), ("olmo2_7b_64k_fp8_nomask", {"working_width": "0 byte"}),
    ],
)  # fmt: skip
def test_widths_of_state(words: str, found: dict[str, str]) -> None:
    launched = launch(named(words))
    widths = {key: launched[key] for key in launched if key.endswith("_width") and key != "logit_width"}
    assert widths == found


def test_all_state_in_16_bits_where_the_model_is() -> None:
    for words in ("ddp8_bs8", "hsdp_2x4"):
        found = launch(named(words))
        assert [found[f"{key}_width"] for key in ("master", "gradient", "moment")] == ["2 byte"] * 3


def test_attention_of_before_its_fused_kernels_keeps_its_scores() -> None:
    for words in ("bs_184B", "181B_tp8pp6", "qwen3_32b_sdma"):
        assert launch(named(words))["flash_attention"] is False
    for words in ("gpt48_sdma", "mn5_2.7B", "b200_1node_eager"):
        assert "flash_attention" not in launch(named(words))
    assert launch(named("bs_184B"))["sequence_parallel"] is False


def test_devices_have_the_memory_that_is_said() -> None:
    assert cluster(named("mn5_2.7B_8"))["memory"] == "64 GB"
    assert cluster(named("gb200_8b_bf16_eager"))["memory"] == "184.30 GiB"
    assert "memory" not in cluster(named("oellm32b_2048_pp1"))
    assert cluster(named("qwen3_32b_sdma_off"))["hardware"] == "mi300x"
    with pytest.raises(RefusedError, match="a100-64gb-sxm"):
        cluster(named("leo_6.7B"))
    with pytest.raises(RefusedError, match="FP4"):
        cluster(named("vultr_llama8b_nvfp4"))


def test_a_nodes_terabits_are_its_devices_in_parts() -> None:
    assert cluster(named("h200_qwen3_30b_3141"))["network_one_way"] == "400 Gbit/s"


def test_programs_are_known_by_their_names() -> None:
    assert (program(named("mn5_13B_64")), framework(named("mn5_13B_64"))) == ("Modalities", "")
    assert program(named("ep8_hsdp")) == program(named("dsv2lite_8h100_adam")) == "PithTrain"
    assert framework(named("ddp8_bs8")) == "torchtitan"
    assert framework(named("h200_qwen3_30b_3141")) == framework(named("oellm32b")) == "megatron"
    assert framework(named("bs_195B")) == "deepspeed"
    assert eight_bits(named("gb300_mxfp8_gbs15360"))
    assert compiled(named("titan_fsdp8"))
    assert not compiled(named("b200_1node_eager"))


def test_a_v_of_two_chunks_hides_the_exchange_of_one_micro_batch_behind_another() -> None:
    for words in ("pp2_dp1_ep4_fp8", "ep8_fsdp"):
        found = tables(named(words))
        assert found["launch"]["virtual_stages"] == 2
        assert found["assume"]["ep_hidden"] == "90 %"
    assert launch(named("pp1_dp2_ep4_bf16"))["virtual_stages"] == 1


def test_exchanges_overlap_only_where_it_is_said() -> None:
    for words in ("h200_qwen3_30b_3188", "gbs15360", "b200_mxfp8_before", "b200_bf16_before"):
        assert tables(named(words))["assume"] == {"ep_hidden": "90 %"}
    for words in ("partial_cg", "b200_mxfp8_after", "b200_bf16_after", "vultr_qwen3_30b"):
        assert "assume" not in tables(named(words))


def test_heads_of_the_loss() -> None:
    found = tables(named("dsv2_lite_8h100"))
    assert (found["launch"]["logit_width"], found["assume"]["loss_width"]) == ("2 byte", "0 byte")
    assert launch(named("titan_fsdp8"))["loss_parts"] == 8
    eager = tables(named("gb200_8b_bf16_eager"))  # whose model alone is compiled
    assert "logit_width" not in eager["launch"]
    assert eager["assume"]["loss_width"] == "8 byte"
    assert eager["launch"]["fused_operations"] is True


def test_shapes_of_models() -> None:
    found = model(named("dsv2_lite_8h100"))
    assert (found["q_rank"], found["kv_rank"], found["active_experts"], found["moe_blocks"]) == (
        0, 512, 6, 27,
    )  # fmt: skip
    assert model(named("fair_qwen3_30b"))["active_experts"] == 8
    with pytest.raises(RefusedError, match="which blocks have experts"):
        model(named("openlm_410m_8e"))
    with pytest.raises(RefusedError, match="documents are masked"):
        model(named("bf16_mask"))


def test_torchtitans_own_flops_tell_of_a_step() -> None:
    row = named("ddp8_bs8")
    assert step(row).by == "tflops_per_gpu"
    assert counts(row) is not None


@pytest.mark.parametrize(
    ("words", "seconds", "by"),
    [
        ("181B_tp8pp6_h64", 120.18, "step_time_s"), ("mn5_2.7B_8", 24 / 31.8, "samples_per_s"),
        ("gb200_8b_bf16_eager", 128 * 2048 / 4 / 21776, "tokens_per_s_per_gpu"),
    ],
)  # fmt: skip
def test_steps_are_those_that_are_printed(words: str, seconds: float, by: str) -> None:
    assert step(named(words)).seconds == pytest.approx(seconds, rel=1e-3)
    assert step(named(words)).by == by


@pytest.mark.parametrize(
    ("words", "size", "what"),
    [
        ("bs_195B_h64", 67e9, "nvidia-smi"), ("ddp8_bs8", 86.36 * 2**30, "reserved"),
        ("181B_tp8pp6_h64", 55e9, "nvidia-smi"), ("dsv2lite_8h100_adam", 57.2e9, "not said"),
        ("qwen3_32b_sdma_on", 96.45e9, "allocated"),
    ],
)  # fmt: skip
def test_peaks_have_their_unit_and_kind(words: str, size: float, what: str) -> None:
    found = peak(named(words))
    assert found is not None
    assert found.bytes == pytest.approx(size, rel=1e-3)
    assert found.what == what


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("bs_195B", "bigscience-v100"), ("oellm32b", "jupiter-gh200"), ("olmo2_7b", "olmo-core-h100-fp8"),
        ("swissai_8b", "swiss-ai-megatron"), ("b200_1node_eager", "torchtitan"),
        ("gb200_8b_bf16", "torchtitan"), ("partial_cg", "megatron-bridge"),
        ("mixtral_8x7b", "megatron-lm"),
        ("dsv2_lite_8h100", "pith-train"), ("dsv2lite_8h100", "pith-train"),
        ("h200_qwen3_30b", "aws-distributed-training"), ("dsv3_mi355x_256", "primus"),
        ("gptoss20b", "primus"), ("mn5_13B", "modalities-scaling"), ("fair_dsv3", "fair-gb300-bridge"),
    ],
)  # fmt: skip
def test_pages_of_the_same_people_are_one_source(words: str, found: str) -> None:
    assert source(named(words)) == found
