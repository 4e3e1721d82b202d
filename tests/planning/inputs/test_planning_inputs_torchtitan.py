"""Launches of torchtitan: its sections, defaults, mesh and names of other versions."""

from fractions import Fraction
from pathlib import Path

import pytest
from job_files import read, remarks, write

from workings.planning.cost import plan
from workings.planning.exact import exactly
from workings.planning.job import Job, JobError

BASE = """
[job]
description = "8B"
[model]
name = "llama3"
flavor = "8B"
[training]
local_batch_size = 2
seq_len = 8192
steps = 1000
[parallelism]
data_parallel_shard_degree = -1
[activation_checkpoint]
mode = "none"
"""
PIPELINE = """
[model]
flavor = "405B"
[training]
local_batch_size = 32
seq_len = 8192
[parallelism]
tensor_parallel_degree = 8
pipeline_parallel_degree = 8
pipeline_parallel_schedule = "Interleaved1F1B"
pipeline_parallel_layers_per_stage = 2
[activation_checkpoint]
mode = "full"
"""


def launch(folder: Path, text: str, devices: int = 16, more: str = "") -> Job:
    write(folder, text, "job.toml")
    cluster = f'[cluster]\nhardware = "h100-sxm"\ndevices = {devices}\n'
    return read(folder, f'{cluster}[launch]\ntorchtitan = "job.toml"\n{more}')


def test_fsdp_over_all_devices_is_zero_3(tmp_path: Path) -> None:
    job = launch(tmp_path, BASE)
    values = job.values()
    expected = {"D": 4096, "t": 1, "p": 1, "z_1": 1, "z_2": 1, "z_3": 1, "n_r": 1, "b_m": 2, "b": 32,
                "s": 8192, "w_p": 4, "w_c": 0, "w_g": 4, "w": 2, "g": 4, "z_f": 0,
                "T_tok": 1000 * 32 * 8192}  # fmt: skip
    assert {letter: values[letter] for letter in expected} == expected


def test_state_is_16_bytes_a_parameter_over_the_shards(tmp_path: Path) -> None:
    """As torchtitan's own tables have it: FP32 shard, gradient and two moments."""
    found = exactly(plan(), launch(tmp_path, BASE).values(), ["S_first"])
    assert found["S_first"] == pytest.approx(16 * 8_030_261_248 / 16, rel=1e-5)


def test_a_pipeline_keeps_what_it_gathered_and_has_virtual_stages(tmp_path: Path) -> None:
    values = launch(tmp_path, PIPELINE, devices=512).values()
    # 126 blocks and one less at both ends make 128, in chunks of 2 on 8 ranks.
    expected = {
        "t": 8,
        "p": 8,
        "v": 8,
        "z_s": 1,
        "z_2": 1,
        "z_3": 0,
        "w_c": 2,
        "b_m": 1,
        "b": 256,
        "z_f": 1,
    }
    assert {letter: values[letter] for letter in expected} == expected


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "shard_degree = -1",
            "shard_degree = 4\ndata_parallel_replicate_degree = 4",
            {"n_r": 4, "z_3": 1},
        ),
        (
            "shard_degree = -1",
            "shard_degree = 1\ndata_parallel_replicate_degree = 16",
            {"n_r": 1, "z_1": 0},
        ),
        (
            "shard_degree = -1",
            'shard_degree = 16\nfsdp_reshard_after_forward = "never"',
            {"z_2": 1, "z_3": 0},
        ),
        ("local_batch_size = 2", "batch_size = 4", {"b_m": 4, "b": 64}),
        ("local_batch_size = 2", "local_batch_size = 2\nglobal_batch_size = 128", {"b": 128}),
        ('mode = "none"', 'mode = "selective"\nselective_ac_option = "1"', {"z_f": 1}),
        (
            'mode = "none"',
            'mode = "selective"\nselective_ac_option = "op"',
            {"z_f": 0, "z_c": 0, "r_key": 1, "r_qry": 0, "k_dwn": 1},
        ),
        (
            'mode = "none"',
            'mode = "selective"\nselective_ac_option = "op"\n[compile]\nenable = true',
            {"r_key": 1, "k_dwn": 0},
        ),
        (
            'mode = "none"',
            'mode = "selective"\nselective_ac_option = "4"',
            {"z_f": 1, "x_keep": Fraction(3, 4)},
        ),
        ("[parallelism]", "[parallelism]\ntensor_parallel_degree = 2", {"t": 2, "z_s": 1, "b": 16}),
        ("[parallelism]", "[parallelism]\ncontext_parallel_degree = 2", {"c": 2, "b": 16}),
        ("steps = 1000", 'mixed_precision_reduce = "bfloat16"', {"g": 2, "w_g": 4}),
    ],
)
def test_keys_mean_what_torchtitan_means(
    tmp_path: Path, old: str, new: str, expected: dict[str, int | Fraction]
) -> None:
    values = launch(tmp_path, BASE.replace(old, new)).values()
    assert {letter: values[letter] for letter in expected} == expected


def test_what_the_plan_cannot_say_is_noted(tmp_path: Path) -> None:
    text = BASE.replace('"none"', '"selective"') + "[float8]\nx = 1\n[optimizer]\nlr = 1e-4\n"
    job = launch(tmp_path, text)
    ignored = remarks(job, "ignored")
    assert {"float8", "optimizer.lr", "job"} <= set(ignored)


@pytest.mark.parametrize("option", ["0", "ops", "-2"])
def test_an_option_of_selective_recomputation_that_torchtitan_has_not_is_refused(
    tmp_path: Path, option: str
) -> None:
    text = BASE.replace('"none"', f'"selective"\nselective_ac_option = "{option}"')
    with pytest.raises(JobError, match=f"selective_ac_option: found '{option}', expected 'op', or a num"):
        launch(tmp_path, text)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("[parallelism]", "[parallelism]\ntensor_parallel_degre = 2", "has no such key"),
        ("[parallelism]", '[parallelism]\npipeline_parallel_schedule = "2F2B"', "expected one of 1F1B"),
        ("shard_degree = -1", "shard_degree = 3", r"found 3, expected devices / \(tp × cp × pp\)"),
        (
            "[parallelism]",
            "[parallelism]\ncontext_parallel_degree = 3",
            "a multiple of 2 × tensor × context",
        ),
        ("[parallelism]", "[parallelism]\nexpert_parallel_degree = 2", "the model has no experts"),
        ('flavor = "8B"', 'flavor = "9B"', "model.d_model: found nothing"),
        ('mode = "none"', 'mode = "some"', "expected one of selective, full, none"),
        ("local_batch_size = 2", "local_batch_size = 2\nbatch_size = 3", "expected 2, as training"),
        ("seq_len = 8192", 'seq_len = "8k"', "training.seq_len: found '8k', expected a whole number"),
    ],
)
def test_what_torchtitan_would_refuse_is_refused(tmp_path: Path, old: str, new: str, said: str) -> None:
    with pytest.raises(JobError, match=said):
        launch(tmp_path, BASE.replace(old, new))


def test_layers_of_a_stage_must_fill_the_ranks(tmp_path: Path) -> None:
    with pytest.raises(
        JobError, match="layers_per_stage: found 5, expected layers that make a multiple of 8"
    ):
        launch(tmp_path, PIPELINE.replace("per_stage = 2", "per_stage = 5"), devices=512)
