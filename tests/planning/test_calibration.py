"""What was measured takes the place of what was assumed, and one efficiency is fitted to the step."""

from fractions import Fraction
from pathlib import Path

import pytest
from sweep_files import JOB, reading

from workings.planning.calibrating.measured import measured_of
from workings.planning.calibrating.output import as_toml, text
from workings.planning.calibration import Calibration, calibrate
from workings.planning.cost import plan
from workings.planning.exact import exactly
from workings.planning.job import Job, JobError
from workings.planning.usual import usual


def measured(folder: Path, content: str, job: str = JOB, fit: str | None = None) -> Calibration:
    path = folder / "measured.toml"
    path.write_text(content, encoding="utf-8")
    return calibrate(reading(folder, job), measured_of(path), plan(), fit)


def step(job: Job) -> float:
    return float(exactly(plan(), job.values())["T_step"])


def test_results_are_set_beside_what_the_job_predicts(tmp_path: Path) -> None:
    job = reading(tmp_path)({})
    found = measured(
        tmp_path,
        'peak_memory = "60 GB"\nmfu = "50 %"\nflops_per_device = "500 TFLOP/s"\ncounts = "full"\n',
    )
    by_name = {one.name: one for one in found.compared}
    values = exactly(plan(), job.values())
    assert by_name["peak_memory"].before == values["M"]
    assert float(by_name["peak_memory"].error(values["M"])) == pytest.approx(
        float(values["M"]) / 60e9 - 1
    )
    assert by_name["mfu"].measured == Fraction(1, 2)
    # A device's FLOP/s are its share of the peak: both results are off by what the other says.
    assert by_name["flops_per_device"].before / by_name["mfu"].before == job.values()["C"]
    full = exactly(plan(), {**job.values(), "kappa_u": Fraction(1)})
    assert by_name["mfu"].before == full["u"] > values["u"]
    assert "mfu, all scores" in text(found)
    assert found.fit is None
    assert "found neither of step_time and tokens_per_second" in text(found)


@pytest.mark.parametrize("name", ["matmul_efficiency", "attention_efficiency", "memory_efficiency"])
def test_a_fit_finds_the_efficiency_that_the_measurement_was_made_with(tmp_path: Path, name: str) -> None:
    truth = step(reading(tmp_path)({name: "0.6123"}))
    found = measured(tmp_path, f'step_time = "{truth:.9f} s"\n', fit=name)
    assert found.fit is not None
    assert found.fit.value is not None
    assert float(found.fit.value) == pytest.approx(0.6123, abs=1e-5)
    assert step(found.job) == pytest.approx(truth, rel=1e-5)
    figure = next(f for f in found.job.figures.values() if f.concept.name == name)
    assert (figure.kind, figure.low, figure.high) == ("measured", None, None)


def test_tokens_per_second_are_as_good_as_the_step_time(tmp_path: Path) -> None:
    truth = step(reading(tmp_path)({"matmul_efficiency": "0.55"}))
    found = measured(tmp_path, f"tokens_per_second = {512 * 8192 / truth:.6f}\n")
    assert found.fit is not None
    assert float(found.fit.value or 0) == pytest.approx(0.55, abs=1e-5)


def test_the_fit_says_whether_it_lies_in_the_range_assumed(tmp_path: Path) -> None:
    assumed, _ = usual("NVIDIA Hopper", "16-bit")
    for truth, word in (("0.6", "inside"), ("0.2", "outside")):
        time = step(reading(tmp_path)({"matmul_efficiency": truth}))
        assert f"{word} what was assumed, {assumed.worst} to {assumed.best}\n" in text(
            measured(tmp_path, f'step_time = "{time} s"\n')
        )


def test_a_time_that_no_efficiency_gives_is_no_fit(tmp_path: Path) -> None:
    found = measured(tmp_path, 'step_time = "1 s"\n')
    assert found.fit is not None
    assert found.fit.value is None
    assert "nothing fitted: no value gives 1 s a step, the model has" in text(found)
    assert "matmul_efficiency =" not in as_toml(found)
    flat = measured(tmp_path, 'step_time = "6 s"\n', fit="pp_hidden")  # there is no pipeline
    assert "whatever it is" in text(flat)


