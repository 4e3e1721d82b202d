"""Pages as Chromium shows them: nothing said, nothing fetched, nothing lost, nothing sticking out."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from documents import build_text
from opened import DESK, PHONE, opened

from workings.document.blocks import DisplayLine, Math, Number
from workings.document.read import read_document
from workings.render.reports import Options

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).parents[2]
PAGES = ("report", "sheet", "chapter", "entry", "handout", "handout-sheet")
page = pytest.mark.parametrize("name", PAGES)

SIDEWAYS = "document.documentElement.scrollWidth"
# Formulas that stick out of what holds them, or are held by what scrolls and no key can reach.
OUT = """
[...document.querySelectorAll("math")].filter((math) => {
  const held = math.closest(".formula, .scroll, .left, .reason, dt, p, li, h1, h2, h3, figcaption");
  const box = math.getBoundingClientRect(), room = held.getBoundingClientRect();
  const scrolls = held.scrollWidth > held.clientWidth + 1;
  const reachable = scrolls && held.matches(".formula, .scroll") && held.tabIndex === 0;
  return !reachable && (box.right > room.right + 1.5 || box.left < room.left - 1.5);
}).map((math) => [math.textContent, math.parentElement.className])
"""
# Lines that do not fit beside or above their reasons.
LINES = """
[...document.querySelectorAll(".formula")].filter((one) => one.scrollWidth > one.clientWidth + 1)
  .map((one) => one.textContent)
"""


@page
def test_a_page_says_nothing_and_asks_for_nothing(
    name: str, browser: "Browser", made: Mapping[str, Path]
) -> None:
    with opened(browser, made[name]) as found:
        found.page.clock.run_for(50)
        assert found.messages == []
        assert found.requests == [made[name].as_uri()]


def pieces(value: Any) -> Iterator[Any]:
    """Everything a document holds, also what lines and cells hold."""
    if isinstance(value, tuple):
        for one in value:
            yield from pieces(one)
    elif is_dataclass(value):
        yield value
        for part in fields(value):
            yield from pieces(getattr(value, part.name))


def test_there_are_as_many_formulas_as_the_document_holds(
    browser: "Browser", made: Mapping[str, Path]
) -> None:
    source = ROOT / "reports" / "xxl-220b" / "source.md"
    for name in ("report", "sheet"):
        document, _ = read_document(source, sheet=name == "sheet", directives=ROOT / "benchmarks")
        held = list(pieces((document.title, document.blocks)))
        lines = [one for one in held if isinstance(one, DisplayLine)]
        inline = sum(
            isinstance(one, Math) or (isinstance(one, Number) and "e" in one.number) for one in held
        )
        with opened(browser, made[name]) as found:
            shown = found.page.evaluate(
                "document.querySelectorAll('main :not(.notation *) > math').length"
            )
        assert shown == inline + len(lines) + sum(one.left is not None for one in lines)


@page
def test_no_formula_sticks_out_and_on_a_desk_none_scrolls(
    name: str, browser: "Browser", made: Mapping[str, Path]
) -> None:
    for size in (DESK, PHONE):
        with opened(browser, made[name], size) as found:
            found.page.evaluate("dispatchEvent(new Event('resize'))")
            assert found.page.evaluate(OUT) == []
            assert found.page.evaluate(SIDEWAYS) <= size[0]
            if size == DESK:
                assert found.page.evaluate(LINES) == []


def test_what_scrolls_cuts_no_slanted_letter(browser: "Browser", made: Mapping[str, Path]) -> None:
    with opened(browser, made["report"]) as found:
        lines = found.page.locator("#eq-model-state .steps")
        held = lines.screenshot()
        lines.locator(".formula").evaluate_all(
            "(all) => { for (const one of all) one.style.overflow = 'visible' }"
        )
        assert lines.screenshot() == held


@pytest.mark.parametrize("name", [*PAGES, "every"])
def test_axe_finds_nothing_in_light_or_dark_on_a_desk_or_a_phone(
    name: str, browser: "Browser", made: Mapping[str, Path]
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    # Colours are those of a page with a block of every kind; on the longest they take a minute.
    short = name in ("entry", "every", "handout", "handout-sheet")
    ways = ((False, DESK), (True, DESK), (False, PHONE)) if short else ((False, DESK),)
    options = {"resultTypes": ["violations"], "rules": {"color-contrast": {"enabled": short}}}
    for dark, size in ways:
        with opened(browser, made[name], size, dark=dark) as found:
            found.page.evaluate("dispatchEvent(new Event('resize'))")
            violations = Axe().run(found.page, options=options).response["violations"]
            told = [(v["id"], n["target"], n["failureSummary"]) for v in violations for n in v["nodes"]]
            assert told == [], f"{name}, dark {dark}, {size}: {told[:3]}"


def test_without_scripts_all_of_a_page_is_there(browser: "Browser", made: Mapping[str, Path]) -> None:
    for name in PAGES:
        with opened(browser, made[name], scripts=False) as found:
            assert found.messages == []
            assert found.page.locator(".copy, .all").count() == 0
            assert found.page.locator("button, input").count() == 0
            assert found.page.locator("main").inner_text()


def test_a_link_to_an_equation_inside_a_folded_solution_opens_it(
    browser: "Browser", made: Mapping[str, Path]
) -> None:
    with opened(browser, made["report"], scripts=False) as found:
        target = found.page.locator("#eq-fsdp-fits")
        assert not target.is_visible()
        found.page.goto(f"{made['report'].as_uri()}#eq-fsdp-fits")
        assert target.is_visible()


def test_every_link_within_a_page_leads_somewhere_and_ids_are_given_once(
    browser: "Browser", made: Mapping[str, Path]
) -> None:
    for name in PAGES:
        with opened(browser, made[name]) as found:
            ids = found.page.evaluate("[...document.querySelectorAll('[id]')].map((one) => one.id)")
            links = found.page.evaluate(
                "[...document.querySelectorAll('a[href^=\"#\"]')].map((one) => one.getAttribute('href'))"
            )
        assert len(ids) == len(set(ids))
        assert {link[1:] for link in links} <= set(ids)


def test_copying_gives_latex_plain_text_and_python(browser: "Browser", made: Mapping[str, Path]) -> None:
    with opened(browser, made["report"]) as found:
        found.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        block = found.page.locator("#eq-fsdp-memory")
        block.hover()
        block.locator(".copy > summary").click()
        copied = {}
        for kind in ("LaTeX", "Plain text", "Python"):
            block.get_by_role("button", name=kind).click()
            block.get_by_role("button", name="Copied").wait_for()
            copied[kind] = found.page.evaluate("navigator.clipboard.readText()")
            block.get_by_role("button", name=kind).wait_for()
    assert copied["LaTeX"].startswith("\\begin{aligned}\nM &= \\frac{S}{N}")
    assert copied["Plain text"].splitlines()[0] == "M = S/N + (A/2)/N + A/2"
    assert copied["Python"] == "M = (S + A/2)/N + A/2"


def test_a_letter_under_the_pointer_says_what_it_means(
    browser: "Browser", made: Mapping[str, Path]
) -> None:
    with opened(browser, made["report"]) as found:
        found.page.locator("#eq-fsdp-memory .formula math mi", has_text="S").first.hover()
        told = found.page.locator("#meaning")
        assert told.inner_text() == (
            "model state of a feed-forward model: weights, gradients, AdamW moments (byte)"
        )
        found.page.locator("h1").hover()
        assert not told.is_visible()


def test_print_has_everything_and_nothing_to_press(browser: "Browser", made: Mapping[str, Path]) -> None:
    with opened(browser, made["report"], scripts=False) as found:
        found.page.emulate_media(media="print")
        assert found.page.locator("#eq-fsdp-fits").is_visible()
        assert not found.page.locator("nav").is_visible()
        paper = found.page.pdf(format="A4")
        assert paper.startswith(b"%PDF")


def test_a_printed_sheet_has_lines_to_write_on_that_go_on_on_the_next_page(
    browser: "Browser", made: Mapping[str, Path]
) -> None:
    with opened(browser, made["sheet"]) as found:
        found.page.emulate_media(media="print")
        rows = found.page.evaluate(
            "[...document.querySelectorAll('.room > div')].map((one) => [one.offsetHeight,"
            " getComputedStyle(one).borderBottomStyle,"
            " getComputedStyle(one.closest('.question')).breakInside])"
        )
        assert len(rows) > 60
        assert {tuple(row) for row in rows} == {(28, "solid", "auto")}
        assert found.page.pdf(format="A4").count(b"/Type /Page\n") <= 5


ATTACKS = (
    "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "' onmouseover='alert(1)",
    "</title></style></script><script>alert(1)</script>", "<svg/onload=alert(1)>", "]]><!-- -->",
    "&lt;b&gt; &amp;", "javascript:alert(1)", "${alert(1)}", "\u202eevil",
    "<math><mi xlink:href=javascript:alert(1)>",
)  # fmt: skip
HOSTILE = """
## {words}

