"""[assume] may be a file of its own, with other assumptions over it."""

from fractions import Fraction
from pathlib import Path

import pytest
from job_files import JOB, read, remarks, write

from workings.planning.job import JobError

CALIBRATED = (
    '[assume]\nmatmul_efficiency = { value = 0.62, source = "measured: a.toml", measured = true }\n'
)


def test_a_file_of_assumptions_counts_as_if_it_stood_in_the_job(tmp_path: Path) -> None:
    write(tmp_path, CALIBRATED, "calibrated.toml")
    job = read(tmp_path, JOB + '[assume]\nfile = "calibrated.toml"\n')
    eta = job.figures["eta"]
    assert (eta.value, eta.kind, eta.source) == (Fraction(62, 100), "measured", "measured: a.toml")
    assert "calibrated.toml" in job.hashes
    assert remarks(job, "read")["assume.file"] == "'calibrated.toml'"


def test_what_the_job_itself_assumes_goes_over_the_file(tmp_path: Path) -> None:
    write(tmp_path, CALIBRATED + "memory_efficiency = 0.5\n", "calibrated.toml")
    job = read(tmp_path, JOB + '[assume]\nfile = "calibrated.toml"\nmatmul_efficiency = 0.7\n')
    assert job.figures["eta"].value == Fraction(7, 10)
    assert job.figures["eta_m"].value == Fraction(1, 2)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("nonsense = 1\n", "calibrated.toml: nonsense: found 'nonsense', expected an assumption"),
        (
            'file = "calibrated.toml"\n',
            "calibrated.toml: file: found 'calibrated.toml', expected ",
        ),
        (
            "[assume]\nnonsense = 1\n",
            "calibrated.toml: assume.nonsense: found 'nonsense', expected an assumption",
        ),
        ("matmul_efficiency = 7\n", "calibrated.toml: matmul_efficiency: found 7, expected "),
    ],
)
def test_an_error_names_the_file_of_the_assumptions(tmp_path: Path, text: str, error: str) -> None:
    write(tmp_path, text, "calibrated.toml")
    with pytest.raises(JobError, match=error):
        read(tmp_path, JOB + '[assume]\nfile = "calibrated.toml"\n')


@pytest.mark.parametrize("value", ["1", '"../../absent.toml"', "[1]", '"."'])
def test_a_file_that_is_none_is_refused(tmp_path: Path, value: str) -> None:
    with pytest.raises(JobError, match=r"assume\.file|no such file|expected a file"):
        read(tmp_path, JOB + f"[assume]\nfile = {value}\n")


@pytest.mark.parametrize("other", ["cluster.toml", "whole.toml"])
def test_a_whole_job_is_no_file_of_assumptions(tmp_path: Path, other: str) -> None:
    write(tmp_path, JOB + "[assume]\nmatmul_efficiency = 0.5\n", "whole.toml")
    error = (
        rf"{other}: \w+: found a table of a job, expected assumptions \(or an \[assume\] table alone\)"
    )
    with pytest.raises(JobError, match=error):
        read(tmp_path, JOB + f'[assume]\nfile = "{other}"\n')


@pytest.mark.parametrize(("text", "value"), [('"62 %"', "0.62"), ('".62"', "0.62"), ("0.62", "0.62")])
def test_an_assumption_without_a_unit_may_be_a_percentage(tmp_path: Path, text: str, value: str) -> None:
    job = read(tmp_path, JOB + f"[assume]\nmatmul_efficiency = {text}\n")
    assert job.figures["eta"].value == Fraction(value)


def test_an_assumption_that_is_no_number_is_refused_with_an_example(tmp_path: Path) -> None:
    with pytest.raises(
        JobError, match=r"assume\.goodput: found '1/3', expected .* such as 0\.7 or '70 %'"
    ):
        read(tmp_path, JOB + '[assume]\ngoodput = "1/3"\n')
