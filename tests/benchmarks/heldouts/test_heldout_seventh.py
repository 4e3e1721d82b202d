"""Rows of the seventh set are read from their words alone; none has been scored."""

import pytest
from heldout_row import refusals
from heldouts.clusters import cluster
from heldouts.flops import counts
from heldouts.jobs import tables
from heldouts.launches import launch, sharding
from heldouts.models import model
from heldouts.published import peak, step
from heldouts.recomputed import recomputed
from heldouts.rows import LATER, RefusedError, Row, compiled, eight_bits, framework, program, rows

SEVENTH = rows(LATER["seventh"])
# What readers look at, and what they leave: words for people, rates and shares of what is read already.
READ = {
    "agreement", "attention", "compile", "cp", "date", "device", "device_mem_gb", "dispatcher", "dp",
    "dp_kind", "ep", "etp", "framework", "global_batch", "gpus", "gpus_per_node", "loss_head", "mem_kind",
    "mfu_counts", "mfu_peak", "mfu_percent", "micro_batch", "model", "model_source", "name", "network",
    "notes", "optimizer", "overlap", "peak_mem", "peak_mem_gb", "peak_mem_gib", "peak_mem_what", "pp",
    "precision", "recompute", "samples_per_s", "seq_len", "sequence_parallel", "source", "step_time_s",
    "tflops_counts", "tflops_def", "tflops_per_gpu", "tokens_per_s", "tokens_per_s_per_gpu",
    "tokens_per_s_total", "tp", "unknown", "vpp",
}  # fmt: skip
LEFT = {"cuda_graph", "evidence", "memory_percent", "mfu", "printed", "recipe"}
SIXTEEN = ("master_width", "gradient_width", "moment_width", "reduce_width", "working_width")


def named(words: str) -> Row:
    return next(row for row in SEVENTH if words in row["name"])


def widths(words: str) -> tuple[str | None, ...]:
    found = launch(named(words))
    return tuple(found.get(key, "")[:1] for key in SIXTEEN)


def test_every_key_is_read_or_left_on_purpose() -> None:
    assert {key for row in SEVENTH for key in row} == READ | LEFT
    assert not READ & LEFT


def test_what_is_not_read_has_its_reason() -> None:
    refused = refusals(SEVENTH)
    devices = [reason for reason in refused if reason.startswith("no preset: ")]
    assert {reason: many for reason, many in refused.items() if reason not in devices} == {
        "launch: state is sharded over groups of two sizes": 4,
        "network: NCCL over sockets, whose rate is not said": 2,
        "precision: products of FP32": 1,
        "precision: products of FP4": 3,
        "precision: products of TF32": 1,
        "published: FLOP/s alone, of FLOPs that are not defined": 7,
        "published: a peak alone, no time of a step": 6,
        **{reason: many for reason, many in refused.items() if "model.vocab" in reason},
    }


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("256 A100, 4096 tokens, 5 checkpointed", "layers 5"), ("50 checkpointed", "layers 50"),
        ("0 checkpointed", "none"), ("fsdp, activation checkpointing on", "full"),
        ("deepspeed, activation checkpointing on", "full"),
        ("torchtitan, activation checkpointing on", "full"),
        ("fsdp, activation checkpointing off", "none"), ("v5litepod-4", "full"),
        ("EP8, torchtitan", "full"),
        ("seqax 84m", "all but query, key, value, middle, gate, up"), ("180407", "core_attn"),
        ("FSDP 8, MaxText", "all but query, key, value, context, middle, gate, up, output"),
        ("tp4_pp1_dp2_mbc8", "none"), ("stock TRL ZeRO-3, seq 4096", "full"),
    ],
)  # fmt: skip
def test_recomputation_is_read_by_its_words(words: str, found: str) -> None:
    assert recomputed(named(words)) == {"recompute": found}


def test_recomputation_that_is_not_stated_is_left_out() -> None:
    for words in ("MI300X, TP1 PP2", "TP2 x PP2 x DP4", "Apertus-8B"):
        assert recomputed(named(words)) == {}


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("HSDP 1 x 8", {"zero": 3}), ("HSDP 2 x 8", {"zero": 3, "replicas": 2}),
        ("HSDP 6 x 8", {"zero": 3, "replicas": 6}), ("180407", {}),
        ("hybrid shard, 8 A100", {"zero": 3, "replicas": 2}),
        ("hybrid shard, 16 A100", {"zero": 3, "replicas": 4}), ("full shard, 4 A100", {"zero": 3}),
        ("full shard, 16 A100", {"zero": 3}), ("1.7B DDP, 8", {"zero": 0}),
        ("Halo EP1 ZeRO-2, seq 4096", {"zero": 2}), ("Halo EP1 ZeRO-3, seq 4096", {"zero": 3}),
        ("Halo EP8 ZeRO-2", {"zero": 2}), ("EP8, batch 1, seq 4096", {"zero": 2}),
        ("EP1 sharded experts", {"zero": 3}), ("NeMo", {}), ("Primus", {"zero": 1}),
        ("TPU v3-128", {"zero": 3, "replicas": 16}), ("Megatron-LM", {}),
    ],
)  # fmt: skip
def test_stages_and_copies_follow_the_words(words: str, found: dict[str, int]) -> None:
    assert sharding(named(words)) == found


