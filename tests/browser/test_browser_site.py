"""The site in Chromium, opened from the file system: found, read in other letters, moved, never noisy."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from opened import DESK, PHONE, opened

from workings import catalogue
from workings.catalogue.search import find
from workings.scenario import load_scenario
from workings.site.build import Made, Task, joined, pages
from workings.units import Format
from workings.values.worked import work

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SOME = (
    "index.html", "symbols.html", "chapters/collectives.html", "entries/ring-all-reduce.html",
    "entries/ring-all-reduce-time.html", "presets/hardware.html", "rules/lint.html", "rules/check.html",
    "guides/instructors.html", "guides/keys.html", "code/simulate-ring.html",
)  # fmt: skip
# What a page has hundreds of is read by axe-core a few times: symbols, rules, and long lists of links.
SAMPLED = """document.querySelectorAll(
  ".symbols > div:nth-child(n+12), h2:nth-of-type(n+12) ~ *, details li:nth-child(n+6)"
).forEach((one) => one.remove())"""
OWN = Path("benchmarks")  # directives of the report of the catalogue
ENTRY = "entries/ring-all-reduce.html"
QUESTIONS = (
    "how many bytes does an all-reduce send", "bytes of an all-gather", "pipeline bubble of 1F1B",
    "memory of Adam per parameter", "6ND", "when does FSDP hide its communication", "ring-all-reduce",
    "activation memory of a transformer layer", "how long does a reduce-scatter take", "mfu",
    "最优检查点间隔", "how many parameters with grouped-query attention", "batch size for fsdp",
    "ZeRO-3 memory per GPU", "what is the capital of France", "convolution stride", "tokens per expert",
    "allreduce over 2 levels", "Bytes one rank sends in a ring all-reduce", "chinchilla 20 tokens",
    "fsdp memory", "fsdp-memory", "FSDP memory per device", "Chinchilla-20",
)  # fmt: skip


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A chapter with its entries, and all pages of which there is one."""
    folder = tmp_path_factory.mktemp("site")
    made: list[Made] = [*pages(Task("chapter", "collectives", OWN)), *pages(Task("rest", "", OWN))]
    for name, text in joined(made).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_pages_say_nothing_and_ask_for_nothing_outside_of_their_folder(
    browser: "Browser", site: Path
) -> None:
    for name in SOME:
        with opened(browser, site / name) as found:
            found.page.locator(".search input").fill("bytes")
            found.page.wait_for_selector("#found a")
            assert found.messages == [], name
            assert all(one.startswith(site.as_uri()) for one in found.requests), name


def test_axe_finds_nothing_and_nothing_stands_out_sideways(browser: "Browser", site: Path) -> None:
    from axe_playwright_python.sync_playwright import Axe

    for number, name in enumerate(SOME):
        both = ((DESK, False), (PHONE, True))  # colours and sizes by turns: an entry in both
        for size, dark in both if name == ENTRY else (both[number % 2],):
            with opened(browser, site / name, size, dark=dark) as found:
                found.page.evaluate("dispatchEvent(new Event('resize'))")
                assert found.page.evaluate("document.documentElement.scrollWidth") <= size[0], name
                found.page.evaluate(SAMPLED)
                violations = Axe().run(found.page).response["violations"]
                told = [(v["id"], n["target"]) for v in violations for n in v["nodes"]]
                assert told == [], f"{name}, {size}"


def test_the_list_of_results_is_named_and_reachable_too(browser: "Browser", site: Path) -> None:
    from axe_playwright_python.sync_playwright import Axe

    with opened(browser, site / "index.html") as found:
        found.page.locator(".search input").fill(QUESTIONS[0])
        found.page.wait_for_selector("#found a")
        violations = Axe().run(found.page).response["violations"]
        assert [(v["id"], n["target"]) for v in violations for n in v["nodes"]] == []


# --- finding -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def asked(browser: "Browser", site: Path) -> Iterator[Any]:
    """What the site's search answers: the paths of entries, those of other pages, whether any is near."""
    with opened(browser, site / "index.html") as found:
        found.page.locator(".search input").fill("bytes")
        found.page.wait_for_selector("#found a")  # the index is there
        found.page.evaluate("globalThis.known = new Workings.Index(Workings.index)")
        yield lambda question: found.page.evaluate(
            """(question) => {
              const { near, called, entries, others } = known.find(question);
              const paths = (list) => list.slice(0, 8).map(({ page }) => Workings.index.pages[page][1]);
              return { near, called, entries: paths(entries), others: paths(others) };
            }""",
            question,
        )


def test_the_search_ranks_as_the_command_line_does(asked: Any) -> None:
    differing = {}
    for question in QUESTIONS:
        ours = [f"entries/{one.entry.id}.html" for one in find(question, 8)]
        theirs = asked(question)
        found = theirs["entries"][: len(ours)] if theirs["near"] else []
        if found != ours:
            differing[question] = (found, ours)
    assert differing == {}


