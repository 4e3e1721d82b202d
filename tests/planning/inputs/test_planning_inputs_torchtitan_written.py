"""A job written as torchtitan's TOML is the same job when it is read back."""

import re
import tomllib
from pathlib import Path

import pytest
from job_files import read, write

from workings.planning.inputs import read_job
from workings.planning.inputs.torchtitan_writing import torchtitan_job
from workings.planning.job import Job, JobError
from workings.planning.letters import LAYOUT, MODEL
from workings.planning.recomputed import spelled

RECIPE = ("T_tok", "w_p", "w_g", "w_o", "w_c", "a", "w", "g", "w_l", "z_a", "z_k", "n_l", "x_off")
SAID = (*MODEL, *LAYOUT, "o_d", "n", "n_r", "b", "s", *RECIPE)
DENSE = '[model]\npreset = "llama3-70b"\n[cluster]\nhardware = "h100-sxm"\ndevices = 256\n'
RUN = (
    '\n[launch]\nframework = "torchtitan"\nbatch = 512\nsequence_length = 8192\n'
    "training_tokens = 4194304000\n"
)


def again(folder: Path, job: Job, model: str = "") -> Job:
    """The job read back from its TOML, with the same cluster."""
    write(folder, torchtitan_job(job), "again.toml")
    cluster = '[cluster]\nhardware = "h100-sxm"\ndevices = 256\n'
    return read_job(
        write(folder, f'{model}{cluster}[launch]\ntorchtitan = "again.toml"\n', "job-again.toml")
    )


def check(folder: Path, job: Job, model: str = "") -> None:
    values, found = job.values(), again(folder, job, model).values()
    assert {n: found[n] for n in SAID} == {n: values[n] for n in SAID}
    assert spelled(found) == spelled(values)


@pytest.mark.parametrize(
    "layout",
    [
        "dp = 256\nzero = 3\nworking_width = 0",
        "tp = 8\nzero = 3\nworking_width = 0\nrecompute = 'full'\nmicrobatch = 2",
        "tp = 8\nzero = 2\nreplicas = 4",
        "tp = 4\ncp = 4\nzero = 3\nworking_width = 0",
        "tp = 8\npp = 4\nzero = 2\nmicrobatch = 2",
        "tp = 8\npp = 4\nvirtual_stages = 2\nzero = 2",
        "tp = 8\npp = 4\nvirtual_stages = 5\nzero = 2",
        "tp = 8\npp = 4\nzero = 3\nworking_width = 0",
        "tp = 8\npp = 16\nzero = 0\nworking_width = 0",
        "tp = 8\nzero = 3\nworking_width = 0\nactivation_width = 4\ngather_width = 4",
        "dp = 256\nzero = 3\nworking_width = 0\nrecompute = 'operations'",
        "dp = 256\nzero = 3\nworking_width = 0\nrecompute = 'compiled operations'",
        "dp = 256\nzero = 3\nworking_width = 0\nrecompute = 'every 3 layers'",
    ],
)
def test_a_layout_comes_back(tmp_path: Path, layout: str) -> None:
    check(tmp_path, read(tmp_path, DENSE + RUN + layout))


def test_stages_short_of_a_block_at_the_ends_come_back(tmp_path: Path) -> None:
    job = read(
        tmp_path, DENSE.replace("70b", "405b") + RUN + "tp = 8\npp = 8\nvirtual_stages = 8\nzero = 2"
    )
    written = tomllib.loads(torchtitan_job(job))["parallelism"]
    assert written["pipeline_parallel_layers_per_stage"] == 2
    assert written["pipeline_parallel_first_stage_less_layers"] == 1
    check(tmp_path, job)


@pytest.mark.parametrize(
    ("model", "layout"),
    [
        ("qwen3-30b-a3b", "tp = 1\nep = 16\netp = 1\nzero = 3\nworking_width = 0"),
        ("deepseek-v3", "tp = 2\nep = 64\netp = 1\nzero = 3\nworking_width = 0"),
    ],
)
def test_experts_come_back(tmp_path: Path, model: str, layout: str) -> None:
    check(tmp_path, read(tmp_path, DENSE.replace("llama3-70b", model) + RUN + layout))


def test_a_model_that_is_no_flavor_is_named_beside_the_file(tmp_path: Path) -> None:
    text = DENSE.replace("llama3-70b", "mistral-7b") + RUN + "tp = 2\nzero = 3\nworking_width = 0"
    job = read(tmp_path, text)
    assert "has no flavor of this model" in torchtitan_job(job).splitlines()[0]
    check(tmp_path, job, '[model]\npreset = "mistral-7b"\n')


