"""The 220B report as a live page at 500 random states: whether every line is Python's own, and how fast.

Run from the repository's root: `python benchmarks/live.py [STATES]`. Exits 1 where a line differs.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "browser")]

from playwright.sync_api import Page, sync_playwright  # noqa: E402 - after the path to the tests' own
from states import beside, printed, states  # noqa: E402

LAYOUT = """
(settings) => {
  const started = performance.now();
  Workings.set(settings);
  document.body.offsetHeight; // the browser lays the page out
  return performance.now() - started;
}
"""


def main(wanted: int) -> int:
    """Compare and time. The exit status."""
    with get_context("fork").Pool(2) as pool, TemporaryDirectory() as folder:
        file = Path(folder) / "report.html"
        file.write_text(printed({})[0], encoding="utf-8")
        pages = pool.imap(_page, states(4 * wanted, seed=500), chunksize=4)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path="/usr/bin/chromium", args=["--no-sandbox"]
            )
            page = browser.new_page()
            page.goto(file.as_uri())
            return _report(page, islice((one for one in pages if one[1]), wanted))


def _page(settings: dict[str, str]) -> tuple[dict[str, str], str]:
    return settings, printed(settings)[0]


def _report(page: Page, pages: Iterator[tuple[dict[str, str], str]]) -> int:
    scripts, layouts, differing = [], [], 0
    for settings, text in pages:
        found = beside(page, settings, text)
        if found["differ"] or found["wrong"]:
            differing += 1
            print(settings, found)
        scripts.append(found["time"])
        page.evaluate("Workings.set({})")
        layouts.append(page.evaluate(LAYOUT, settings))
    nearest = partial(_share, share=0.95)
    print(f"{len(scripts)} states, {differing} of them differ from Python's own page")
    print(f"script: {nearest(scripts):.1f} ms (95 of 100), {_share(scripts, 0.5):.1f} ms (half)")
    print(
        f"script and layout: {nearest(layouts):.1f} ms (95 of 100), {_share(layouts, 0.5):.1f} ms (half)"
    )
    return 1 if differing or not scripts else 0


def _share(times: list[float], share: float) -> float:
    return sorted(times)[min(len(times) - 1, int(len(times) * share))]


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else 500))
