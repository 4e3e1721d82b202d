"""Debian's Chromium with the scripts of a live page in it."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from vectors import COMPOUND, Told

from workings.units import UNITS, parse_unit
from workings.values.javascript import tables

ROOT = Path(__file__).parents[2]
SCRIPTS = ROOT / "templates" / "html" / "live"
ENGINE = ("rational", "interval", "evaluate", "show", "work", "typeset", "mathml")


@pytest.fixture(scope="session")
def told() -> Iterator[Told]:
    """What the page's script makes of cases of one kind, all in one page."""
    path = shutil.which("chromium")
    if path is None and "WORKINGS_CI" not in os.environ:
        pytest.skip("chromium is not installed")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_page()
        for script in [*(SCRIPTS / f"{name}.js" for name in ENGINE), Path(__file__).with_name("told.js")]:
            page.add_script_tag(path=script)
        known = [parse_unit(text) for text in (*UNITS, *COMPOUND)]
        page.evaluate("tables => { Workings.tables = tables }", tables(known))
        yield lambda kind, cases: page.evaluate("([kind, cases]) => told(kind, cases)", [kind, cases])
        browser.close()
