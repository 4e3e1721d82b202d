"""Of all changes of one setting that make a rank hold less, those of the least time are named first."""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest
from jobs import experts_64, gpt3_175b, llama3_8b

from workings.planning.cost import plan
from workings.planning.exact import exactly
from workings.planning.inputs import read_job
from workings.planning.job import Job, JobError
from workings.planning.recomputed import MODULES
from workings.planning.remedies import Lighter, lighter, of_least_time
from workings.planning.rules import lint

JOB = """
[model]
preset = "{model}"
[cluster]
hardware = "h100-sxm"
devices = {devices}
[launch]
batch = {batch}
sequence_length = 4096
{launch}
"""
DENSE = JOB.format(model="llama3-8b", devices=16, batch=64, launch="tp = 2\nzero = 0\nmicrobatch = 4")
SHARDED = JOB.format(model="llama3-70b", devices=64, batch=64, launch="zero = 3\nmicrobatch = 1")
MIXED = JOB.format(
    model="deepseek-v3", devices=512, batch=1024, launch="pp = 8\nep = 64\nrecompute = 'layernorm'"
)
SAID = ("dense", "sharded", "mixture")
FILES = dict(zip(SAID, (DENSE, SHARDED, MIXED), strict=True))


def remedies(job: Job, target: Fraction) -> tuple[Lighter, ...]:
    return of_least_time(lighter(job, plan()), target)


def held(job: Job) -> tuple[Fraction, Fraction]:
    found = exactly(plan(), job.values(), ["M", "T_step"])
    return found["M"], found["T_step"]


def errors(job: Job) -> set[str]:
    return {f.rule.id for f in lint(job) if f.broken and f.rule.severity == "error"}


def single_changes(folder: Path, job: Job) -> Iterator[tuple[str, Job]]:
    """Every one, as somebody would try it: one line of the file put over."""
    v = job.values()
    stated = job.files["job.toml"].decode().count("layernorm") * ["layernorm"]
    tried = {
        "loss_parts": ["2", "4", "8"],
        "zero": [str(stage) for stage in (1, 2) if stage > v["z_1"] + v["z_2"] + v["z_3"]],
        "microbatch": [str(v["b_m"] / 2)] if v["b_m"] % 2 == 0 else [],
        "recompute": [", ".join([*stated, one]) for one in MODULES if one != "core_attn"] + ["full"],
    }
    for key, values in tried.items():
        for value in values:
            try:
                yield f"{key} = {value}", read_job(folder / "job.toml", {key: value})
            except JobError:
                continue


@pytest.mark.parametrize("kind", SAID)
@pytest.mark.parametrize("share", [Fraction(98, 100), Fraction(85, 100), Fraction(6, 10), Fraction(1, 5)])
def test_none_that_is_left_out_is_faster(tmp_path: Path, kind: str, share: Fraction) -> None:
    (tmp_path / "job.toml").write_text(FILES[kind], encoding="utf-8")
    job = read_job(tmp_path / "job.toml")
    memory, step = held(job)
    enough = {
        said: held(other)[1] / step - 1
        for said, other in single_changes(tmp_path, job)
        if held(other)[0] <= share * memory and errors(other) <= errors(job)
    }
    found = remedies(job, share * memory)[:3]
    # Of a loss in 2, 4 or 8 parts and of stages the first that holds little enough is named.
    first = {said if "recompute" in said else said[:6]: enough[said] for said in reversed(enough)}
    assert [one.time for one in found] == sorted(first.values())[: len(found)]
    assert len(found) == min(3, len(first))


@pytest.mark.parametrize("kind", SAID)
def test_what_is_said_stands_in_a_job_file_and_comes_to_what_is_told(tmp_path: Path, kind: str) -> None:
    (tmp_path / "job.toml").write_text(FILES[kind], encoding="utf-8")
    job = read_job(tmp_path / "job.toml")
    memory, step = held(job)
    found = remedies(job, memory)
    assert len(found) > 3
    for one in found:
        key, _, value = one.said.partition(" = ")
        there = read_job(tmp_path / "job.toml", {key: value.strip('"')})
        assert held(there) == (one.memory, step * (1 + one.time)), one.said
        assert one.memory < memory


def test_what_is_computed_again_already_stays_so() -> None:
    (first, *_) = remedies(gpt3_175b(), Fraction(39 * 10**9))
    assert first.words == "scores and norms computed again"
    assert first.said == 'recompute = "core_attn, layernorm"'


def test_nothing_is_named_where_nothing_comes_so_far() -> None:
    assert remedies(experts_64(), Fraction(10**9)) == ()


@pytest.mark.parametrize("program", ["megatron", "torchtitan"])
def test_a_program_is_told_nothing_that_it_has_no_words_for(tmp_path: Path, program: str) -> None:
    zero = {"megatron": 1, "torchtitan": 2}[program]
    launch = f'tp = 2\nzero = {zero}\nmicrobatch = 4\nframework = "{program}"'
    text = JOB.format(model="llama3-8b", devices=16, batch=64, launch=launch)
    (tmp_path / "job.toml").write_text(text, encoding="utf-8")
    job = read_job(tmp_path / "job.toml")
    said = {one.said for one in remedies(job, held(job)[0])}
    assert "loss_parts = 2" not in said
    assert "microbatch = 2" in said
    assert ('recompute = "layernorm"' in said) == (program == "megatron")
    assert ('recompute = "operations"' in said) == (program == "torchtitan")
    assert 'recompute = "mlp_act"' not in said


def test_blocks_that_are_computed_again_as_a_whole_have_no_parts_left() -> None:
    found = remedies(llama3_8b(z_f=1, b_m=2), Fraction(10**12))
    assert {one.said.partition(" = ")[0] for one in found} == {"loss_parts", "zero", "microbatch"}
