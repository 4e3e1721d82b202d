"""A job written as Megatron-LM's arguments is the same job when it is read back."""

import shlex
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from job_files import read, write

from workings.planning.inputs import read_job
from workings.planning.inputs.megatron.writing import megatron_arguments
from workings.planning.job import Job, JobError
from workings.planning.letters import LAYOUT, MODEL

RECIPE = ("T_tok", "w_p", "w_g", "w_o", "w_c", "a", "w", "g", "w_l", "z_a", "h_d")
SAID = (*MODEL, *LAYOUT, "o_d", "n", "n_r", "b", "s", *RECIPE)
DENSE = '[model]\npreset = "llama3-70b"\n[cluster]\nhardware = "h100-sxm"\ndevices = 256\n'
SPARSE = DENSE.replace("llama3-70b", "qwen3-30b-a3b")
RUN = "\n[launch]\nbatch = 512\nsequence_length = 8192\ntraining_tokens = 8192000000\n"


def again(folder: Path, job: Job, devices: int = 256) -> Job:
    """The job read back from its arguments, with the same cluster."""
    line = shlex.join(["torchrun", "pretrain_gpt.py", *megatron_arguments(job)])
    write(folder, line, "again.sh")
    text = f'[cluster]\nhardware = "h100-sxm"\ndevices = {devices}\n[launch]\nmegatron = "again.sh"\n'
    return read_job(write(folder, text, "again.toml"))


@pytest.mark.parametrize(
    "layout",
    [
        "tp = 8\npp = 4\nvirtual_stages = 5\nmicrobatch = 2\nzero = 1",
        "tp = 8\nzero = 0\nsequence_parallel = false\nrecompute = 'full'",
        "tp = 4\ncp = 2\nrecompute = 'selective'\nflash_attention = false",
        "tp = 1\nzero = 3\ngradient_width = '2 byte'\nreduce_width = '2 byte'",
        "tp = 1\nzero = 2\nreplicas = 4",
        "tp = 2\nmoment_width = '2 byte'",
        "tp = 2\npp = 4\norder = 'tp-cp-ep-pp-dp'",
        "pp = 16\nworking_width = 0\nactivation_width = 4\ngather_width = 4\nflash_attention = 0",
    ],
)
def test_a_layout_comes_back(tmp_path: Path, layout: str) -> None:
    job = read(tmp_path, DENSE + RUN + layout)
    values, found = job.values(), again(tmp_path, job).values()
    assert {n: found[n] for n in SAID} == {n: values[n] for n in SAID}


def test_sharded_weights_come_with_all_that_megatron_fsdp_requires(tmp_path: Path) -> None:
    """As its user guide lists them (NVIDIA/Megatron-LM, docs/discussions/megatron-fsdp-user-guide)."""
    line = " ".join(megatron_arguments(read(tmp_path, DENSE + RUN + "tp = 1\nzero = 3\n")))
    for words in (
        "--use-megatron-fsdp",
        "--data-parallel-sharding-strategy optim_grads_params",
        "--no-gradient-accumulation-fusion",
        "--use-distributed-optimizer",
        "--ckpt-format fsdp_dtensor",
    ):
        assert words in line
    plain = megatron_arguments(read(tmp_path, DENSE + RUN + "tp = 1\nzero = 1\n"))
    assert "--ckpt-format" not in plain


def test_the_length_of_a_run_is_written_only_where_it_was_given(tmp_path: Path) -> None:
    text = DENSE + RUN + "tp = 8\n"
    assert "--train-samples" in megatron_arguments(read(tmp_path, text))
    assumed = read(tmp_path, text.replace("training_tokens", "# "))
    assert "--train-samples" not in megatron_arguments(assumed)


def test_experts_come_back(tmp_path: Path) -> None:
    job = read(tmp_path, SPARSE + RUN + "tp = 4\nep = 16\netp = 1\npp = 2\n")
    values, found = job.values(), again(tmp_path, job).values()
    assert {n: found[n] for n in SAID} == {n: values[n] for n in SAID}
    assert found["E"] == 128


@pytest.mark.parametrize("changed", [{}, {"q_rank": "0"}])
def test_latent_attention_comes_back(tmp_path: Path, changed: dict[str, str]) -> None:
    text = DENSE.replace("llama3-70b", "deepseek-v3") + RUN + "tp = 2\nep = 64\netp = 1\n"
    job = read(tmp_path, text, blocks="60", moe_blocks="57", pp="4", **changed)
    values, found = job.values(), again(tmp_path, job).values()
    assert {n: found[n] for n in SAID} == {n: values[n] for n in SAID}
    assert found["r_kv"] == 512


def test_stages_short_of_a_block_at_the_ends_come_back(tmp_path: Path) -> None:
    job = read(tmp_path, DENSE.replace("70b", "405b") + RUN + "tp = 8\npp = 16\nvirtual_stages = 8\n")
    words = megatron_arguments(job)
    assert {"--account-for-embedding-in-pipeline-split", "--account-for-loss-in-pipeline-split"} <= set(
        words
    )
    assert again(tmp_path, job).values()["v"] == 8
    alone = read(tmp_path, DENSE + "\n" + RUN + "pp = 16\n", blocks="76")
    words = megatron_arguments(alone)
    first, last = (
        words[words.index(f"--decoder-{end}-pipeline-num-layers") + 1] for end in ("first", "last")
    )
    assert int(first) + 14 * 5 + int(last) == 76
    assert again(tmp_path, alone).values()["p"] == 16


@pytest.mark.parametrize(
    ("letter", "value", "said"),
    [
        ("z_h", 0, "a model without attention"),
        ("n_n", 4, "other norms than two a block"),
        ("b", 510, "a global batch that is no multiple"),
        ("w_l", 2, "logits in other than four bytes"),
    ],
)
def test_what_has_no_argument_is_refused(tmp_path: Path, letter: str, value: int, said: str) -> None:
    job = read(tmp_path, DENSE + RUN + "tp = 8\n")
    figures = {**job.figures, letter: replace(job.figures[letter], value=Fraction(value))}
    with pytest.raises(JobError, match=f"found {said}"):
        megatron_arguments(replace(job, figures=figures))


def test_biases_everywhere_but_in_queries_keys_and_values_are_refused(tmp_path: Path) -> None:
    job = read(tmp_path, DENSE + RUN + "tp = 8\n", out_bias="1", ffn_bias="1")
    with pytest.raises(JobError, match="found biases in matrices and none in queries, keys and values,"):
        megatron_arguments(job)
