"""What is printed: at most eight pages, of which the first holds the signatures. The second tier."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

pytest.importorskip("typst", reason="the extra `pdf` is not installed")

from reviewed import review

from workings.planning.inputs import read_job
from workings.review.writing import files

READER = shutil.which("pdftotext") or ""
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not READER, reason="pdftotext is not installed"),
]
JOBS = sorted((Path(__file__).parents[2] / "reports" / "reviews").glob("*/job.toml"))


@pytest.mark.parametrize("path", JOBS, ids=lambda path: path.parent.name)
def test_a_review_has_at_most_eight_pages_and_is_signed_on_the_first(path: Path, tmp_path: Path) -> None:
    pdf = files(review(read_job(path)), ("pdf",))["review.pdf"]
    (tmp_path / "review.pdf").write_bytes(pdf if isinstance(pdf, bytes) else pdf.encode())
    done = subprocess.run([READER, str(tmp_path / "review.pdf"), "-"], capture_output=True, check=True)  # noqa: S603
    pages = done.stdout.decode().rstrip("\f").split("\f")
    assert len(pages) <= 8
    assert re.search(r"approved by: name, date", pages[0])