def test_measured_assumptions_take_the_place_of_the_assumed_ones_before_the_fit(tmp_path: Path) -> None:
    content = (
        'step_time = "7 s"\npeak_memory = "55 GB"\ncommunicator = "2.5 GB"\nmemory_efficiency = 0.9\n'
    )
    found = measured(tmp_path, content)
    was, now = (
        exactly(plan(), reading(tmp_path)(s).values())["M"] for s in ({}, {"communicator": "2.5 GB"})
    )
    memory = next(one for one in found.compared if one.name == "peak_memory")
    assert (memory.before, memory.replaced) == (was, now)
    assert found.job.figures["eta_m"].kind == "measured"
    assert float(next(o for o in found.compared if o.name == "step_time").fitted or 0) == pytest.approx(
        7, rel=1e-5
    )
    assert [(old.kind, new.concept.name) for old, new in found.replaced] == [
        ("assumed", "communicator"), ("assumed", "memory_efficiency"),
    ]  # fmt: skip


def test_what_is_written_is_read_back_in_the_job_file(tmp_path: Path) -> None:
    content = """
step_time = { value = "7 s", source = "the log" }
communicator = { value = "2.5 GB", low = "2 GB", high = "3 GB", source = 'smi, "before" \\ after' }
network_one_way = "46 GB/s"
memory_efficiency = "90 %"
dp_hidden = 0.75
"""
    found = measured(tmp_path, content)
    job = reading(tmp_path, JOB + as_toml(found))({})
    assert step(job) == pytest.approx(7, rel=1e-5)
    assert job.values() == found.job.values()
    for letter in ("M_grp", "W_2", "eta_m", "h_d", "eta"):
        assert job.figures[letter].kind == "measured"
        assert (job.figures[letter].low, job.figures[letter].high) == (
            found.job.figures[letter].low, found.job.figures[letter].high,
        )  # fmt: skip
    assert job.figures["M_grp"].source == 'smi, "before" \\ after'
    assert "fitted to step_time in measured.toml" in job.figures["eta"].source


def test_a_job_name_stays_in_its_comment(tmp_path: Path) -> None:
    written = as_toml(measured(tmp_path, 'step_time = "7 s"\n'))
    assert written.splitlines()[0] == "# What measured.toml gives for a job."


def test_what_was_measured_is_not_fitted(tmp_path: Path) -> None:
    content = 'step_time = "7 s"\nmatmul_efficiency = 0.6\n'
    assert "found matmul_efficiency measured, so it is not fitted" in text(measured(tmp_path, content))
    with pytest.raises(JobError, match="found matmul_efficiency measured"):
        measured(tmp_path, content, fit="matmul_efficiency")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", "found nothing, expected a measured result"),
        ("speed = 3\n", "speed: found 'speed', expected a result or an assumption: one of step_time"),
        ("step_time = 3\n", "step_time: found 3, expected a positive quantity such as '10.2 s'"),
        ('step_time = "3 GB"\n', "step_time: found '3 GB'"),
        ('step_time = "-3 s"\n', "step_time: found '-3 s'"),
        ('step_time = "0 s"\n', "step_time: found '0 s'"),
        ("step_time = nan\n", "expected a finite number"),
        ("mfu = 41\n", "mfu: found 41, expected a share of at most 1"),
        ("step_time = []\n", "step_time: found"),
        ("matmul_efficiency = 1.2\n", "matmul_efficiency"),
        ("matmul_efficiency = { value = 0.6, sauce = 1 }\n", "sauce"),
        ("step_time = \n", "not valid TOML"),
        ('"\\u001b[31m" = 1\n', "expected a result"),
    ],
)
def test_a_file_that_is_wrong_is_refused_by_key(tmp_path: Path, content: str, problem: str) -> None:
    with pytest.raises(JobError) as refused:
        measured(tmp_path, content)
    said = str(refused.value)
    assert said.startswith("measured.toml: ")
    assert problem in said
    assert said.isprintable()


def test_a_calibration_needs_the_layout_that_ran_and_an_efficiency_it_knows(tmp_path: Path) -> None:
    with pytest.raises(JobError, match="found no layout, expected the one that was measured"):
        measured(tmp_path, 'step_time = "7 s"\n', JOB.replace("tp = 2\n", ""))
    with pytest.raises(JobError, match="--fit: found 'fragments', expected one of matmul_efficiency"):
        measured(tmp_path, 'step_time = "7 s"\n', fit="fragments")
    with pytest.raises(JobError, match="found neither of step_time"):
        measured(tmp_path, 'peak_memory = "7 GB"\n', fit="matmul_efficiency")
