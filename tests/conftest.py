"""What several tests share: the reports of this repository, built once, and pdflatex."""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import settings

from workings.render.reports import Options, build

settings.register_profile("untimed", deadline=None)  # no test measures time
settings.load_profile("untimed")

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "reports" / "xxl-220b" / "source.md"


@pytest.fixture(scope="session")
def report() -> Mapping[str, str]:
    """Every file of the 220B report."""
    return build(SOURCE, Options(directives=ROOT / "benchmarks"))


@pytest.fixture(scope="session")
def sheet() -> Mapping[str, str]:
    """Every file of its question sheet."""
    return build(SOURCE, Options(sheet=True, directives=ROOT / "benchmarks"))


@pytest.fixture(scope="session")
def pdflatex() -> str:
    """The command, or a skip; CI sets WORKINGS_CI and does not let it skip."""
    found = shutil.which("pdflatex")
    if found is None and "WORKINGS_CI" not in os.environ:
        pytest.skip("pdflatex is not installed")
    assert found is not None, "WORKINGS_CI is set, but pdflatex is not installed"
    return found
