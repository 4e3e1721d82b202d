"""The exercise's analysis function: its dictionary, its loose points, its refusals."""

import math
from typing import Any

import pytest
from looping import each

import workings

MODEL = {"num_layers": 96, "hidden_size": 12288, "vocab_size": 51200, "seq_len": 2048,
         "micro_batch_size": 1, "num_micro_batches": 32}  # fmt: skip
PARALLEL = {"dp": 8, "tp": 8, "pp": 8, "sp": 1}
HARDWARE = {"num_gpus": 512, "memory_per_gpu_gb": 80}


def analyzed(**changed: Any) -> dict[str, Any]:
    options = {k: changed.pop(k) for k in ("unit", "layers", "microbatches", "bubble") if k in changed}
    model = {k: changed.pop(k, v) for k, v in MODEL.items()}
    parallel = {k: changed.pop(k, v) for k, v in PARALLEL.items()}
    hardware = {k: changed.pop(k, v) for k, v in HARDWARE.items()}
    assert not changed
    return workings.analyze_4d(model, parallel, hardware, **options)


def test_it_returns_exactly_the_keys_that_were_asked_for_in_order() -> None:
    assert list(analyzed()) == [
        "valid", "total_params", "param_memory_per_gpu_gb", "activation_memory_per_gpu_gb",
        "total_memory_per_gpu_gb", "fits_in_memory", "dp_comm_gb", "tp_comm_gb", "pp_comm_gb",
        "sp_comm_gb", "bubble_ratio",
    ]  # fmt: skip


def test_gpt3_on_512_gpus_as_worked_out_by_hand() -> None:
    found = analyzed()
    assert found["valid"] is True
    assert found["total_params"] == 175_204_466_688  # 2·51200·12288 + 96·12·12288²
    assert found["param_memory_per_gpu_gb"] == 43.8011  # 16 bytes each over 64 GPUs
    assert found["activation_memory_per_gpu_gb"] == 0.755  # 20 · 2048 · 12288 · 96/8 / 8
    assert found["total_memory_per_gpu_gb"] == 44.5561
    assert found["fits_in_memory"] is True
    assert found["dp_comm_gb"] == 9.5815  # 2 · 7/8 of 5.475 GB
    assert found["tp_comm_gb"] == 4.2279  # 12 layers · 4 · 2 · 7/8 of 50.33 MB
    assert found["pp_comm_gb"] == 22.5486  # 2 · 7 boundaries · 32 micro-batches of 50.33 MB
    assert found["sp_comm_gb"] == 0.0
    assert found["bubble_ratio"] == 0.1795  # 7/39


def test_sequence_parallelism_is_an_axis_of_its_own_here() -> None:
    found = analyzed(sp=4, dp=2)
    assert found["valid"] is True
    assert found["activation_memory_per_gpu_gb"] == 0.1887  # a quarter of 0.755
    assert found["sp_comm_gb"] == 0.906  # 12 layers · 2 · 3/4 of 50.33 MB


@pytest.mark.parametrize("gpus", [1, 511, 513, 1024])
def test_another_number_of_gpus_is_not_valid_but_still_analyzed(gpus: int) -> None:
    found = analyzed(num_gpus=gpus)
    assert found["valid"] is False
    assert {**found, "valid": True} == analyzed()


def test_on_one_gpu_nothing_is_sent_and_nothing_waits() -> None:
    found = analyzed(dp=1, tp=1, pp=1, num_gpus=1)
    assert [found[f"{axis}_comm_gb"] for axis in ("dp", "tp", "pp", "sp")] == [0.0] * 4
    assert found["bubble_ratio"] == 0.0
    assert found["fits_in_memory"] is False


def test_layers_need_not_divide_by_stages() -> None:
    assert analyzed(num_layers=126, pp=16, dp=4)["tp_comm_gb"] == 2.7745  # 7.875 layers a stage


def test_the_loose_points_are_choices() -> None:
    assert analyzed(unit="GiB")["param_memory_per_gpu_gb"] == 40.793
    assert analyzed(layers="model")["tp_comm_gb"] == 33.8229
    assert analyzed(microbatches="all")["tp_comm_gb"] == 135.2915
    assert analyzed(bubble="ideal")["bubble_ratio"] == 0.2188  # 7/32


def test_memory_is_compared_exactly_not_as_printed() -> None:
    exact = (175_204_466_688 * 16 / 64 + 20 * 2048 * 12288 * 96 / 64) / 1e9
    assert analyzed(memory_per_gpu_gb=exact)["fits_in_memory"] is True
    assert analyzed(memory_per_gpu_gb=exact - 1e-6)["fits_in_memory"] is False


COUNTS = [*MODEL, *PARALLEL, "num_gpus"]
BAD = [0, -1, "8", True, math.nan, math.inf, 2.5, None, [], 10**16, 10**5000]


@each("key", [*COUNTS, "memory_per_gpu_gb"])
@each("value", BAD, ids=lambda value: f"{type(value).__name__}-{value!s:.8}"
                         if not isinstance(value, int) or value < 10**20 else "huge")  # fmt: skip
def test_a_bad_value_is_refused_by_the_name_of_its_key(key: str, value: Any) -> None:
    if key == "memory_per_gpu_gb" and value == 2.5:
        return
    with pytest.raises(ValueError, match=rf"_config: {key}: found .*, expected") as caught:
        analyzed(**{key: value})
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("key", [*COUNTS, "memory_per_gpu_gb"])
def test_a_missing_key_is_named(key: str) -> None:
    configs = [{k: v for k, v in one.items() if k != key} for one in (MODEL, PARALLEL, HARDWARE)]
    with pytest.raises(ValueError, match=f"found no {key}"):
        workings.analyze_4d(*configs)


def test_what_is_no_dictionary_is_refused() -> None:
    with pytest.raises(ValueError, match="parallel_config: found list, expected a dictionary"):
        workings.analyze_4d(MODEL, [8, 8, 8, 1], HARDWARE)  # type: ignore[arg-type]


@pytest.mark.parametrize("option", ["unit", "layers", "microbatches", "bubble"])
def test_an_unknown_choice_is_refused(option: str) -> None:
    with pytest.raises(ValueError, match=f"{option}: found 'x', expected '"):
        analyzed(**{option: "x"})
