"""The command that the README opens the planner with works as it stands."""

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from workings.cli import main

README = Path(__file__).parents[2] / "README.md"
COMMANDS = re.findall(r"^workings (review --model .*)$", README.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_model_and_a_cluster_become_a_review(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = CliRunner().invoke(main, shlex.split(command))
    assert ran.exit_code == 0, ran.output
    assert re.search(r"^(GO|GO IF|NO-GO) on memory: ", ran.output, re.MULTILINE)
    assert (tmp_path / "review" / "review.md").stat().st_size > 10_000


def test_the_readme_has_such_a_command() -> None:
    assert COMMANDS


def test_limits_beside_a_job_file_are_sent_into_it(tmp_path: Path) -> None:
    ran = CliRunner().invoke(main, ["review", str(tmp_path / "job.toml"), "--max-days", "50"])
    assert ran.exit_code == 2
    assert "found --max-days beside" in ran.output
    assert "expected its [review]" in ran.output