def test_what_was_merely_assumed_otherwise_is_said_and_what_was_given_refused(tmp_path: Path) -> None:
    layout = "tp = 8\nzero = 3\n"
    unnamed = RUN.replace('framework = "torchtitan"\n', "")
    said = torchtitan_job(read(tmp_path, DENSE + unnamed + layout))
    assert "working_width, keep_gradients and fused_operations take the place of what was assumed" in said
    assert "take the place" not in torchtitan_job(read(tmp_path, DENSE + RUN + layout))
    with pytest.raises(JobError, match="found moment_width other than its own"):
        torchtitan_job(read(tmp_path, DENSE + RUN + layout + "moment_width = '2 byte'"))


def test_the_length_of_a_run_is_written_only_where_it_was_given(tmp_path: Path) -> None:
    text = DENSE + RUN + "tp = 8\nzero = 3\n"
    assert tomllib.loads(torchtitan_job(read(tmp_path, text)))["training"]["steps"] == 1000
    assumed = read(tmp_path, text.replace("training_tokens", "# "))
    assert "steps" not in tomllib.loads(torchtitan_job(assumed))["training"]


@pytest.mark.parametrize(
    ("layout", "key", "said"),
    [
        ("tp = 8\nzero = 3\nsequence_parallel = false", "sequence_parallel",
         "tensor parallelism without sequence parallelism, expected both"),
        ("tp = 8\nzero = 1", "zero",
         "optimizer state that is sharded beside whole gradients, expected zero = 0, 2 or 3"),
        ("tp = 8\ncp = 2\nzero = 0", "cp",
         "context parallelism beside whole gradients, expected cp = 1, or zero = 2 or 3"),
        ("tp = 8\nzero = 3\nrecompute = 'selective'", "recompute",
         "scores computed again, expected none"),
        ("tp = 8\nzero = 3\nrecompute = 'mlp'", "recompute", "the feed-forward computed again"),
        ("tp = 8\nzero = 3\nrecompute = 'layers 30'", "recompute", "30 of 80 blocks computed again"),
        ("tp = 8\nzero = 3\noffload_activations = 0.5", "offload_activations",
         "activations with the host by share, expected 0"),
        ("tp = 8\nzero = 3\noffload_optimizer = 0.5", "offload_optimizer",
         "an optimizer whose state lies in part with the host, expected 0"),
        ("tp = 8\nzero = 3\nflash_attention = false", "flash_attention",
         "attention that keeps its scores, expected flash_attention = true"),
        ("tp = 8\nzero = 3\nreduce_width = '2 byte'", "reduce_width",
         "gradients reduced in other than four bytes, expected 4 byte"),
        ("tp = 8\nzero = 2\npp = 2\norder = 'tp-cp-ep-pp-dp'", "order",
         "pipeline stages that vary faster along the ranks than replicas, expected replicas"),
    ],
)  # fmt: skip
def test_what_its_keys_cannot_say_is_refused_by_the_key_of_the_job(
    tmp_path: Path, layout: str, key: str, said: str
) -> None:
    text = DENSE + RUN.replace('framework = "torchtitan"\n', "") + layout
    with pytest.raises(JobError) as refused:
        torchtitan_job(read(tmp_path, text))
    assert re.match(rf"\w+\.toml: launch\.{key}: found {re.escape(said)}", str(refused.value))


def test_stages_that_its_even_split_does_not_make_are_refused(tmp_path: Path) -> None:
    uneven = read(tmp_path, DENSE + RUN + "pp = 16\nzero = 0\nworking_width = 0", blocks="76")
    with pytest.raises(JobError, match="found 76 blocks on 16 stages of 1 chunks"):
        torchtitan_job(uneven)


@pytest.mark.parametrize(
    ("model", "layout", "said"),
    [
        ("qwen3-8b", "pp = 2\nzero = 2", "a pipeline of Qwen3"),
        ("mistral-7b", "pp = 2\nvirtual_stages = 4\nzero = 2", "more than two chunks a rank of a model"),
    ],
)
def test_what_a_flavor_lacks_is_refused(tmp_path: Path, model: str, layout: str, said: str) -> None:
    with pytest.raises(JobError, match=said):
        torchtitan_job(read(tmp_path, DENSE.replace("llama3-70b", model) + RUN + layout))


def test_a_run_that_ends_within_a_step_is_a_step_longer(tmp_path: Path) -> None:
    text = DENSE + RUN.replace("4194304000", "4194304001") + "tp = 8\nzero = 3\n"
    assert tomllib.loads(torchtitan_job(read(tmp_path, text)))["training"]["steps"] == 1001
