"""A row becomes the job that a user would write, and nothing that it does not say is said for it."""

from typing import Any

import pytest
from heldout_row import ROW
from heldouts import clusters
from heldouts.clusters import cluster
from heldouts.jobs import job, kind, tables
from heldouts.launches import launch, sharding
from heldouts.models import model
from heldouts.rows import LATER, RefusedError, Row, framework, program, rows, source
from looping import each


@pytest.fixture
def every_preset(monkeypatch: pytest.MonkeyPatch) -> None:
    """All devices have one, racks of 72."""
    monkeypatch.setattr(clusters, "is_preset", lambda *_: True)
    monkeypatch.setattr(clusters, "read_preset", lambda *_: {"node_devices": {"value": 72}})


def with_model(**other: object) -> dict[str, Any]:
    return {**ROW, "model": {**ROW["model"], **other}}


def test_a_row_is_three_tables_of_what_it_says() -> None:
    assert tables(ROW) == {
        "cluster": {"hardware": "h100-sxm", "devices": 16, "node_devices": 8},
        "model": {"d_model": 4096, "blocks": 32, "heads": 32, "vocab": 32000, "kv_heads": 32,
                  "head_dim": 128, "ffn_matrices": 3, "embeddings": 2, "d_ff": 11008},
        "launch": {"tp": 2, "pp": 1, "cp": 1, "dp": 8, "microbatch": 2, "batch": 64,
                   "sequence_length": 4096, "framework": "megatron"},
    }  # fmt: skip


def test_the_products_reader_reads_it_with_its_defaults() -> None:
    read = job(ROW)
    values = read.values()
    assert [values[letter] for letter in ("n", "t", "b", "V")] == [16, 2, 64, 32000]
    assert [values[letter] for letter in ("z_1", "z_f", "z_s", "v")] == [1, 0, 1, 1]
    assert read.figures["eta"].kind == "assumed"
    assert read.figures["eta"].low is not None


def test_what_the_reader_refuses_is_a_kind_without_its_numbers() -> None:
    with pytest.raises(RefusedError, match=r"^reader: launch.dp: found N expected devices"):
        job({**ROW, "dp": 4})
    assert kind("row: launch.pp: found 3, of 1,024.") == "launch.pp: found N of N"


def test_a_model_keeps_what_its_row_leaves_out_open() -> None:
    said = {key: value for key, value in ROW["model"].items() if key not in ("tied", "vocab")}
    found = model({**ROW, "model": said})
    assert not {"embeddings", "vocab", "qk_norms", "positions"} & found.keys()
    with pytest.raises(RefusedError, match="vocab"):
        job({**ROW, "model": said})


def test_a_ratio_of_the_feed_forward_is_rounded_as_llama_does() -> None:
    said = {key: value for key, value in ROW["model"].items() if key != "ffn"}
    assert model({**ROW, "model": {**said, "mlp_ratio": "8/3"}})["d_ff"] == 11008


def test_experts_and_latents_have_keys_of_their_own() -> None:
    latent = {"q_lora_rank": 0, "kv_lora_rank": 512, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64,
              "v_head_dim": 128}  # fmt: skip
    experts = {"experts": 64, "active_experts": 6, "expert_ffn": 1408, "shared_experts": 2,
               "dense_layers": 1}  # fmt: skip
    found = model(with_model(**latent, **experts))
    assert not {"kv_heads", "head_dim"} & found.keys()
    assert (found["kv_rank"], found["d_expert"], found["moe_blocks"]) == (512, 1408, 31)
    with pytest.raises(RefusedError, match="which blocks"):
        model(with_model(**experts, moe_interleave="every four"))


