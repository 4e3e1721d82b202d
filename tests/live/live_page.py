"""A page with the scripts of a live page in it."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from vectors import COMPOUND, Told

from workings.units import UNITS, parse_unit
from workings.values.javascript import tables

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).parents[2]
SCRIPTS = ROOT / "templates" / "html" / "live"
ENGINE = ("rational", "interval", "evaluate", "show", "work")


@pytest.fixture(scope="session")
def told(browser: "Browser") -> Told:
    """What the page's script makes of cases of one kind, all in one page."""
    page = browser.new_page()
    for script in [*(SCRIPTS / f"{name}.js" for name in ENGINE), Path(__file__).with_name("told.js")]:
        page.add_script_tag(path=script)
    known = [parse_unit(text) for text in (*UNITS, *COMPOUND)]
    page.evaluate("tables => { Workings.tables = tables }", tables(known))
    return lambda kind, cases: page.evaluate("([kind, cases]) => told(kind, cases)", [kind, cases])
