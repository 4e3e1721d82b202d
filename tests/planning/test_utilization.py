"""What an MFU counts of attention: half of the scores, unless a source says otherwise."""

from fractions import Fraction
from pathlib import Path

import pytest
from jobs import deepseek_v3, experts_64, gpt3_175b, llama3_8b, llama3_405b
from sweep_files import JOB, reading

from workings.formula import names_in
from workings.planning.cost import plan
from workings.planning.exact import exactly
from workings.planning.inputs.jobs import read_job
from workings.planning.inputs.options import job_from_options
from workings.planning.job import JobError
from workings.planning.utilization import ALL, COUNTED, COUNTS, HALF, in_short, in_words, recounted
from workings.review.desk import Desk
from workings.scenario.presets import preset_names

MADE = (gpt3_175b, llama3_405b, llama3_8b, experts_64, deepseek_v3)
MILLION = 2**20  # tokens of a sequence


def test_nothing_but_the_flops_called_the_model_s_hangs_on_what_is_counted() -> None:
    """So no predicted time does, nor any byte: every statement that needs the count is named here."""
    tainted = {COUNTED}
    for statement in plan().statements:
        if tainted & set(names_in(statement.formula)):
            tainted.add(statement.letter)
    assert tainted == {COUNTED, "Phi_s", "u", "C_u"}


def test_every_preset_job_takes_as_long_whatever_is_counted() -> None:
    """All attention was counted once, and the step times of that day are those of today."""
    results = ("T_step", "M", "T_run", "c_run", "R_s")
    for name in preset_names("scenarios"):
        try:
            given = read_job(name).values()
        except JobError:
            continue  # a scenario of a model alone
        assert given[COUNTED] == HALF
        then, now = (exactly(plan(), given | {COUNTED: share}, (*results, "u")) for share in (ALL, HALF))
        assert {n: then[n] for n in results} == {n: now[n] for n in results}
        assert now["u"] < then["u"] or not given["z_h"]


@pytest.mark.parametrize("model", ["llama3-8b", "llama3-405b", "mixtral-8x7b", "deepseek-v3"])
def test_a_mfu_is_below_one_at_sequences_of_a_million_tokens_and_at_its_best(model: str) -> None:
    job = job_from_options(model=model, gpu="h100-sxm", gpus=1024, seq=MILLION, global_batch=1024, tp=1)
    desk = Desk(job, plan())
    for case in (desk.low, desk.base, desk.high):
        assert 0 < case["u"] < max(case["eta"], case["eta_a"]) < 1
    # Counted in full, the same step would come near the peak or beyond it, though it is no faster.
    assert recounted(plan(), desk.ends("low"), "u", ALL) > desk.low["u"] * Fraction(3, 2)


def test_counts_are_named_in_words() -> None:
    assert [in_short(share) for share in COUNTS.values()] == ["causal", "all scores", "no scores"]
    assert in_short(Fraction(1, 4)) == "25 % of the scores"
    assert in_words(Fraction(1, 4)) == "25 % of attention's scores counted"


@pytest.mark.parametrize("table", ['mfu = "41 %"', 'flops_per_device = "400 TFLOP/s"'])
def test_a_published_mfu_says_what_its_source_counts(tmp_path: Path, table: str) -> None:
    with pytest.raises(JobError) as refused:
        reading(tmp_path, f"{JOB}\n[published]\n{table}\n")({})
    assert "published.counts: found none beside" in str(refused.value)
    assert str(refused.value).endswith("causal, full, none")
    for name, share in COUNTS.items():
        job = reading(tmp_path, f'{JOB}\n[published]\n{table}\ncounts = "{name}"\n')({})
        assert job.published.counts == (share,)


def test_a_published_step_needs_no_count(tmp_path: Path) -> None:
    job = reading(tmp_path, f'{JOB}\n[published]\nstep_time = "40 s"\n')({})
    assert job.published.counts == ()


def test_a_measured_step_is_held_against_what_is_computed_and_not_against_what_is_counted(
    tmp_path: Path,
) -> None:
    v = exactly(plan(), reading(tmp_path)({}).values())
    causal = v["u"] * v["T_step"]  # at peak
    text = f'[measured]\nstep_time = "{float(causal) * 1.001:.6f} s"\n[assume]\ncore_counted = 1\n'
    assert reading(tmp_path, f"{JOB}\n{text}")({}).measured.values