def test_experts_with_more_copies_than_the_rest_are_refused() -> None:
    for words in ("EP1 replicated experts", "EP2, batch 1", "EP2, batch 4", "Halo EP2 ZeRO-2"):
        with pytest.raises(RefusedError, match="groups of two sizes"):
            sharding(named(words))


def test_units_that_stay_gathered_are_copies_beside_their_shards() -> None:
    assert widths("Halo EP1 ZeRO-2, seq 4096") == ("2", "2", "2", "2", "2")
    assert widths("Halo EP1 ZeRO-3, seq 4096") == ("2", "2", "2", "2", "0")


def test_state_in_16_bits_is_said_in_many_ways() -> None:
    for words in (
        "one B300, batch 16", "1.7B DDP, 4 A100 GCP one", "BF16, FlashAttention, batch 8",
        "8B-llama, one H200, TE",
        "v6e-16",
    ):  # fmt: skip
        assert widths(words) == ("2", "2", "2", "2", "0")
    for words in ("stock TRL", "full shard, 4 A100", "8B-llama, one B300", "HSDP 1 x 8"):
        assert "master_width" not in launch(named(words))


def test_an_optimizer_of_megatron_may_keep_less() -> None:
    found = launch(named("Llama 3.1-70B, 16 GH200"))
    assert [found[key] for key in ("master_width", "moment_width", "gradient_width")] == ["2 byte"] * 3
    assert "working_width" not in found  # the BF16 weight, whole on each rank
    first = launch(named("page's label"))
    assert first["gradient_width"] == "2 byte"
    assert not {"moment_width", "master_width"} & first.keys()
    assert launch(named("Apertus-8B"))["moment_width"] == "6 byte"
    assert launch(named("XLA FSDP"))["moment_width"] == "0 byte"


def test_products_of_other_widths_are_none() -> None:
    for words in ("FP32, unfused", "TF32"):
        with pytest.raises(RefusedError, match="products of"):
            cluster(named(words))
    assert not eight_bits(named("Qwen3-32B-like"))
    assert cluster(named("Qwen3-32B-like"))["hardware"] == "h800-sxm"
    assert eight_bits(named("q8b-fp8"))
    assert eight_bits(named("DP4 MBS2 GBS128, MXFP8"))


def test_sockets_are_slower_than_ports_but_only_between_nodes() -> None:
    assert "network_one_way" not in cluster(named("HSDP 1 x 8"))
    for words in ("HSDP 2 x 8", "HSDP 6 x 8"):
        with pytest.raises(RefusedError, match="sockets"):
            cluster(named(words))
    assert cluster(named("q8b-baseline"))["network_one_way"] == "400 Gbit/s"
    assert cluster(named("175B GPT"))["network_one_way"] == "200 Gbit/s"
    assert "network_one_way" not in cluster(named("Polaris two nodes"))


def test_programs_are_known_however_they_are_spelt() -> None:
    titan = named("torchtitan, activation checkpointing off")
    assert (program(titan), framework(titan), compiled(titan)) == ("torchtitan", "torchtitan", False)
    assert program(named("YaFSDP")) == "others"
    assert compiled(named("EP8, torchtitan"))
    assert not compiled(named("tp4_pp1_dp2_mbc8"))
    assert "keep_gradients" not in launch(named("8 H100, TP1 PP2 DP4, NeMo"))
    assert launch(named("EP8, prime-rl"))["keep_gradients"] is False


def test_attention_is_eager_only_where_its_words_are() -> None:
    assert "flash_attention" not in launch(named("8 H200, megatron"))
    for words in ("seqax 84m", "from-scratch attention", "TPU v3-128", "XLA FSDP"):
        assert launch(named(words))["flash_attention"] is False
    assert "flash_attention" not in launch(named("BF16, FlashAttention, batch 8"))


def test_operations_run_one_by_one_in_models_of_hugging_face_but_not_under_xla() -> None:
    assert launch(named("1.7B DDP, 8"))["fused_operations"] is False
    assert tables(named("1.7B DDP, 8"))["assume"] == {"loss_width": "8 byte"}
    assert "fused_operations" not in launch(named("XLA FSDP"))
    assert "loss_width" not in tables(named("XLA FSDP"))["assume"]
    assert launch(named("EP8, torchtitan"))["fused_operations"] is True


