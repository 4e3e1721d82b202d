"""Made-up documents that once failed, through the checker and its outputs; `make fuzz` runs 20,000."""

import subprocess
import sys
from pathlib import Path

FUZZ = Path(__file__).parents[2] / "benchmarks" / "fuzz.py"


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
