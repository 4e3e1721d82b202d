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
    with pytest.raises(RefusedError, match="which blocks"):
        model(with_model(**experts, moe_layers="some"))


def test_a_wide_shared_expert_is_so_many_of_the_others() -> None:
    routed = {"experts": 64, "top_k": 4, "expert_ffn": 1280, "shared_experts": 1, "moe_layers": "all"}
    found = model(with_model(**routed, shared_ffn=5120))
    assert (found["active_experts"], found["d_expert"], found["shared_experts"]) == (4, 1280, 4)
    assert model(with_model(**routed, shared_ffn=0))["shared_experts"] == 1
    assert model(with_model(experts=8, top_k=2, moe_ffn=768))["d_expert"] == 768
    with pytest.raises(RefusedError, match="not as wide"):
        model(with_model(**routed, shared_ffn=5000))


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
        ("FSDP2 without resharding after forward", 2, 1),
        ("DDP (static_graph)", 0, 1),
        ("ZeRO-3 over 16 GPUs, replicated 4 times (MiCS)", 3, 4),
        ("MiCS (everything over the 8 GPUs of a node)", 3, 8),
        ("ZeRO-1 (optimizer states over all 64 GPUs)", 1, 1),
        ("Gemini, placement cuda (parameters, gradients and optimizer sharded, on the GPU)", 3, 1),
        ("AMSP (parameters and gradients not sharded, optimizer states over the 8 GPUs of a node)", 1, 8),
        ("Overlapped (gradients and optimizer states sharded)", None, 1),
        ("FSDP over ICI x 2 over DCN (dcn_mesh.fsdp=2)", 3, 1),
    ],
)
def test_sharding_is_a_stage_and_copies(said: str | None, stage: int | None, copies: int) -> None:
    found = sharding({**ROW, "dp": 64, **({"dp_kind": said} if said else {})})
    assert (found.get("zero"), found.get("replicas", 1)) == (stage, copies)


def test_replicas_over_racks_are_copies() -> None:
    row = {**ROW, "dp": 64, "dp_kind": "FSDP in the rack, replicas over racks"}
    assert sharding({**row, "network": "NVLink in a rack of 8; 8 racks"})["replicas"] == 8
    assert "replicas" not in sharding({**row, "network": "NVLink"})


def test_gradients_over_fewer_devices_than_the_optimizer_have_no_key() -> None:
    kind = "AMSP (parameters and gradients over 4 GPUs, optimizer states over the 8 GPUs of a node)"
    with pytest.raises(RefusedError, match="two sizes"):
        sharding({**ROW, "dp_kind": kind})


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
        ("full, checkpoints offloaded to the CPU; MLP tiled over the sequence", "full"),
        ("model/remat=llama (preset file not stored)", "full"),
        ("scan with host offload", "full"),
        ("default of the model configuration llama-3.1-405b (not read)", "full"),
        ("selective (SelectiveAC: every second matmul recomputed, router gate always)", "operations"),
        ("attention and norms recomputed, MoE (router, experts) kept",
         "all but tokens, hidden, expert_product, answers, shared"),
    ],
)  # fmt: skip
def test_what_is_computed_again_is_said_by_the_words_of_a_page(said: str, ours: str) -> None:
    assert launch({**ROW, "recompute": said})["recompute"] == ours
    assert "recompute" not in launch(ROW)
    assert "recompute" not in launch({**ROW, "recompute": "none visible in the excerpts"})


def test_what_a_compiler_chooses_to_compute_again_is_not_known() -> None:
    with pytest.raises(RefusedError, match="compiler chooses"):
        launch({**ROW, "recompute": "memory budget 0.5 (partitioner chooses)"})


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
        ("", "full, checkpoints offloaded to the CPU", "input"),
        ("", "model/remat=llama-scan-offload", "input"),
        ("", "model/remat=llama (preset file not stored)", None),
        ("", "default of the model configuration llama-3.1-405b (not read)", "input"),
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
    for named in ("Hugging Face GPT-2, eager attention", "Fast-LLM, FlashAttention off",
                  "SMP, fused causal softmax", "GPT-NeoX (DeeperSpeed)"):  # fmt: skip
        assert launch({**ROW, "framework": named})["flash_attention"] is False, named
    assert "flash_attention" not in launch({**ROW, "framework": "Lightning FSDPStrategy, eager"})


def test_experts_are_whole_where_the_row_presumes_it() -> None:
    said = ["expert tensor parallel size (1 presumably: ep8 spans tp x dp)"]
    assert launch({**ROW, "unknown": said})["etp"] == 1
    assert "etp" not in launch({**ROW, "unknown": ["expert tensor parallel size"]})


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
        ("NVIDIA GH200 (Alps)", {}, "gh200"),
        ("NVIDIA RTX 4090 24GB", {}, "rtx-4090"),
        ("AMD Instinct MI350X", {}, "mi350x"),
        ("NVIDIA H100", {"precision": "FP8 (experts, dense layers), rest BF16"}, "h100-sxm-fp8"),
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


def test_products_of_two_precisions_have_no_one_peak() -> None:
    said = "MXFP8 (torchao) in the attention linears; experts, router and lm_head BF16"
    with pytest.raises(RefusedError, match="beside experts"):
        cluster({**ROW, "precision": said})


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
    for kind, devices in (("FSDP over ICI 4 x DCN 2", 128), ("FSDP over ICI x 2 over DCN", 128)):
        assert cluster({**row, "dp_kind": kind})["node_devices"] == devices


@each(
    "said, rate",
    [
        ("4 x 100 Gb RoCE a node", "50 Gbit/s"),
        ("InfiniBand 100 Gb/s (one EDR port a node)", "12.5 Gbit/s"),
        ("800 Gbps", "100 Gbit/s"),
        ("400 Gb/s RDMA per GPU", "400 Gbit/s"),
        ("InfiniBand 200 Gb/s", None),
        ("NVLink; 800 Gb/s RDMA a node", "100 Gbit/s"),
    ],
)
def test_a_network_is_what_one_device_sends(said: str, rate: str | None) -> None:
    assert cluster({**ROW, "network": said}).get("network_one_way") == rate


def test_a_slower_network_of_no_rate_is_refused() -> None:
    with pytest.raises(RefusedError, match="whose rate is not said"):
        cluster({**ROW, "network": "NVLink in the node; between nodes Ethernet only"})


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


@pytest.mark.parametrize(("name", "least"), [("second", 250), ("third", 140), ("fourth", 165)])
def test_later_sets_are_read_or_refused_by_a_kind_too(name: str, least: int) -> None:
    kinds = [refusal(row) for row in rows(LATER[name])]
    assert kinds.count("") >= least
    assert {kind.partition(":")[0] for kind in kinds} <= {
        "",
        "no preset",
        "launch",
        "reader",
        "precision",
        "model",
        "network",
    }