def test_heads_of_the_loss() -> None:
    found = tables(named("tp4_pp1_dp2_mbc8"))
    assert (found["launch"]["logit_width"], found["assume"]["loss_width"]) == ("2 byte", "0 byte")
    for words, parts in (
        ("stock TRL ZeRO-3, seq 4096", 70), ("8B-llama, one H200", 24),
        ("EP8, torchtitan", 8), ("torchtitan, activation checkpointing off", 8),
    ):  # fmt: skip
        assert launch(named(words))["loss_parts"] == parts
    for words in (
        "Halo EP1 ZeRO-2, seq 4096", "seq 131072", "EP8, prime-rl", "EP1 sharded experts", "180407",
    ):  # fmt: skip
        assert "loss_parts" not in launch(named(words))


def test_even_loads_and_exposed_traffic_are_assumed_where_they_are_said() -> None:
    assert tables(named("deepseekv2_tp1_ep8"))["assume"] == {
        "imbalance": "1", "dp_hidden": "0", "loss_width": "0 byte",
    }  # fmt: skip
    for words in ("EP8, torchtitan", "EP8, prime-rl"):
        assert tables(named(words))["assume"]["imbalance"] == "1"
    assert tables(named("XLA FSDP"))["assume"] == {"dp_hidden": "0"}
    assert "assume" not in tables(named("q30b-a3b-ep8"))


def test_sequence_parallelism_is_the_rows_or_the_recipes() -> None:
    for words in ("q32b-tp4", "q8b-baseline", "TP2 x PP2 x DP4"):
        assert launch(named(words))["sequence_parallel"] is False
    assert launch(named("180407"))["sequence_parallel"] is True
    assert "sequence_parallel" not in launch(named("Qwen3-32B-like"))


@pytest.mark.parametrize(
    ("words", "seconds"),
    [
        ("175B GPT", 112.6), ("1T GPT", 402.0), ("seqax 84m", 0.113), ("seqax 2b, 32", 0.867),
        ("HSDP 1 x 8", 16.38), ("TPU v3-128", 2.362), ("Qwen3-14B, 4 GH200, TP4 PP1 DP1 MBS1", 66.48),
    ],
)  # fmt: skip
def test_steps_are_those_that_the_gatherer_worked_out_from_a_pages_formula(
    words: str, seconds: float
) -> None:
    assert step(named(words)).seconds == pytest.approx(seconds, rel=4e-3)


def test_megatrons_log_counts_half_of_attention_as_its_tokens_say() -> None:
    row = named("Qwen3-14B, 4 GH200, TP4 PP1 DP1 MBS1")
    rate = {key: value for key, value in row.items() if key != "tokens_per_s_per_gpu"}
    assert step(rate).by == "tflops_per_gpu"
    assert step(rate).seconds == pytest.approx(step(row).seconds, rel=3e-3)
    assert counts(named("Qwen3-32B-like")) is None


@pytest.mark.parametrize(
    ("words", "size", "what"),
    [
        ("tp4_pp1_dp2_mbc8", 39.07 * 2**30, "allocated"), ("q1p7b-dp16", 44.3e9, "allocated"),
        ("8 H200, megatron, activation checkpointing on", 60.5 * 2**30, "nvidia-smi"),
        ("8 H200, fsdp, activation checkpointing off", 70.4 * 2**30, "reserved"),
        ("BF16, FlashAttention, batch 8", 5.9004 * 2**30, "reserved"),
        ("one H100, FP16", 41.6e9, "not said"),
        ("Llama2-7B, 8 MI350X, BF16", 134.6 * 2**30, "not said"),
        ("EP8, prime-rl", 141 * 2**30, "not said"),
        ("v5litepod-4", 0.87 * 16 * 2**30, "not said"), ("v6e-4", 32 * 2**30, "not said"),
        ("stock TRL ZeRO-3, seq 4096", 47.6 * 2**30, "allocated"),
    ],
)  # fmt: skip
def test_peaks_have_their_unit_and_kind(words: str, size: float, what: str) -> None:
    found = peak(named(words))
    assert found is not None
    assert found.bytes == pytest.approx(size)
    assert found.what == what


def test_what_an_allocator_holds_after_a_step_is_no_peak() -> None:
    assert peak(named("8 H100, TP1 PP2 DP4, NeMo")) is None


def test_shapes_are_the_launchers() -> None:
    found = model(named("Qwen3-32B, 8 GH200"))
    assert (found["head_dim"], found["vocab"]) == (80, 50257)
    assert model(named("deepseekv3_l4_tp1_ep8"))["moe_blocks"] == 3