@each(
    "said, stage, copies",
    [
        (None, None, 1),
        ("DDP (page: FSDP = 0)", None, 1),
        ("DDP or distributed optimizer (page has no FSDP column)", None, 1),
        ("DDP (replicated)", 0, 1),
        ("none", 0, 1),
        ("DDP + ZeRO-1 (DDPStrategyZero1)", 1, 1),
        ("distributed optimizer (recipe; card.yaml prints DP4)", 1, 1),
        ("ZeRO-1, optimizer states sharded over 8 GPUs", 1, 8),
        ("ZeRO-1, optimizer states sharded over all DP ranks", 1, 1),
        ("sharding stage2 over 64 (Paddle)", 2, 1),
        ("FSDP (full shard over all GPUs)", 3, 1),
        ("FSDP (sharding group 16)", 3, 4),
        ("FSDP over 8 in a slice x 8 slices DP", 3, 8),
        ("FSDP 32 x DP 2 over 64 devices (run_recipe.sh)", 3, 2),
        ("HSDP (shard in node, replicate across)", 3, 8),
        ("HSDP: FSDP 8 x 4, DP 2 (bf16 config; the fp8 config has DP 4 x FSDP 64)", 3, 2),
    ],
)
def test_sharding_is_a_stage_and_copies(said: str | None, stage: int | None, copies: int) -> None:
    found = sharding({**ROW, "dp": 64, **({"dp_kind": said} if said else {})})
    assert (found.get("zero"), found.get("replicas", 1)) == (stage, copies)


DOTS = "all but query, key, value, middle, gate, up, output"


@each(
    "said, ours",
    [
        ("none listed in the recipe", "none"),
        ("none (selective, empty list)", "none"),
        ("selective", "selective"),
        ("selective: mla_up_proj", "mla_up_proj"),
        ("selective: mlp, core_attn", "core_attn, mlp"),
        ("selective (core attention)", "core_attn"),
        ("selective: layernorm and the whole MoE block", "layernorm, moe"),
        ("selective: layernorm and MoE activation (--recompute-modules moe_act)", "layernorm, moe_act"),
        ("MLP activation function and norms only", "layernorm, mlp_act"),
        ("selective (a share of the blocks; share not in the table)", "none"),
        ("selective per-op (torchtitan SAC op policy)", "operations"),
        ("XLA remat, policy SAVE_DOT_WITH_NO_BATCH_DIM (configs.py)", DOTS),
        ("remat policy minimal_with_context", DOTS.replace("value,", "value, context,")),
        ("custom: decoder layer input kept on device, Q, K, V recomputed", "full"),
        ("custom: decoder layer input, Q, K, V offloaded to host", "all but query, key, value"),
        ("QKV projections and inputs off-loaded, rest recomputed", "all but query, key, value"),
        ("full, 5 layers", "layers 5"),
        ("full (uniform, 1 layer)", "full"),
        ("custom: decoder layer input offloaded to host, rest recomputed", "full"),
    ],
)
def test_what_is_computed_again_is_said_by_the_words_of_a_page(said: str, ours: str) -> None:
    assert launch({**ROW, "recompute": said})["recompute"] == ours
    assert "recompute" not in launch(ROW)


def test_every_so_many_blocks_of_a_chunk_are_so_many_of_all() -> None:
    row = {**ROW, "recompute": "full, 5 layers", "pp": 2, "vpp": 2}
    assert launch(row)["recompute"] == "layers 20"
    assert launch({**row, "pp": 8})["recompute"] == "full"


def test_a_compiler_drops_what_nobody_needs() -> None:
    row = {**ROW, "recompute": "selective (op)"}
    for named, ours in (("torchtitan (torch.compile on)", "compiled operations"),
                            ("torchtitan (torch.compile off)", "operations")):  # fmt: skip
        assert launch({**row, "framework": named})["recompute"] == ours


