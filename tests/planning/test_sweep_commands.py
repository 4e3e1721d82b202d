"""`sweep`, `calibrate` and `diff` as commands: files whole, exit codes, errors in one sentence."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sweep_files import JOB

from workings.cli import main
from workings.planning.exact_layouts import ExactLayouts


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "job.toml").write_text(JOB, encoding="utf-8")
    return tmp_path


def ran(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def test_a_sweep_is_a_table_or_files() -> None:
    shown = ran("sweep", "job.toml", "--over", "gpus=32,64")
    assert shown.exit_code == 0
    assert shown.output.startswith("gpus")
    written = ran("sweep", "job.toml", "--over", "gpus=32,64", "-o", "out/s.csv", "--plot", "out/s.svg")
    assert written.exit_code == 0
    assert written.output.splitlines()[:2] == ["out/s.csv", "out/s.svg"]
    assert Path("out/s.csv").read_text(encoding="utf-8").count("\n") == 3
    assert Path("out/s.svg").read_text(encoding="utf-8").startswith("<svg ")
    page = ran("sweep", "job.toml", "--over", "gpus=32,64", "--plot", "out/s.html")
    assert page.output.startswith("out/s.html\n")
    assert Path("out/s.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_a_line_of_options_is_swept_as_a_file_is() -> None:
    line = ("--model", "llama3-8b", "--gpu", "h100-sxm", "--global-batch", "4M")
    made = ran("sweep", *line, "--over", "gpus=8,16", "--over", "seq=4k,8k")
    assert made.exit_code == 0
    assert "4 points, the best layout of a search at each" in made.output
    laid = ran("sweep", *line, "--tp", "2", "--over", "gpus=8,16", "--over", "seq=4k,8k")
    assert "4 points, the job's own layout at each" in laid.output


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--over", "gpus=0,8"), "--over gpus: found '0'"),
        (("--over", "nonsense=1"), "nonsense: found an unknown name"),
        (("--over", "seq=1..20000..1"), "found more than 10,000 values"),
        (("--over", "recompute=none,full", "--plot", "x.svg"), "--plot: found no axis of numbers"),
        (("--over", "gpus=8,16", "-o", "job.toml"), "job.toml: found it named twice"),
        (("--over", "gpus=8,16", "-o", "x", "--plot", "./x"), "x: found it named twice"),
        (("--over", "seq=4k", "--weak"), "weak scaling: found no axis of devices"),
    ],
)
def test_what_cannot_be_swept_writes_nothing(
    folder: Path, arguments: tuple[str, ...], problem: str
) -> None:
    made = ran("sweep", "job.toml", *arguments)
    assert made.exit_code == 2
    assert problem in made.output
    assert len(made.output.splitlines()) == 1
    assert [path.name for path in folder.iterdir()] == ["job.toml"]
    assert (folder / "job.toml").read_text(encoding="utf-8") == JOB


def test_ctrl_c_writes_the_complete_points_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    real = ExactLayouts.at
    calls = []

    def at(self: ExactLayouts, layout: dict[str, int]) -> object:
        calls.append(1)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return real(self, layout)

    monkeypatch.setattr("workings.planning.sweeping.points.ExactLayouts.at", at)
    made = ran("sweep", "job.toml", "--over", "gpus=8..64", "-o", "s.csv", "--plot", "s.svg")
    assert made.exit_code == 130
    assert "interrupted after these, of 4" in made.output
    assert Path("s.csv").read_text(encoding="utf-8").count("\n") == 3
    assert Path("s.svg").read_text(encoding="utf-8").rstrip().endswith("</svg>")


def test_a_calibration_prints_writes_and_says_by_its_exit_code_whether_it_fits() -> None:
    Path("measured.toml").write_text('step_time = "7 s"\n', encoding="utf-8")
    made = ran("calibrate", "job.toml", "measured.toml", "-o", "calibrated.toml")
    assert made.exit_code == 0
    assert "matmul_efficiency: 0." in made.output
    Path("again.toml").write_text(
        JOB + Path("calibrated.toml").read_text(encoding="utf-8"), encoding="utf-8"
    )
    again = ran("calibrate", "again.toml", "measured.toml")
    assert again.output.splitlines()[1].split()[:6] == ["step_time", "7", "s", "7.000", "s", "+0.0"]
    Path("measured.toml").write_text('step_time = "1 s"\n', encoding="utf-8")
    assert ran("calibrate", "job.toml", "measured.toml").exit_code == 1
    refused = ran("calibrate", "job.toml", "measured.toml", "-o", "measured.toml")
    assert (refused.exit_code, len(refused.output.splitlines())) == (2, 1)
    assert ran("calibrate", "job.toml", "missing.toml").exit_code == 2


def test_a_setting_is_put_over_the_job_that_is_calibrated() -> None:
    Path("measured.toml").write_text('peak_memory = "60 GB"\n', encoding="utf-8")
    plain, moved = (ran("calibrate", "job.toml", "measured.toml", *more)
                    for more in ((), ("--set", "microbatch=2")))  # fmt: skip
    assert plain.output != moved.output


def test_diff_exits_0_1_or_2(folder: Path) -> None:
    for name, more in (("old", ()), ("new", ("--set", "tp=4"))):
        assert ran("review", "job.toml", "-o", name, "--format", "md", *more).exit_code == 0
    assert ran("diff", "old", "old").exit_code == 0
    made = ran("diff", "old", "new", "--format", "json")
    assert made.exit_code == 1
    assert json.loads(made.output)["changes"][0]["kind"] in ("verdict", "rule broken", "result")
    (folder / "new" / "review.json").write_text("{", encoding="utf-8")
    broken = ran("diff", "old", "new")
    assert (broken.exit_code, len(broken.output.splitlines())) == (2, 1)
