"""A page with the scripts of a live page in it."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from live_vectors import COMPOUND, Told

from workings.render.html_view import SCRIPTS
from workings.units import UNITS, parse_unit
from workings.values.javascript import tables

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "templates" / "html" / "live"
ENGINE = SCRIPTS[: SCRIPTS.index("page")]


@pytest.fixture(scope="session")
def told(browser: "Browser") -> Told:
    """What the page's script makes of cases of one kind, all in one page."""
    page = browser.new_page()
    for script in [*(FOLDER / f"{name}.js" for name in ENGINE), Path(__file__).with_name("told.js")]:
        page.add_script_tag(path=script)
    known = [parse_unit(text) for text in (*UNITS, *COMPOUND)]
    page.evaluate("tables => { Workings.tables = tables }", tables(known))
    # As text both ways: playwright is slow at lists of lists.
    run = "([kind, cases]) => JSON.stringify(told(kind, JSON.parse(cases)))"
    return lambda kind, cases: json.loads(page.evaluate(run, [kind, json.dumps(cases)]))