@each(
    "offload, again, ours",
    [
        ("0.1 of the activations to the host", "none", "0.1"),
        ("activations of 8 layers to CPU", "none", "0.25"),
        ("QKV projections and layer inputs to the host",
         "QKV projections and inputs off-loaded, rest recomputed", "query, key, value"),
        ("", "custom: decoder layer input, Q, K, V offloaded to host, rest recomputed",
         "input, query, key, value"),
        ("", "qkv_proj_offloaded", "query, key, value"),
        ("optimizer to the host", "none", None),
    ],
)  # fmt: skip
def test_activations_with_the_host_are_a_share_or_named(
    offload: str, again: str, ours: str | None
) -> None:
    found = launch({**ROW, "offload": offload, "recompute": again}).get("offload_activations")
    assert found == (f"input, {ours}" if offload.startswith("QKV") else ours)


def test_scores_are_kept_where_a_row_says_so_of_itself() -> None:
    small = "no flash attention for 126M; flash attention (cuDNN) for the others (README)"
    assert launch({**ROW, "attention": small, "name": "pax 126M"})["flash_attention"] is False
    assert launch({**ROW, "notes": "no flash attention"})["flash_attention"] is False
    assert "flash_attention" not in launch({**ROW, "attention": small})
    assert "flash_attention" not in launch({**ROW, "unknown": ["attention kernel"]})


def test_state_in_fewer_bytes_is_said_where_the_row_says_it() -> None:
    found = launch({**ROW, "precision": "BF16 weights and states (model.to(bfloat16))"})
    assert (found["master_width"], found["working_width"]) == ("2 byte", "0 byte")
    assert launch({**ROW, "notes": "bf16 exp_avg / exp_avg_sq"})["moment_width"] == "2 byte"
    assert not [key for key in launch(ROW) if "width" in key]
    reduced = launch({**ROW, "overlap": "gradient reduce (BF16) and parameter gather overlapped"})
    assert (reduced["gradient_width"], reduced["reduce_width"]) == ("2 byte", "2 byte")


def test_a_program_does_what_its_source_says_where_the_row_is_silent() -> None:
    fsdp = {**ROW, "framework": "PyTorch FSDP", "dp_kind": "FSDP over 8"}
    assert (launch(fsdp)["keep_gradients"], launch(fsdp)["working_width"]) == (False, "0 byte")
    buffers = {**fsdp, "framework": "Hugging Face Accelerate DeepSpeed", "dp_kind": "ZeRO-3"}
    assert not {"keep_gradients", "working_width"} & launch(buffers).keys()
    assert launch({**ROW, "source": "mbridge-summary"})["gradient_width"] == "2 byte"
    whole = launch({**ROW, "framework": "KempnerForge (no torch.compile)"})
    assert (whole["master_width"], whole["reduce_width"]) == ("2 byte", "4 byte")


def test_the_trainers_optimizer_needs_as_much_again_as_its_weights() -> None:
    trainer = {**ROW, "framework": "Hugging Face Trainer / sft_trainer", "dp_kind": "one replica"}
    assert tables(trainer)["assume"] == {"optimizer_temporary": "4 byte"}
    in_bf16 = {**trainer, "precision": "BF16 throughout"}
    assert tables(in_bf16)["assume"] == {"optimizer_temporary": "2 byte"}


def test_the_fused_loss_of_llama_is_made_in_parts() -> None:
    name = "fms-acceleration {} 1 A100 batch 4 foak-fast-kernels-liger (liger file)"
    model = {**ROW["model"], "vocab": 128256, "hidden": 4096}
    assert launch({**ROW, "name": name.format("Llama-3-8B"), "model": model})["loss_parts"] == 32
    assert "loss_parts" not in launch({**ROW, "name": name.format("Mistral-7B"), "model": model})


