"""A review is the same bytes whatever order Python's sets take."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

JOB = Path(__file__).parents[2] / "reports" / "reviews" / "llama3-8b-8" / "job.toml"
RUN = """
import sys
from hashlib import sha256
from workings.planning.inputs import read_job
from workings.review.build import review
from workings.review.writing import files
made = files(review(read_job(sys.argv[1])))
print(sha256("".join(made[name] for name in sorted(made)).encode()).hexdigest())
"""


@pytest.mark.slow
def test_a_review_does_not_depend_on_the_hash_seed() -> None:
    found = {
        subprocess.run(  # noqa: S603 - our own lines, in a fresh interpreter
            [sys.executable, "-c", RUN, str(JOB)], capture_output=True, text=True, check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2", "3")
    }  # fmt: skip
    assert len(found) == 1
