"""A review in Chromium: a click leads from a number to its working, and points say what they are."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe
from opened import DESK, PHONE, opened

import workings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CLOSED = "document.querySelectorAll('details.section').forEach((one) => { one.open = false; })"
OPEN = "[...document.querySelectorAll('details.section[open] h2')].map((one) => one.textContent)"
ONLY = """(words) => document.querySelectorAll('details.section').forEach((one) => {
  one.open = one.querySelector('h2').textContent === words;
})"""
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("review") / "review.html"
    path.write_text(workings.review("llama3-8b-8").files(("html",))["review.html"], encoding="utf-8")
    return path


def test_it_says_nothing_asks_for_nothing_and_sticks_out_nowhere(browser: "Browser", page: Path) -> None:
    for size in (DESK, PHONE):
        with opened(browser, page, size) as found:
            assert (found.messages, found.requests) == ([], [page.as_uri()])
            assert found.page.evaluate(SIDEWAYS) <= 0


CROWDED = """
name = "DeepSeek-V3 on 2,048 H800"
[model]
preset = "deepseek-v3"
[cluster]
hardware = "h800-sxm-fp8"
devices = 2048
[launch]
pp = 16
ep = 64
dp = 128
batch = 15360
sequence_length = 4096
training_tokens = "14.8T"
[review]
decision = "Shall we reserve 2,048 H800 for the training of DeepSeek-V3?"
max_days = 90
max_cost = "5M"
min_mfu = 0.3
"""


def test_the_first_page_of_a_crowded_review_is_one_printed_page(
    browser: "Browser", tmp_path: Path
) -> None:
    """Refused on all four limits; on A4 and on letter paper."""
    (tmp_path / "job.toml").write_text(CROWDED, encoding="utf-8")
    path = tmp_path / "review.html"
    found = workings.review(tmp_path / "job.toml")
    assert found.verdict.about == ("memory", "days", "cost", "MFU")
    path.write_text(found.files(("html",))["review.html"], encoding="utf-8")
    with opened(browser, path) as shown:
        shown.page.evaluate(CLOSED)
        for paper in ("A4", "Letter"):
            assert shown.page.pdf(format=paper).count(b"/Type /Page\n") == 1


def test_everybody_can_use_it(browser: "Browser", page: Path) -> None:
    with opened(browser, page) as found:
        found.page.evaluate(CLOSED)
        for fold in ("", "Alternatives"):
            found.page.evaluate(ONLY, fold)
            result = Axe().run(found.page)
            assert result.violations_count == 0, result.generate_report()


@pytest.mark.parametrize("scripts", [True, False])
def test_a_click_on_a_number_opens_its_working(browser: "Browser", page: Path, scripts: bool) -> None:
    with opened(browser, page, scripts=scripts) as found:
        if scripts:
            found.page.evaluate(CLOSED)
        link = found.page.locator("#table-odds a[href='#eq-work-T-step']").first
        working = found.page.locator("#eq-work-T-step")
        assert not working.is_visible()
        link.click()
        working.wait_for()
        box = working.bounding_box()
        assert box is not None
        assert 0 <= box["y"] < DESK[1]
        if scripts:
            assert found.page.evaluate(OPEN) == ["Every figure worked"]


def test_a_point_is_named_under_the_pointer_and_by_the_keys(browser: "Browser", page: Path) -> None:
    with opened(browser, page) as found:
        points = found.page.locator("#figure-front .point")
        said = points.locator(".said")
        assert points.count() >= 3
        assert not any(said.nth(n).is_visible() for n in range(points.count()))
        points.last.locator(".dot").hover()
        assert said.last.is_visible()
        points.first.focus()
        found.page.mouse.move(2, 2)
        found.page.keyboard.press("Tab")
        assert [n for n in range(points.count()) if said.nth(n).is_visible()] == [1]


def test_what_is_printed_is_what_is_open(browser: "Browser", page: Path) -> None:
    with opened(browser, page) as found:
        found.page.evaluate(CLOSED)
        found.page.emulate_media(media="print")
        assert found.page.locator("#table-signatures").is_visible()
        assert not found.page.locator("details.section").first.is_visible()
        assert found.page.pdf(format="A4").count(b"/Type /Page\n") <= 3


def test_all_sections_open_at_once_to_be_printed(browser: "Browser", page: Path) -> None:
    with opened(browser, page) as found:
        found.page.evaluate(CLOSED)
        said = "getComputedStyle(document.querySelector('main'), '::after').content"
        found.page.emulate_media(media="print")
        assert "not printed" in found.page.evaluate(said)
        found.page.emulate_media(media="screen")
        found.page.get_by_role("button", name="Open all sections").click()
        assert found.page.evaluate("document.querySelectorAll('.section:not([open])').length") == 0
        found.page.emulate_media(media="print")
        assert found.page.evaluate(said) == "none"
