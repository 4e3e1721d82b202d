"""The same source gives the same bytes, wherever and in whatever process."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

import workings

SRC = Path(workings.__file__).parents[1]
ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "reports" / "xxl-220b" / "source.md"
OWN = ("--directives", str(ROOT / "benchmarks"))
PROGRAM = "from workings.cli import main; main()"


def made_by(folder: Path, seed: str, *arguments: str) -> dict[str, bytes]:
    """What a fresh process writes, started in `folder` with this hash seed."""
    folder.mkdir()
    subprocess.run(  # noqa: S603 - this Python and our own lines
        [sys.executable, "-c", PROGRAM, "report", *arguments, "-o", "out", *OWN],
        cwd=folder, check=True, capture_output=True,
        env={"PYTHONPATH": str(SRC), "PYTHONHASHSEED": seed, "LC_ALL": "C", "TZ": f"UTC{seed[0]}"},
    )  # fmt: skip
    return {path.name: path.read_bytes() for path in (folder / "out").iterdir()}


@pytest.mark.slow
def test_a_report_is_the_same_bytes_under_any_hash_seed_and_in_any_folder(
    tmp_path: Path, report: Mapping[str, str]
) -> None:
    here = {name: text.encode() for name, text in report.items()}
    for seed in ("0", "1", "12345"):
        assert made_by(tmp_path / seed, seed, str(SOURCE)) == here
    relative = os.path.relpath(SOURCE, tmp_path / "b")
    assert made_by(tmp_path / "b", "1", relative) == here


@pytest.mark.slow
def test_a_sheet_is_the_same_bytes_too(tmp_path: Path, sheet: Mapping[str, str]) -> None:
    here = {name: text.encode() for name, text in sheet.items()}
    assert made_by(tmp_path / "a", "7", str(SOURCE), "--as", "sheet") == here


def test_nothing_of_the_machine_is_in_a_report(report: Mapping[str, str]) -> None:
    for text in report.values():
        assert str(ROOT) not in text
        assert os.path.expanduser("~") + "/" not in text
        assert "\r" not in text
