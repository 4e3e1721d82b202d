"""The 220B report as a live page at 500 random states: whether every line is Python's own, and how fast.

Run from the repository's root: `python benchmarks/live.py [STATES]`. Exits 1 where a line differs from
Python's page at the same values, where the page has a value for all that Python refuses, or where sliders
moved (500 times) do not give in the last line of part (b) what `workings solve` gives.

Times are taken when nothing else of this run is at work, on a page of their own: a first pass from one
state to the next, while the browser still compiles the script; a second pass from the page's own values;
and the frames in which sliders moved. Beside them the processor time of the page's thread, which other
work on the machine does not lengthen, and a ratio to reading the same page's HTML in the same browser.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "browser")]

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright  # noqa: E402 - after the path to the tests' own
from states import FAILS, SLID, beside, printed, slides, solved, states  # noqa: E402

SCRIPT, LAYOUT = 16, 100  # ms: the aims of 95 changes of 100
MOVES = 500  # of sliders
TIMED = """
(settings) => {
  const started = performance.now();
  Workings.set(settings);
  const written = performance.now();
  document.body.offsetHeight; // the browser lays the page out
  return [written - started, performance.now() - started];
}
"""
READ = """
(text) => {
  const started = performance.now();
  new DOMParser().parseFromString(text, "text/html");
  return performance.now() - started;
}
"""


class Asked(NamedTuple):
    """Settings, and Python's own page at them or the sentence with which it refuses them."""

    settings: dict[str, str]
    page: str
    sentence: str


def main(wanted: int) -> int:
    """Compare and time. The exit status."""
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = Path(folder) / "report.html"
        file.write_text(printed({})[0], encoding="utf-8")
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        with get_context("fork").Pool() as pool:
            asked = pool.imap(_asked, states(4 * wanted, seed=500))
            taken, differing = _compared(_opened(browser, file), asked, wanted)
        differing += _slid(_opened(browser, file))
        _time(_opened(browser, file), taken, file.read_text(encoding="utf-8"))
    return 1 if differing or len(taken) < wanted else 0


def _opened(browser: Browser, file: Path) -> Page:
    page = browser.new_page()
    page.goto(file.as_uri())
    page.wait_for_timeout(500)  # a reader looks before the first change
    return page


def _asked(settings: dict[str, str]) -> Asked:
    return Asked(settings, *printed(settings))


def _compared(page: Page, asked: Iterable[Asked], wanted: int) -> tuple[list[dict[str, str]], int]:
    """So many states that Python prints a page of; and how many, with those it refuses, differ."""
    taken: list[dict[str, str]] = []
    refused = alike = differing = 0
    for one in asked:
        if one.sentence:
            refused += 1
            found = page.evaluate(FAILS, one.settings)
            same = len(found) > 0
            alike += any(said.rstrip(".") in one.sentence for said in found)
        else:
            taken.append(one.settings)
            found = beside(page, one.settings, one.page)
            same = not (found["differ"] or found["wrong"])
        if not same:
            differing += 1
            print(one.settings, one.sentence, found)
        if len(taken) == wanted:
            break
    print(f"{len(taken)} states beside Python's own page, {refused} that it refuses and that have no")
    print(f"value on the page ({alike} in the same words): {differing} differ")
    return taken, differing


def _slid(page: Page) -> int:
    """How many moves of sliders give another last line of part (b) than `workings solve`."""
    times, differing, enough = [], 0, 0
    for moves in slides(MOVES, seed=95):
        found = page.evaluate(SLID, moves)
        times.append(found["time"])
        solutions = solved(found["settings"])
        enough += None not in solutions
        shown = [int(text.replace(",", "")) if text[:1].isdigit() else None for text in found["said"]]
        if shown != solutions:
            differing += 1
            print(moves, found, solutions)
    print(f"{MOVES} moves of sliders, {enough} to where a number of devices is enough: the last line of")
    print(f"part (b) differs from what `workings solve` gives in {differing}")
    _say("sliders moved: scripts of the frame", times, SCRIPT)
    return differing


def _time(page: Page, taken: list[dict[str, str]], text: str) -> None:
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def timed(settings: dict[str, str]) -> tuple[float, float, float]:
        """Script; script and layout; processor time of both and of asking, in ms."""
        before = _busy(session)
        script, layout = page.evaluate(TIMED, settings)
        return script, layout, _busy(session) - before

    first = [timed(settings) for settings in taken]
    second = []
    for settings in taken:
        timed({})
        second.append(timed(settings))
    read = _share([page.evaluate(READ, text) for _ in range(21)], 0.5)
    print(f"reading the page's HTML: {read:.1f} ms (half)")
    for name, found in (("first pass", first), ("second pass", second)):
        scripts, layouts, busy = zip(*found, strict=True)
        _say(f"{name}: script", scripts, SCRIPT, read)
        _say(f"{name}: script and layout", layouts, LAYOUT, read)
        _say(f"{name}: both, processor time", busy, LAYOUT)


def _busy(session: CDPSession) -> float:
    """Processor time of the page's thread so far, in ms."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return 1000 * {one["name"]: float(one["value"]) for one in metrics}["TaskDuration"]


def _say(what: str, times: Sequence[float], aim: float, read: float | None = None) -> None:
    half, most = _share(times, 0.5), _share(times, 0.95)
    ratio = "" if read is None else f"; {most / read:.2f} × reading"
    word = "met" if most <= aim else "MISSED"
    print(f"{what:36} {half:5.1f} ms (half), {most:5.1f} ms (95 of 100; aim ≤ {aim}, {word}{ratio})")


def _share(times: Sequence[float], share: float) -> float:
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else 500))
