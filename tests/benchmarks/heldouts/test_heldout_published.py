"""What a row prints is read by the surest of its figures, in the unit that stands there."""

from typing import Any

import pytest
from heldouts.flops import model_flops
from heldouts.published import counted, number, peak, step
from heldouts.rows import RefusedError, rows
from jobs import llama3_8b
from looping import each

from workings.planning.cost import plan
from workings.planning.exact import exactly

ROW: dict[str, Any] = {"global_batch": 64, "seq_len": 4096, "gpus": 8}
MODEL = {"layers": 32, "hidden": 4096, "ffn": 14336, "gated": True, "heads": 32, "kv_heads": 8,
         "head_dim": 128, "vocab": 128256}  # fmt: skip
LOGGED = "TFLOP/s/GPU as logged"


@each(
    "said, seconds, by",
    [
        ({"step_time_s": 2.5, "tokens_per_s_per_gpu": 1}, 2.5, "step_time_s"),
        ({"tokens_per_s_per_gpu": 4096, "samples_per_s": 1}, 8.0, "tokens_per_s_per_gpu"),
        ({"tokens_per_s_total": "262.144k"}, 1.0, "tokens_per_s_total"),
        ({"tokens_per_s": 262144, "samples_per_s": 1}, 1.0, "tokens_per_s"),
        ({"samples_per_s": 32, "tflops_per_gpu": 1}, 2.0, "samples_per_s"),
    ],
)
def test_step_times_come_before_rates(said: dict[str, object], seconds: float, by: str) -> None:
    found = step({**ROW, **said})
    assert found.by == by
    assert found.seconds == pytest.approx(seconds)


def test_flops_count_where_it_is_known_of_what() -> None:
    said = {**ROW, "model": MODEL, "tflops_per_gpu": "~400", "tflops_def": LOGGED}
    assert step(said).seconds == pytest.approx(64 * 4096 * model_flops(said) / (8 * 400e12))
    with pytest.raises(RefusedError, match="not defined"):
        step({**said, "tflops_def": "TFLOPS / GPU, not defined on the page"})
    with pytest.raises(RefusedError, match="not defined"):
        step({**said, "model": {**MODEL, "experts": 8}})


def test_flops_of_the_hardware_have_a_fourth_pass_over_the_blocks() -> None:
    row = {**ROW, "model": {**MODEL, "tied": False}}
    hardware = "hardware FLOPs: layers 4 x forward (recomputation counted), logits 3 x, full attention"
    head = 6 * MODEL["vocab"] * MODEL["hidden"]
    all_of_it = model_flops({**row, "tflops_counts": "6 N + 12 L h s, N all parameters"})
    blocks = all_of_it - 2 * head  # both tables
    assert model_flops({**row, "tflops_counts": hardware}) == pytest.approx(4 / 3 * blocks + head)


def test_a_step_worked_out_from_flops_of_an_unknown_kind_is_none() -> None:
    said = {**ROW, "step_time_s": 43.84, "unknown": ["what counts as a FLOP (the formula assumed)"]}
    with pytest.raises(RefusedError, match="not defined"):
        step({**said, "agreement": "747 tokens/s/GPU, from which step_time_s is derived"})
    assert step({**said, "agreement": "model FLOPs give 79.8"}).seconds == 43.84


def test_model_flops_are_those_that_megatron_bridge_logs() -> None:
    card = next(row for row in rows() if row["name"] == "card qwen3-8b pretrain H100")
    logged = card["gpus"] * card["tflops_per_gpu"] * 1e12 * card["step_time_s"]
    tokens = card["global_batch"] * card["seq_len"]
    assert model_flops({**card, "tflops_def": LOGGED}) == pytest.approx(logged / tokens, rel=1e-4)


