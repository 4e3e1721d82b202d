"""The job that somebody asks for: a file or options, never both, and settings that are read again."""

from pathlib import Path

import pytest
from sweep_files import JOB

from workings.errors import UserError
from workings.planning.inputs.asked import job_asked, reading
from workings.planning.job import JobError

LINE = {"model": "llama3-8b", "gpu": "h100-sxm", "gpus": 8, "seq": 4096, "global_batch": 16}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "job.toml"
    path.write_text(JOB, encoding="utf-8")
    return path


def test_a_file_goes_by_path_and_options_that_are_none_are_left_out(file: Path) -> None:
    for where in (file, str(file)):
        job = job_asked(where, {"tp": "4"}, {"gpus": None, "tp": None})
        assert job.name == "a job (changed: tp = 4)"
        assert (int(job.values()["t"]), int(job.values()["n"])) == (4, 64)


def test_options_are_a_job_as_numbers_or_as_text() -> None:
    numbers = job_asked(None, {}, {**LINE, "zero": None})
    texts = job_asked(None, {}, {name: str(value) for name, value in LINE.items()})
    assert numbers.values() == texts.values()
    assert not numbers.chosen


def test_what_is_no_job_is_refused(file: Path) -> None:
    for where, options, said in (
        (None, {}, "found neither a job file nor options, expected one of them"),
        (None, {"gpus": None}, "found neither a job file nor options, expected one of them"),
        (
            file,
            {"per_node": 8, "tp": 2},
            f"found --per-node, --tp beside {file}, expected --set to change",
        ),
        (file, {"max_days": 3, "tp": 2}, f"found --tp beside {file}, expected --set to change"),
    ):
        with pytest.raises(JobError) as refused:
            job_asked(where, {}, options)
        assert str(refused.value).startswith(said)


def test_a_job_is_read_again_with_more_settings_but_none_of_them_twice(file: Path) -> None:
    read = reading(file, {"tp": "4"}, {})
    assert read({}).values()["t"] == 4
    assert read({"devices": "32"}).values()["n"] == 32
    assert read({"tp": "4"}).values()["t"] == 4
    with pytest.raises(UserError, match=r"^--set tp: found it twice, expected one value for each name$"):
        read({"tp": "2"})
