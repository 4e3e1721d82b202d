"""What several tests share: the reports of this repository, built once, and pdflatex."""

import os
import shutil
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings
from live_page import told
from made_pages import made

from workings.render.reports import Options, build

if TYPE_CHECKING:
    from playwright.sync_api import Browser

settings.register_profile("untimed", deadline=None)  # no test measures time
settings.load_profile("untimed")

__all__ = ["browser", "made", "told"]  # fixtures

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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whatever opens a page is run with the others that do."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")


@pytest.fixture(scope="session")
def browser() -> "Iterator[Browser]":
    """Debian's Chromium, started once, or a skip; CI sets WORKINGS_CI and does not let it skip."""
    found = shutil.which("chromium")
    missing = "chromium" if found is None else "" if find_spec("playwright") else "playwright"
    if missing and "WORKINGS_CI" not in os.environ:
        pytest.skip(f"{missing} is not installed")
    assert not missing, f"WORKINGS_CI is set, but {missing} is not installed"
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield started
        started.close()