@each(
    "said, gigabytes, what",
    [
        ("36.618 GB max allocated (after iteration 2)", 36.618, "allocated"),
        ("~59 GB", 59, "not said"),
        ("8*64GB", 64, "not said"),
        ("8 * 52GiB", 52 * 2**30 / 1e9, "not said"),
        ("70.09 * 8 GB", 70.09, "not said"),
        ("46.80*2 + 38.93*2 + 31.74*2 + 26.92*2 GB", 46.80, "not said"),
        ("112.63 GiB (61.12%)", 112.63 * 2**30 / 1e9, "not said"),
        ("11066 MiB (nvidia-smi)", 11066 * 2**20 / 1e9, "nvidia-smi"),
    ],
)
def test_a_peak_is_that_of_the_fullest_device(said: str, gigabytes: float, what: str) -> None:
    found = peak({**ROW, "peak_mem": said})
    assert found is not None
    assert found.what == what
    assert found.bytes == pytest.approx(gigabytes * 1e9)


@each(
    "said, gigabytes, what",
    [
        ({"peak_mem_gib": 69.16, "peak_mem_gb": 74.26, "mem_kind": "reserved"}, 74.26, "reserved"),
        ({"peak_mem_gb": 49.2, "mem_kind": "allocated (torchtitan logs reserved)"}, 49.2, "allocated"),
        ({"peak_mem_gib": 59.94, "peak_mem_what": "max allocated, rank 0"}, 64.36, "allocated"),
        ({"peak_mem_gib": 73, "peak_mem_what": "Memory_per_GPU (GB) as printed"}, 73, "not said"),
        ({"peak_mem_gib": 27, "peak_mem_what": "GB, presumably nvidia-smi"}, 27, "nvidia-smi"),
        ({"peak_mem_gib": 10, "peak_mem_what": "without a unit (GB or GiB)"}, 10.737, "not said"),
    ],
)
def test_a_peak_is_in_the_unit_of_its_key_or_as_it_was_printed(
    said: dict[str, object], gigabytes: float, what: str
) -> None:
    found = peak({**ROW, **said})
    assert found is not None
    assert found.what == what
    assert found.bytes == pytest.approx(gigabytes * 1e9, rel=1e-4)


def test_an_allocator_has_given_out_no_fragments_no_idle_pools_and_nothing_of_the_drivers() -> None:
    v = exactly(plan(), llama3_8b(z_1=1, z_2=1, z_3=1, z_k=0, x_pool=1, b=8).values())
    bare = exactly(
        plan(), llama3_8b(z_1=1, z_2=1, z_3=1, z_k=0, x_pool=0, x_loss=0, b=8, x_frag=0).values()
    )
    given_out = bare["M"] - bare["M_ctx"] - bare["M_comm"]
    for said in (
        "60.0 GiB peak active",
        "50 GB max allocated",
        "50 GB",
        "9 GiB (nvidia-smi)",
        "16 GiB (reserved)",
    ):
        found = peak({**ROW, "peak_mem": said})
        assert found is not None
        assert counted(found, v) == (given_out if found.what == "allocated" else v["M"]), said


def test_what_torchao_calls_gb_are_the_gib_of_torchtitans_log() -> None:
    theirs, others = (peak({**ROW, "peak_mem": "47.65 GB", "source": s}) for s in ("torchao", "flagperf"))
    assert theirs is not None
    assert others is not None
    assert theirs.bytes / others.bytes == pytest.approx(2**30 / 1e9)


def test_bounds_and_estimates_are_no_peaks() -> None:
    assert peak({**ROW, "peak_mem": '"remains below 65 GiB/GPU" (a bound)'}) is None
    assert peak({**ROW, "peak_mem": "100.4 GB total estimated by XLA (device: 95.74 GB)"}) is None
    assert peak(ROW) is None


def test_every_printed_figure_is_read() -> None:
    for row in rows():
        assert not peak(row) or 5e9 < peak(row).bytes < 200e9  # type: ignore[union-attr]
    assert sum(peak(row) is not None for row in rows()) == 102
    with pytest.raises(ValueError, match="expected a number"):
        number("about 5")