def test_misspelt_and_unfinished_words_are_guessed(asked: Any) -> None:
    for question, entry in (
        ("how many bytes does an alreduce send", "ring-all-reduce"),
        ("bytes ring all-redu", "ring-all-reduce"),
        ("pipline buble of 1f1b", "one-f-one-b-bubble"),
        ("gradeint noise scael", "gradient-noise-scale"),
        ("chinchila", "compute-optimal-tokens"),
        ("seqence parallel gather", "sp-layer-bytes"),
    ):
        assert f"entries/{entry}.html" in asked(question)["entries"][:3], question


def test_another_page_that_is_called_so_comes_first(asked: Any) -> None:
    for question in ("percent", "Rule percent", "linked-ratio"):
        found = asked(question)
        assert found["called"], question
        assert found["others"][0] == f"rules/check.html#{question.split()[-1]}"
    assert not asked("ring-all-reduce")["called"]
    assert not asked("a percentage of the step")["called"]


def test_letters_presets_rules_and_guides_are_found_too(asked: Any) -> None:
    for question, path in (
        ("d_model", "symbols.html#d_model"), ("h100", "presets/hardware.html#h100-sxm"),
        ("llama3-70b", "presets/models.html#llama3-70b"),
        ("world-divides", "rules/lint.html#world-divides"),
        ("grade hand-ins", "guides/checking.html#grade-hand-ins"),
        ("collectives", "chapters/collectives.html"),
    ):  # fmt: skip
        assert path in asked(question)["others"][:3], question


def test_names_of_the_language_itself_are_no_words_of_the_index(asked: Any) -> None:
    for question in (
        "constructor",
        "__proto__",
        "toString valueOf",
        "<script>alert(1)</script>",
        "'\"\\",
    ):
        assert isinstance(asked(question)["entries"], list)


def test_a_new_user_finds_the_bytes_of_an_all_reduce_and_changes_its_ranks(
    browser: "Browser", site: Path
) -> None:
    with opened(browser, site / "index.html") as found:
        page = found.page
        page.keyboard.press("/")
        page.keyboard.type(QUESTIONS[0])
        page.wait_for_selector("#found a")
        page.keyboard.press("Enter")
        page.wait_for_url("**/ring-all-reduce.html")
        page.get_by_label("ranks in the group", exact=False).first.fill("48")
        last = page.locator(".worked .step").last
        page.wait_for_selector(".input.changed")
        done = work(catalogue.get("ring-all-reduce"), load_scenario("gpt3-512"), None, Format(digits=4),
                    shared={"group": "48", "message": "1 GB"})  # fmt: skip
        sign = "=" if done.exact else "≈"
        wanted = f"{sign}{done.shown.number}{done.shown.unit}"
        assert "".join(str(last.text_content()).split()) == wanted
        page.wait_for_url(re.compile("letters[.]group=48"))  # once a change has stayed
        assert found.messages == []


def test_results_are_reached_by_keys_and_left_by_escape(browser: "Browser", site: Path) -> None:
    with opened(browser, site / "entries" / "ring-all-gather.html") as found:
        page = found.page
        page.keyboard.press("/")
        page.keyboard.type("all-reduce")
        page.wait_for_selector("#found a")
        first = page.locator("[aria-selected=true]").get_attribute("id")
        page.keyboard.press("ArrowDown")
        second = page.locator("[aria-selected=true]").get_attribute("id")
        assert first != second
        assert page.locator(".search input").get_attribute("aria-activedescendant") == second
        page.keyboard.press("Escape")
        assert not page.locator("#found").is_visible()


def test_one_row_is_chosen_by_keys_and_by_pointer_alike(browser: "Browser", site: Path) -> None:
    with opened(browser, site / "index.html") as found:
        page = found.page
        page.locator(".search input").fill("all-reduce")
        page.wait_for_selector("#found a")
        third = page.locator("#found a").nth(2)
        third.hover()
        third.hover(position={"x": 9, "y": 9})  # moved, not only under what came
        assert page.locator("[aria-selected=true]").get_attribute("id") == third.get_attribute("id")
        page.keyboard.press("ArrowDown")
        chosen = page.locator("[aria-selected=true]").get_attribute("id")
        assert chosen == page.locator("#found a").nth(3).get_attribute("id")
        marked = page.evaluate(
            "[...document.querySelectorAll('#found a')]"
            ".filter((one) => getComputedStyle(one).boxShadow !== 'none').length"
        )
        assert marked == 1


# --- a narrow screen ---------------------------------------------------------------------------


def test_on_a_phone_the_bar_is_one_line_and_its_menu_is_worked_by_keys(
    browser: "Browser", site: Path
) -> None:
    with opened(browser, site / ENTRY, PHONE) as found:
        page = found.page
        bar = page.locator(".bar").bounding_box()
        assert bar is not None
        assert bar["height"] < 60
        assert not page.locator(".ways").is_visible()
        page.locator(".search input").focus()
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        assert page.locator(".menu").get_attribute("aria-expanded") == "true"
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.localName") == "select"  # letters
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "Formulas"
        page.keyboard.press("Escape")
        assert not page.locator(".ways").is_visible()
        assert page.evaluate("document.activeElement.className") == "menu"
        assert found.messages == []


