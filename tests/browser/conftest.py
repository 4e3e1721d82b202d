"""Debian's Chromium, started once, and the pages that it opens, made once."""

import os
import shutil
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from documents import Options

from workings import catalogue
from workings.render.reports import build
from workings.render.show import derivation_fragment

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "reports" / "xxl-220b" / "source.md"
CHAPTER = '+++\ntitle = "A chapter"\nscope = "section"\n+++\n\n## Hierarchies\n\n```{topic} hierarchy\n```\n'


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whatever stands in this folder needs a browser."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("browser")


@pytest.fixture(scope="session")
def browser() -> "Iterator[Browser]":
    """Chromium, or a skip; CI sets WORKINGS_CI and does not let it skip."""
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


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """The 220B report, its sheet, a chapter and an entry as files, by what they are."""
    folder = tmp_path_factory.mktemp("pages")
    (folder / "chapter.md").write_text(CHAPTER, encoding="utf-8")
    html = Options(formats=("html",), directives=ROOT / "benchmarks")
    sheet = Options(formats=("html",), directives=ROOT / "benchmarks", sheet=True)
    texts = {
        "report": build(SOURCE, html)["report.html"],
        "sheet": build(SOURCE, sheet)["sheet.html"],
        "chapter": build(folder / "chapter.md", html)["report.html"],
        "entry": derivation_fragment(catalogue.get("fsdp-fits"), "html"),
    }
    for name, text in texts.items():
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
    return {name: folder / f"{name}.html" for name in texts}
