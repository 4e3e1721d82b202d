"""The controls of a live page: what they say of what is set, what cannot be, and what does not follow."""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from opened import DESK, PHONE, opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

MEMORY = "#input-hardware-memory"
BLOCKS = "#input-model-blocks"
FITS = "#eq-fsdp-fits-worked"
MARK = "(one) => getComputedStyle(one, '::after').content"


@pytest.fixture
def page(browser: "Browser", made: Mapping[str, Path]) -> "Iterator[Page]":
    """The 220B report, opened."""
    with opened(browser, made["report"], (1440, 900)) as found:
        yield found.page
        assert found.messages == []


def at(page: "Page", made: Mapping[str, Path], address: str) -> None:
    page.goto(f"{made['report'].as_uri()}{address}")
    page.reload()


def test_words_that_state_a_number_are_marked_while_something_is_changed(page: "Page") -> None:
    close = page.locator("p", has_text="so close to a whole number")
    rule = page.locator("p", has_text="Devices come in whole numbers")
    caption = page.locator("figcaption", has_text="no room for the blocks at work")
    verdicts = page.locator("figcaption", has_text="Parts (a) and (b)")
    marked = [close, caption, verdicts, page.locator("h3", has_text="The best mesh of 64 chips")]
    assert {one.evaluate(MARK) for one in (*marked, rule)} == {"none"}
    own = close.evaluate("(one) => getComputedStyle(one).color")
    page.locator(MEMORY).fill("120 GB")
    page.clock.run_for(300)
    assert all("†" in one.evaluate(MARK) for one in marked)
    assert rule.evaluate(MARK) == "none"
    assert close.get_attribute("title") == "Written at the page's own values"
    assert close.evaluate("(one) => getComputedStyle(one).color") != own
    assert close.locator(".live").evaluate("(one) => getComputedStyle(one).color") == own
    assert "Words marked † were written at the page's own values" in page.inner_text(".set")
    page.locator(MEMORY).fill("95 GB")
    page.clock.run_for(300)
    assert {one.evaluate(MARK) for one in marked} == {"none"}
    assert not page.locator(".set").is_visible()


def test_names_of_bars_and_captions_follow(page: "Page") -> None:
    bars = page.locator("svg", has_text="284 devices")
    page.evaluate("Workings.set({'hardware.memory': '120 GB'})")
    assert bars.count() == 0
    fits = page.locator("p", has_text="devices are needed, not").locator(".live").all_inner_texts()
    names = page.locator("figure.drawn").first.locator("text[text-anchor=end]").all_text_contents()
    assert names == ["120 devices", f"{fits[1]} devices", f"{fits[0]} devices"]
    assert (
        f"At {fits[1]} devices there is no room"
        in page.locator("figure.drawn figcaption").first.inner_text()
    )


def test_numbers_are_stale_while_a_field_holds_what_cannot_be_read(page: "Page") -> None:
    line = page.locator(f"{FITS} .steps")
    own = line.evaluate("(one) => getComputedStyle(one).color")
    status = page.locator(".inputs [role=status]")

    def stale() -> bool:
        return bool(line.evaluate("(one) => getComputedStyle(one).color") != own)

    for mend in ("type", "reset"):
        page.locator(MEMORY).fill("120")
        page.clock.run_for(300)
        assert stale()
        assert status.inner_text() == "What is typed cannot be used: the numbers stay as they were."
        assert "memory of one device: “120” cannot be used" in page.inner_text(".set")
        if mend == "type":
            page.locator(MEMORY).fill("95 GB")
        else:
            page.get_by_role("button", name="The page's own values").click()
        page.clock.run_for(300)
        assert not stale()
        assert status.inner_text() == ""
        assert page.locator(MEMORY).input_value() == "95 GB"


def test_what_another_input_mends_is_read_again(page: "Page") -> None:
    stages = page.locator("#input-layout-pp")
    stages.fill("127")
    assert stages.get_attribute("aria-invalid") == "true"
    page.locator(BLOCKS).fill("254")
    page.clock.run_for(300)
    assert stages.get_attribute("aria-invalid") is None
    assert page.locator("html.unread").count() == 0
    assert "pipeline stages = 127" in page.inner_text(".set")


def test_what_an_address_sets_and_no_input_is_is_said_and_the_rest_counts(
    page: "Page", made: Mapping[str, Path]
) -> None:
    at(page, made, "#?<img+src%3Dx>=1&hardware.memory=120+GB&foo=2&hardware.memory=3+GB&%E0%A4%A=1")
    said = page.inner_text(".set")
    for name in ("<img src=x>", "foo"):
        assert f"The address sets “{name}”, which is no input of this page" in said
    assert "The address sets hardware.memory twice: the first counts." in said
    assert page.locator(MEMORY).input_value() == "120 GB"
    assert page.locator("img").count() == 0
    page.get_by_role("button", name="The page's own values").click()
    page.clock.run_for(300)
    assert not page.locator(".set").is_visible()


