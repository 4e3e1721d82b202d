"""On how few devices a layout can be tried is what the same job on those devices says."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from jobs import experts_64, gpt3_175b, llama3_8b
from reviewed import files, review

from workings.planning.cost import plan
from workings.planning.exact import exactly
from workings.planning.inputs import read_job
from workings.planning.job import Job
from workings.review.desk import Desk
from workings.review.trial import on_fewer, smallest

JOB = """
[model]
preset = "{model}"
[cluster]
hardware = "h100-sxm"
devices = {devices}
[launch]
framework = "megatron"
dp = {replicas}
batch = {batch}
sequence_length = 4096
zero = 1
{layout}
"""
DENSE = ("llama3-70b", "tp = 8\npp = 4\nsequence_parallel = true\nvirtual_stages = 2", 32)
EXPERTS = ("mixtral-8x7b", "tp = 2\nep = 8\netp = 1\nsequence_parallel = true", 2)


def desk(case: tuple[str, str, int], folder: Path, replicas: int, batch: int) -> Desk:
    model, layout, devices = case
    path = folder / f"job-{replicas}.toml"
    path.write_text(JOB.format(model=model, layout=layout, devices=devices * replicas, replicas=replicas,
                               batch=batch), "utf-8")  # fmt: skip
    return Desk(read_job(path), plan())


@pytest.mark.parametrize("case", [DENSE, EXPERTS])
def test_peak_and_step_are_those_of_a_job_written_with_fewer_replicas(
    case: tuple[str, str, int], tmp_path: Path
) -> None:
    found = smallest(desk(case, tmp_path, 32, 2048))
    assert found is not None
    assert found.replicas < 32
    assert found.batch == 64 * found.replicas
    small = desk(case, tmp_path, found.replicas, int(found.batch))
    assert found.devices == small.base["n"]
    assert found.values["M"] == small.base["M"]
    assert found.values["T_step"] == small.base["T_step"]


def test_one_divisor_of_the_replicas_less_breaks_the_limit_or_parts_a_group_of_experts() -> None:
    found = review(experts_64()).desk
    trial = smallest(found)
    assert trial is not None
    room = found.job.limit_if * found.base["M_dev"]
    assert trial.values["M"] <= room
    half = found.job.with_values({"n": trial.devices / 2, "b": trial.batch / 2})
    whole = half.values()["n"] % (found.base["t_e"] * found.base["e"] * found.base["p"]) == 0
    most = found.outcome.ends("M").most
    assert not whole or exactly(plan(), half.values(), ["M"])["M"] * most > room


def said(job: Job, *results: str) -> str:
    return on_fewer(Desk(job, plan()), results or ("M", "T_step"))


def test_what_is_said_names_devices_batch_and_both_differences() -> None:
    text = said(gpt3_175b())
    trial = smallest(review(gpt3_175b()).desk)
    assert trial is not None
    assert f"{int(trial.devices)} of them show this (DP {trial.replicas}, {int(trial.batch)} seq" in text
    assert "a peak of" in text
    assert "a step of" in text
    assert "as state is shared by fewer" in text
    assert "a step of" not in said(gpt3_175b(), "M")
    assert said(gpt3_175b(), "eta") == ""
    job = gpt3_175b()
    eta = replace(job.figures["eta"], low=Fraction(4, 5), high=Fraction(1, 2))
    page = files(review(replace(job, figures={**job.figures, "eta": eta})), ("md",))["review.md"]
    assert said(job, "T_step") in page


def test_one_replica_whose_state_nobody_shares_does_without_a_communicator() -> None:
    assert "communicator less" not in said(gpt3_175b())  # tried as two replicas
    alone = said(llama3_8b(z_1=1, n=64, t=4, t_e=4, c=2, b=64, M_grp=1))
    assert "(DP 1," in alone
    assert "more than here, as state is shared by fewer, though with a communicator less" in alone


def test_replicas_that_share_nothing_hold_as_much_wherever_they_run() -> None:
    """But for the buffers of two groups that one replica does without: of replicas, and of all ranks."""
    for buffers, words in ((0, "as here"), (10**9, "2 GB less than here")):
        text = said(llama3_8b(z_1=0, n=64, t=8, t_e=8, b=64, M_grp=buffers))
        assert "8 of them show this (DP 1, 8 sequences a step" in text
        assert words in text.split("a peak of")[1].split(" and ")[0]


def test_where_state_must_be_shared_by_all_that_is_said_and_of_one_replica_nothing() -> None:
    """Nor is anything said of a job that one node runs: there is nothing to reserve."""
    job = llama3_8b(n=16, t=1, t_e=1, z_s=0, z_2=1, z_3=1)
    peak = Desk(job, plan()).base["u_M"]
    assert said(replace(job, limit_if=peak * Fraction(101, 100))).startswith("Only all devices")
    assert said(llama3_8b(n=16, t=16, t_e=16, z_1=0)) == ""
    assert said(llama3_8b(z_1=0)) == ""
    assert said(replace(job, limit_if=peak / 2)) == ""


def test_an_hour_of_the_trial_costs_what_its_devices_do() -> None:
    job = gpt3_175b()
    free = job.with_values({"c_d": Fraction(0)})
    assert "An hour" not in on_fewer(Desk(free, plan()), ["M"])
    priced = Desk(job.with_values({"c_d": Fraction(3, 3600)}), plan())
    found = smallest(priced)
    assert found is not None
    assert f"An hour of them costs {int(found.devices) * 3:,} USD." in on_fewer(priced, ["M"])


def test_a_trial_that_may_not_fit_where_the_run_does_says_how_likely_it_fits() -> None:
    job = gpt3_175b()
    there = Desk(job.with_values({"n": job.values()["n"] / 2, "b": job.values()["b"] / 2}), plan())
    tight = there.base["M"] / job.limit_if * Fraction(1001, 1000)
    desk = Desk(job.with_values({"M_dev": tight}), plan())
    found = smallest(desk)
    assert found is not None
    own = Desk(found.job, plan()).outcome.in_words("u_M", job.limit_if)
    assert f"It may run out of memory where the whole run does not: {own} of 100" in on_fewer(desk, ["M"])
    roomy = Desk(job.with_values({"M_dev": 3 * tight}), plan())
    assert "run out of memory" not in on_fewer(roomy, ["M"])
