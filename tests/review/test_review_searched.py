"""What was measured of the very layout that a search finds counts in the review of a job without one."""

from pathlib import Path

import pytest

from workings.planning.inputs.jobs import read_job
from workings.planning.inputs.results import fingerprint
from workings.planning.job import JobError
from workings.review.build import Review, review

JOB = """
[model]
preset = "llama3-8b"

[cluster]
hardware = "h100-sxm"
devices = 16

[launch]
batch = "1M"
sequence_length = 8192
training_tokens = "1T"
framework = "megatron"
"""


def reviewed(folder: Path, more: str = "") -> Review:
    (folder / "job.toml").write_text(JOB + more, encoding="utf-8")
    return review(read_job(folder / "job.toml"))


def measured(of: str, step: str = "6 s") -> str:
    return f'[measured]\nsource = "a log"\nof = "{of}"\nstep_time = "{step}"\n'


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Review:
    return reviewed(tmp_path_factory.mktemp("searched"))


def test_a_step_of_the_layout_that_is_found_again_is_that_of_the_review(
    found: Review, tmp_path: Path
) -> None:
    assert not found.desk.took_place
    again = reviewed(tmp_path, measured(fingerprint(found.desk.job)))
    assert again.desk.measured["T_step"] == 6
    assert again.desk.took_place
    assert not [one for one in again.desk.job.noted if one.remark == "ignored"]


def test_a_step_of_another_layout_is_left_out_and_said_to_be(tmp_path: Path) -> None:
    other = reviewed(tmp_path, measured("01234567"))
    assert not other.desk.measured
    noted = [one.text for one in other.desk.job.noted if one.remark == "ignored"]
    assert noted == ["of another model, layout or device than this one"]


def test_a_step_that_no_run_of_the_layout_that_is_found_can_take_is_refused(
    found: Review, tmp_path: Path
) -> None:
    with pytest.raises(JobError, match=r"measured\.step_time: found 1 s, expected at least"):
        reviewed(tmp_path, measured(fingerprint(found.desk.job), "1 s"))