{words}

- {words}

> {words}

`````{{question}} {words}
x

```{{note}} {words}
y
```

````{{part}} {words}
z

```{{answer}} model-state
:words: {words}
```
````
`````

```{{worked}} fsdp-memory N=156
:label: {label}
```

```{{table}}
caption = {quoted}
[[column]]
title = {quoted}
key = "n"
[[row]]
n = {quoted}
```

```{{figure}} memory
caption = {quoted}
[[bar]]
name = {quoted}
[[bar.part]]
name = {quoted}
id = "model-state"
```
"""


def test_hostile_text_stays_text(browser: "Browser", tmp_path: Path) -> None:
    harmless = 0
    for number, attack in enumerate(("words", *ATTACKS)):
        typed = "".join(f"\\{sign}" if sign in "\\`*_[]<>$&!#" else sign for sign in attack)
        quoted = json.dumps(typed, ensure_ascii=False)
        text = HOSTILE.format(words=typed, quoted=quoted, label=f"l{number}")
        front = f'+++\ntitle = {quoted}\nscenario = "xxl-220b"\n+++\n'
        folder = tmp_path / str(number)
        folder.mkdir()
        path = folder / "report.html"
        path.write_text(
            build_text(folder, text, front, Options(formats=("html",)))["report.html"], "utf-8"
        )
        with opened(browser, path) as found:
            assert (found.messages, found.requests) == ([], [path.as_uri()])
            harmless = harmless or found.page.locator("script").count()
            assert found.page.title() == attack
            assert found.page.locator("h1").inner_text() == attack
            assert attack in found.page.locator("h2").last.inner_text()
            assert found.page.locator("script").count() == harmless
            assert found.page.locator("img, iframe, object, embed, form, base, link").count() == 0
            assert found.page.evaluate(
                "[...document.querySelectorAll('*')].flatMap((one) => one.getAttributeNames())"
                ".filter((name) => name.startsWith('on') || name === 'style')"
            ) == []  # fmt: skip
