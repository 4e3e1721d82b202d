"""Rows of the fifth set are read from their words alone; none has been scored."""

from typing import Any

import pytest
from heldout_row import refusals
from heldouts.clusters import cluster
from heldouts.flops import model_flops
from heldouts.jobs import tables
from heldouts.launches import launch, sharding
from heldouts.models import model
from heldouts.published import peak, step
from heldouts.recomputed import on_host, recomputed
from heldouts.rows import LATER, RefusedError, Row, rows

FIFTH = rows(LATER["fifth"])


def named(words: str) -> Row:
    return next(row for row in FIFTH if words in row["name"])


def kept(row: Row) -> dict[str, Any]:
    return {**recomputed(row), **on_host(row)}


def test_most_of_the_set_is_read_and_the_rest_has_its_reason() -> None:
    refused = refusals(FIFTH)
    assert sum(refused.values()) == 92
    assert refused["no preset: the device is not named"] == 46


def test_a_width_of_shared_experts_is_that_of_all_of_them() -> None:
    row = named("DeepSeek-V3 16B 8 H100 EP8 SDPA")
    assert model(row)["shared_experts"] == 2
    assert model_flops(named("DeepSeek-V3 16B 8 B200 out")) == pytest.approx(18.11e9, rel=1e-3)


def test_stages_are_those_that_are_named_first() -> None:
    for words, zero in (
        ("no distributed optimizer", 0), ("no FSDP", 0), ("^plain", 0), ("optim_grads)", 2),
        ("SHARD_GRAD_OP", 2), ("Megatron FSDP, optim)", 1), ("parameters gathered", 2),
    ):  # fmt: skip
        said = [row for row in FIFTH if words.strip("^") in row.get("dp_kind", "")]
        said = [
            row for row in said if "sharded" not in row["dp_kind"] and "between" not in row["dp_kind"]
        ]
        assert {sharding(row)["zero"] for row in said} == {zero}


def test_copies_follow_slices_groups_and_both_axes_of_a_mesh() -> None:
    assert sharding(named("16B 8 x v5e-256")) == {"zero": 3, "replicas": 8}
    assert cluster(named("16B 8 x v5e-256"))["node_devices"] == 256
    assert sharding(named("FSDP 2 x EP 4 BF16")) == {"zero": 3, "replicas": 4}
    assert sharding(named("o1: EP64 FSDP4")) == {"zero": 3}


def test_what_is_kept_and_off_loaded_is_named_as_maxtext_names_it() -> None:
    assert kept(named("nnx baseline")) == {"recompute": "full", "offload_activations": "input"}
    assert kept(named("o5: no custom"))["offload_activations"] == "input, middle"
    assert (
        kept(named("minimal_offloaded"))["offload_activations"] == "query, key, value, middle, up, output"
    )
    assert kept(named("1024B 1 x v5p-2048")) == {"recompute": "full"}


def test_torchtitans_operations_hang_on_what_is_compiled() -> None:
    assert recomputed(named("#812 float8 tensorwise, eager")) == {"recompute": "operations"}
    assert recomputed(named("#812 float8 tensorwise, compile")) == {"recompute": "compiled operations"}
    assert recomputed(named("8 B200 out of the box")) == {"recompute": "operations"}  # the loss alone
    assert launch(named("Qwen3 32B 2 GB200 FSDP2, FlexFlash"))["recompute"] == "full"


def test_units_that_stay_gathered_are_copies_of_masters_in_16_bits() -> None:
    found = launch(named("torch.compile FSDP1, BF16"))
    assert (found["zero"], found["master_width"], found["working_width"]) == (2, "2 byte", "2 byte")


def test_experts_that_are_padded_to_a_capacity_compute_so_much() -> None:
    assert tables(named("batch 7 a GPU, capacity 1.25"))["assume"] == {"imbalance": "1.25"}
    assert "token_nodes" not in launch(named("batch 7 a GPU, capacity 1.25"))  # "no DeepEP"


def test_domains_of_nvlink_are_nodes_and_what_splits_them_is_refused() -> None:
    assert cluster(named("4 domains x 32"))["node_devices"] == 32
    assert cluster(named("TE graph, two domains"))["node_devices"] == 32
    with pytest.raises(RefusedError, match="NVLink"):
        cluster(named("NCCL MNNVL off"))
    with pytest.raises(RefusedError, match="experts alone"):
        cluster(named("torchao MXFP8 experts"))


def test_memory_is_what_the_log_saw() -> None:
    found = cluster(named("#820 float8 rowwise with"))
    assert (found["memory"], found["memory_bandwidth"]) == ("95 GiB", "2.4 TB/s")


def test_peaks_of_a_compiler_or_of_the_last_stage_are_none_and_binary_ones_keep_their_unit() -> None:
    assert peak(named("o5: no custom")) is None
    assert peak(named("PP4 Interleaved1F1B")) is None  # of the last rank
    found = peak(named("64 GB200 EP64, TE experts, compiled MLA"))
    assert found is not None
    assert (found.bytes, found.what) == (107.44 * 2**30, "allocated")
    shared = peak(named("Hugging Face FSDP8 BF16"))
    assert shared is not None
    assert shared.what == "not said"


def test_a_bound_of_a_step_is_no_time() -> None:
    with pytest.raises(RefusedError, match="bound"):
        step(named("native FSDP, TCPXO"))