@each(
    "device, more, hardware",
    [
        ("NVIDIA A100 SXM4", {"device_mem_gb": 40}, "a100-40gb-sxm"),
        ("NVIDIA A100", {}, "a100-80gb-sxm"),
        ("NVIDIA A100 (hardware section: A800-SXM4-80GB)", {}, "a800-80gb-sxm"),
        ("NVIDIA H200 (as printed; the text speaks of a B200)", {}, "h200-sxm"),
        ("NVIDIA H20", {}, "h20-sxm"),
        ("NVIDIA B200 (power limited)", {"precision": "MXFP8"}, "b200-sxm-fp8"),
        ("NVIDIA GB200 (NVL72)", {"precision": "FP8: rowwise"}, "gb200-nvl72-fp8"),
        ("Google TPU v6e (Trillium)", {}, "tpu-v6e"),
    ],
)
def test_a_device_has_the_preset_of_its_precision(
    every_preset: None, device: str, more: dict[str, object], hardware: str
) -> None:
    row = {key: value for key, value in ROW.items() if key != "device_mem_gb"}
    assert cluster({**row, "device": device, **more})["hardware"] == hardware


def test_a_device_without_a_preset_is_refused_by_its_name() -> None:
    with pytest.raises(RefusedError, match="no preset: tpu-v7x-fp8"):
        cluster({**ROW, "device": "Google TPU7x (Ironwood)", "precision": "FP8"})
    with pytest.raises(RefusedError, match="not named"):
        cluster({**ROW, "device": "NVIDIA Blackwell SM100+ (name not printed)"})


@each("devices, node", [(8, None), (64, None), (144, None), (128, 64), (256, 64), (1536, 64)])
def test_a_rack_gives_as_many_devices_as_make_whole_ones(
    every_preset: None, devices: int, node: int | None
) -> None:
    row = {**ROW, "device": "NVIDIA GB300 (NVL72)", "gpus": devices, "gpus_per_node": 4}
    assert cluster(row).get("node_devices") == node


def test_a_slice_of_a_pod_is_what_its_links_join() -> None:
    kind = "FSDP over 64 in a slice x 4 slices DP"
    row = {**ROW, "device": "Google TPU v4", "gpus": 256, "dp": 256, "dp_kind": kind}
    assert cluster({**row, "device_mem_gb": 32})["node_devices"] == 64


@each(
    "said, rate",
    [
        ("4 x 100 Gb RoCE a node", "50 Gbit/s"),
        ("InfiniBand 100 Gb/s (one EDR port a node)", "12.5 Gbit/s"),
        ("800 Gbps", "100 Gbit/s"),
        ("400 Gb/s RDMA per GPU", "400 Gbit/s"),
        ("InfiniBand 200 Gb/s", None),
    ],
)
def test_a_network_is_what_one_device_sends(said: str, rate: str | None) -> None:
    assert cluster({**ROW, "network": said}).get("network_one_way") == rate


def test_memory_other_than_the_presets_is_said() -> None:
    found = cluster({**ROW, "device_mem_gb": 96, "notes": "96 GB HBM2e, 2.4 TB/s, 500 W"})
    assert (found["memory"], found["memory_bandwidth"]) == ("96 GB", "2.4 TB/s")
    assert "memory" not in cluster(ROW)


def test_every_row_has_a_source_and_a_program() -> None:
    found = rows()
    assert len(found) == 454
    assert len({source(row) for row in found}) == 23
    assert source({"source": "mbridge-cards"}) == source({"source": "mbridge-skills"})
    assert (program({"framework": "Megatron-DeepSpeed"}), framework({"framework": "NeMo"})) == (
        "DeepSpeed", "megatron",
    )  # fmt: skip


def test_every_row_is_read_or_refused_by_a_kind() -> None:
    kinds = {refusal(row).partition(":")[0] for row in rows()}
    assert kinds <= {"", "no preset", "model", "reader", "launch"}


def refusal(row: Row) -> str:
    try:
        return "" if job(row).chosen else "no layout"
    except RefusedError as error:
        return str(error)


@pytest.mark.parametrize(("name", "least"), [("second", 250), ("third", 140)])
def test_later_sets_are_read_or_refused_by_a_kind_too(name: str, least: int) -> None:
    kinds = [refusal(row) for row in rows(LATER[name])]
    assert kinds.count("") >= least
    assert {kind.partition(":")[0] for kind in kinds} <= {
        "",
        "no preset",
        "launch",
        "reader",
        "precision",
    }