def test_axe_finds_nothing_in_the_menu_and_in_the_filtered_symbols(
    browser: "Browser", site: Path
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    with opened(browser, site / "symbols.html", PHONE, dark=True) as found:
        found.page.locator(".filter input").fill("alpha")
        found.page.locator(".menu").click()
        violations = Axe().run(found.page).response["violations"]
        assert [(v["id"], n["target"]) for v in violations for n in v["nodes"]] == []


# --- symbols -----------------------------------------------------------------------------------


def test_symbols_are_filtered_by_letter_and_by_words(browser: "Browser", site: Path) -> None:
    with opened(browser, site / "symbols.html") as found:
        page = found.page
        shown = page.locator(".symbols > div:visible")
        all_of_them = shown.count()
        page.locator(".filter input").fill("W")
        letters = shown.locator("dt").all_text_contents()
        assert 1 < shown.count() < all_of_them
        assert all(text.startswith("W") for text in letters)
        page.locator(".filter input").fill("ranks GROUP")
        assert shown.count() > 0
        assert all("ranks" in text and "group" in text for text in shown.all_inner_texts())
        assert f"{shown.count()} of {all_of_them} symbols" in page.locator(".filter").inner_text()
        page.evaluate("location.hash = '#d_model'")
        page.wait_for_selector("#d_model:visible")  # what an address names is shown


# --- letters -----------------------------------------------------------------------------------


def test_letters_of_a_notation_stay_chosen_from_page_to_page(browser: "Browser", site: Path) -> None:
    with opened(browser, site / "entries" / "ring-all-reduce-time.html") as found:
        page, first = found.page, found.page.locator("main .takeaway math").first
        own = first.text_content()
        page.locator(".letters select").select_option("lecture")
        assert "p" in str(first.text_content())  # the group
        assert "N" not in str(first.text_content())
        page.goto((site / "entries" / "ring-all-reduce.html").as_uri())
        assert "N" not in str(page.locator("main .takeaway math").first.text_content())
        page.get_by_label("ranks in the group", exact=False).first.fill("48")
        page.wait_for_selector(".input.changed")
        assert "48" in str(page.locator(".worked .steps").text_content())
        page.go_back()
        page.locator(".letters select").select_option("")
        assert page.locator("main .takeaway math").first.text_content() == own
        page.locator(".letters select").select_option("lecture")
        page.goto((site / "chapters" / "collectives.html").as_uri())
        assert "p" in str(page.locator("main li math").first.text_content())
        page.goto((site / "guides" / "keys.html").as_uri())
        assert not page.locator(".letters").is_visible()
        assert found.messages == []


def test_the_address_shares_the_letters_and_what_is_set(browser: "Browser", site: Path) -> None:
    with opened(browser, site / ENTRY) as found:
        page = found.page
        page.locator(".letters select").select_option("lecture")
        page.get_by_label("ranks in the group", exact=False).first.fill("48")
        page.wait_for_url(re.compile("letters[.]group=48"))
        shared = page.url
        assert "?letters=lecture" in shared
    with opened(browser, site / ENTRY) as found:  # somebody else, who has chosen nothing
        assert "N" in str(found.page.locator("main .takeaway math").first.text_content())
        found.page.goto(shared)
        assert "N" not in str(found.page.locator("main .takeaway math").first.text_content())
        assert found.page.get_by_label("ranks in the group", exact=False).first.input_value() == "48"
        found.page.goto(f"{(site / ENTRY).as_uri()}?letters=<b>nobody</b>")
        assert "“<b>nobody</b>”" in str(found.page.locator("main > .set").first.text_content())
        assert found.messages == []


def test_a_letter_says_what_it_means_in_every_notation(browser: "Browser", site: Path) -> None:
    with opened(browser, site / "entries" / "ring-all-reduce-time.html") as found:
        page = found.page
        page.locator(".letters select").select_option("lecture")
        rows = page.locator("#in-letters + figure tbody tr")
        for number in range(rows.count()):
            letter, meaning = rows.nth(number).locator("th, td").all_inner_texts()[:2]
            rows.nth(number).locator("math").first.hover()
            assert meaning.lower() in str(page.locator("#meaning").text_content()).lower(), letter


def test_without_scripts_a_page_is_complete_in_its_own_letters(browser: "Browser", site: Path) -> None:
    with opened(browser, site / "entries" / "ring-all-reduce.html", scripts=False) as found:
        assert not found.page.locator(".search").is_visible()
        assert not found.page.locator(".letters").is_visible()
        assert "1.75" in found.page.locator("main").inner_text()
        assert found.page.locator(".crumbs a").count() == 3