def test_what_an_address_sets_and_cannot_be_read_stands_in_its_field(
    page: "Page", made: Mapping[str, Path]
) -> None:
    at(page, made, "#?hardware.memory=120&model.blocks=64")
    assert page.locator(MEMORY).input_value() == "120"
    assert page.inner_text(f"{MEMORY}-said") == "120 needs a unit: write 120 GB."
    assert page.locator(BLOCKS).input_value() == "64"
    assert page.locator("html.unread").count() == 1


def test_a_group_that_holds_what_is_changed_is_open_and_says_so(
    browser: "Browser", made: Mapping[str, Path]
) -> None:
    for address, opens in (("", False), ("#?model.blocks=64", True), ("#?model.blocks=x", True)):
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        page = context.new_page()
        page.goto(f"{made['report'].as_uri()}{address}")
        group = page.locator(".group", has=page.locator(BLOCKS))
        assert (group.get_attribute("open") is not None) is opens
        assert (group.locator("summary").evaluate(MARK) != "none") is opens
        assert page.locator(BLOCKS).is_visible() is opens
        context.close()


def test_an_address_leads_to_a_folded_equation_at_what_it_sets(
    browser: "Browser", made: Mapping[str, Path]
) -> None:
    context = browser.new_context(viewport={"width": PHONE[0], "height": PHONE[1]})
    page = context.new_page()
    page.clock.install()
    page.goto(f"{made['report'].as_uri()}#eq-fsdp-fits?hardware.memory=120+GB")
    page.clock.run_for(300)
    assert page.locator("#eq-fsdp-fits").is_visible()
    assert page.locator("#eq-fsdp-fits").evaluate(
        "(one) => Math.abs(one.getBoundingClientRect().top) < 200"
    )
    assert "120 GB" in " ".join(page.inner_text(FITS).split())
    context.close()


def copied(page: "Page", equation: str, kind: str) -> str:
    """What is copied of an equation in one form."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    block = page.locator(equation)
    block.locator(".copy > summary").click()
    block.get_by_role("button", name=kind).click()
    block.locator("button[data-words]", has_text="Copied").last.wait_for()
    page.keyboard.press("Escape")
    return str(page.evaluate("navigator.clipboard.readText()"))


def ran(python: str) -> str:
    """What the last line of a text of Python gives."""
    *before, last = python.split("\n")
    done = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", "\n".join([*before, f"print({last})"])],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout.strip()


def test_the_python_that_is_copied_gives_the_number_of_the_page_at_what_is_set(page: "Page") -> None:
    for settings in ({}, {"hardware.memory": "120 GB", "model.blocks": "64"}):
        page.evaluate(f"Workings.set({json.dumps(settings)})")
        last = page.locator(f"{FITS} .step:last-child").inner_text().split()[-1]
        found = ran(copied(page, FITS, "Python"))
        assert found.endswith(f" {last}"), (settings, found, last)


def test_a_formula_that_does_not_apply_is_copied_without_an_empty_line(page: "Page") -> None:
    page.evaluate("Workings.set({'hardware.memory': '70 GB'})")
    assert copied(page, FITS, "LaTeX").splitlines()[1:-1] == ["N &\\text{does not apply here}"]
    plain = copied(page, FITS, "Plain text")
    assert plain.startswith("fsdp-fits does not apply: it needs M_max > A/2 (here M_max = 70 GB")
    page.evaluate("Workings.set({})")
    assert copied(page, FITS, "LaTeX").splitlines()[1].startswith("N &>")


def test_a_link_to_the_page_as_it_is_set_is_copied_and_said(page: "Page") -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator(MEMORY).fill("120 GB")
    page.clock.run_for(20)  # before the address is written by itself
    page.get_by_role("button", name="Copy link").click()
    page.get_by_role("button", name="Copied").wait_for()
    assert page.locator("body > [role=status]").inner_text() == "Copy link: Copied"
    assert page.evaluate("navigator.clipboard.readText()").endswith("#?hardware.memory=120+GB")


def test_nothing_hinders_who_cannot_see_while_a_field_cannot_be_read(
    browser: "Browser", made: Mapping[str, Path]
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    for size, dark in ((DESK, False), (PHONE, True)):
        with opened(browser, made["report"], size, dark=dark) as found:
            found.page.evaluate("Workings.set({'hardware.memory': '120', 'model.blocks': '64'})")
            found.page.locator(BLOCKS).fill("64")
            found.page.clock.run_for(400)
            violations: Any = Axe().run(found.page).response["violations"]
            assert [(one["id"], one["nodes"][0]["html"][:200]) for one in violations] == []
            assert found.page.evaluate("document.documentElement.scrollWidth") <= size[0]
            assert found.page.locator(".copy > summary").first.evaluate(
                "(one) => getComputedStyle(one).opacity"
            ) == "1"  # fmt: skip
