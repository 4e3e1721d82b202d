"""What a run of another layout of the model showed is carried over, where the model was fitted to it."""

from fractions import Fraction
from pathlib import Path

import pytest
from sweep_files import JOB, reading

from workings.planning.calibrating.measured import measured_of
from workings.planning.calibrating.output import as_toml
from workings.planning.calibration import calibrate
from workings.planning.cost import plan
from workings.planning.job import NOTHING_CARRIED, Carried, Job

STEP = 'step_time = "30 s"\n'
PEAK = 'peak_memory = "79 GB"\n'
OTHERS = [{"microbatch": "2"}, {"zero": "2"}, {"tp": "4"}, {"batch": "8M"}]


def calibrated(folder: Path, measured: str) -> str:
    """The job's file with what `workings calibrate` writes of a measurement."""
    path = folder / "measured.toml"
    path.write_text(measured, encoding="utf-8")
    return JOB + as_toml(calibrate(reading(folder), measured_of(path), plan()))


def remark(job: Job) -> str:
    (found,) = (note.remark for note in job.noted if note.key == "measured")
    return found


@pytest.mark.parametrize("setting", OTHERS)
def test_a_calibrated_file_tells_of_another_layout_of_its_model(
    tmp_path: Path, setting: dict[str, str]
) -> None:
    job = reading(tmp_path, calibrated(tmp_path, STEP + PEAK))(setting)
    assert remark(job) == "taken"
    assert not job.measured.values  # of this layout nothing was measured
    assert job.carried == Carried(Fraction(1), Fraction(0))  # as the model, which was fitted to the other


@pytest.mark.parametrize("setting", [{"sequence_length": "4096"}, {"model": "llama3-70b"},
                                     {"hardware": "h200-sxm"}, {"compute": "500 TFLOP/s"}])  # fmt: skip
def test_it_tells_nothing_of_another_model_other_sequences_or_other_devices(
    tmp_path: Path, setting: dict[str, str]
) -> None:
    job = reading(tmp_path, calibrated(tmp_path, STEP + PEAK))(setting)
    assert remark(job) == "ignored"
    assert job.carried == NOTHING_CARRIED
    assert not job.measured.values


def test_without_what_was_fitted_it_tells_nothing(tmp_path: Path) -> None:
    """The digits alone do not say how far off the model is, as it is another one without the fit."""
    text = calibrated(tmp_path, STEP)
    (fitted,) = (line for line in text.splitlines() if line.startswith("matmul_efficiency"))
    for kept, said in ((text, "taken"), (text.replace(fitted, ""), "ignored")):
        job = reading(tmp_path, kept)({"microbatch": "2"})
        assert remark(job) == said
        assert (job.carried != NOTHING_CARRIED) == (said == "taken")


def test_only_what_was_measured_is_carried_over(tmp_path: Path) -> None:
    job = reading(tmp_path, calibrated(tmp_path, STEP))({"microbatch": "2"})
    assert job.carried == Carried(times=Fraction(1))


def test_of_its_own_layout_a_calibrated_file_is_a_measurement(tmp_path: Path) -> None:
    job = reading(tmp_path, calibrated(tmp_path, STEP + PEAK))({})
    assert job.measured.values == {"T_step": 30, "M": 79 * 10**9}
    assert not [note for note in job.noted if note.key == "measured" and note.remark == "taken"]
