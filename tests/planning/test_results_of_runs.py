"""A job file says what was measured, or published, of its run."""

from fractions import Fraction
from pathlib import Path

import pytest
from sweep_files import JOB, reading

from workings.planning.calibrating.measured import measured_of
from workings.planning.calibrating.output import as_toml
from workings.planning.calibration import calibrate
from workings.planning.cost import plan
from workings.planning.job import JobError
from workings.review.build import review

MEASURED = """
[measured]
step_time = "9.5 s"
peak_memory = "61 GB"
source = "ten steps on Friday"
"""
PUBLISHED = """
[published]
mfu = "41 %"
flops_per_device = "400 TFLOP/s"
counts = "full"
source = "a paper, table 4"
"""


def test_results_are_read_in_base_units_with_their_source(tmp_path: Path) -> None:
    job = reading(tmp_path, JOB + MEASURED + PUBLISHED)({})
    assert job.measured.values == {"T_step": Fraction(19, 2), "M": 61 * 10**9}
    assert job.measured.source == "ten steps on Friday"
    assert job.published.values == {"u": Fraction(41, 100), "C_u": 400 * 10**12}


@pytest.mark.parametrize(("section", "text"), [("measured", MEASURED), ("published", PUBLISHED)])
def test_what_is_known_of_a_run_without_its_layout_is_refused(
    tmp_path: Path, section: str, text: str
) -> None:
    """A search would choose a layout, and that it ran would be said of this one."""
    with pytest.raises(
        JobError, match=f"{section}: found it in a job without a layout, expected the one"
    ):
        reading(tmp_path, JOB.replace("tp = 2\n", "") + text)({})


def test_a_source_alone_and_several_ways_to_count_can_be_published(tmp_path: Path) -> None:
    job = reading(tmp_path, JOB + '[published]\nsource = "a paper"\n')({})
    assert (job.published.values, job.published.source) == ({}, "a paper")
    ways = PUBLISHED.replace('counts = "full"', 'counts = ["causal", "full"]')
    assert reading(tmp_path, JOB + ways)({}).published.counts == (Fraction(1, 2), Fraction(1))
    for wrong, said in (
        ("[]", "expected one or several of causal"),
        ('["half"]', "expected one of causal"),
    ):
        with pytest.raises(JobError, match=said):
            reading(tmp_path, JOB + PUBLISHED.replace('"full"', wrong))({})


def test_a_job_that_says_nothing_has_no_results(tmp_path: Path) -> None:
    job = reading(tmp_path)({})
    assert not job.measured.values
    assert not job.published.values


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("[measured]\n", "measured: found no result, expected one of step_time, peak_memory"),
        ('[measured]\nmfu = "41 %"\n', "measured.mfu: found an unknown key, expected"),
        ('[measured]\nstep_time = "9 GB"\n', "measured.step_time: found '9 GB', expected a positive"),
        ('[published]\nmfu = "410 %"\n', "published.mfu: found '410 %', expected a share of at most 1"),
        ('[published]\npeak_memory = "-1 GB"\n', "published.peak_memory: "),
    ],
)
def test_what_is_no_result_is_refused_by_its_key(tmp_path: Path, table: str, said: str) -> None:
    with pytest.raises(JobError) as refused:
        reading(tmp_path, f"{JOB}\n{table}")({})
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_what_a_calibration_writes_settles_the_peak_of_the_review(tmp_path: Path) -> None:
    path = tmp_path / "measured.toml"
    path.write_text('peak_memory = "79 GB"\nstep_time = "30 s"\n', encoding="utf-8")
    found = calibrate(reading(tmp_path), measured_of(path), plan())
    (tmp_path / "calibrated.toml").write_text(as_toml(found), encoding="utf-8")
    again = reading(tmp_path, JOB + '[assume]\nfile = "calibrated.toml"\n')({})
    assert again.measured.values == {"M": 79 * 10**9, "T_step": 30}
    answer = review(again).answer
    assert answer.word == "GO"
    assert "was measured to take" in answer.reason


@pytest.mark.parametrize("setting", [{"microbatch": "2"}, {"sequence_length": "4096"}, {"zero": "2"}])
def test_a_measurement_of_another_layout_is_left_out_and_said_to_be(
    tmp_path: Path, setting: dict[str, str]
) -> None:
    path = tmp_path / "measured.toml"
    path.write_text('peak_memory = "79 GB"\n', encoding="utf-8")
    found = calibrate(reading(tmp_path), measured_of(path), plan())
    for text in (JOB + as_toml(found), JOB + MEASURED):
        job = reading(tmp_path, text)(setting)
        assert not job.measured.values
        assert any(n.remark == "ignored" and n.key == "measured" for n in job.noted)
    assert reading(tmp_path, JOB + as_toml(found))({"price": "3 USD/h"}).measured.values


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('step_time = "1 ms"', "measured.step_time: found 1 ms, expected at least the "),
        ('peak_memory = "1 MB"', "measured.peak_memory: found 1 MB, expected at least the "),
    ],
)
def test_what_no_run_can_show_is_refused(tmp_path: Path, line: str, said: str) -> None:
    with pytest.raises(JobError) as refused:
        reading(tmp_path, f"{JOB}\n[measured]\n{line}\n")({})
    assert said in str(refused.value)


def test_what_was_published_of_a_job_is_not_said_of_one_that_a_setting_changes(tmp_path: Path) -> None:
    read = reading(tmp_path, JOB + PUBLISHED)
    assert read({}).published.values
    changed = read({"matmul_efficiency": "0.5"})
    assert not changed.published.values
    assert "published" in {note.key for note in changed.noted if note.remark == "ignored"}
