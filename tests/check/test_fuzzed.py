"""A slice of the run of benchmarks/fuzz.py: made-up documents through the checker and its outputs."""

import subprocess
import sys
from pathlib import Path

FUZZ = Path(__file__).parents[2] / "benchmarks" / "fuzz.py"


def test_nothing_escapes_hangs_or_runs_on_made_up_documents() -> None:
    command = [sys.executable, str(FUZZ), "300", "--jobs", "1"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "300 documents" in ran.stdout


def test_a_document_is_made_again_from_its_number() -> None:
    from fuzzing.soup import case

    assert case(7) == case(7)
    assert len({case(number).text for number in range(50)}) > 45


ONCE_FAILED = (335689,)


def test_documents_that_once_failed_no_longer_do() -> None:
    for number in ONCE_FAILED:
        command = [sys.executable, str(FUZZ), "1", "--first", str(number), "--jobs", "1"]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
        assert ran.returncode == 0, ran.stdout + ran.stderr
