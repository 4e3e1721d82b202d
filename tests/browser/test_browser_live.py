"""A live page in Chromium: what a reader sets, every number follows, as Python's own page has it."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

import pytest
from documents import source_in
from opened import DESK, PHONE, opened
from states import FAILS, SLID, beside, printed, slides, solved, states

from workings import catalogue
from workings.scenario import load_scenario
from workings.values.worked import work

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

EXPANDED = """
```{worked} fsdp-smallest-n
:expand:
```

```{worked} fsdp-memory batch=2
:expand:
:digits: 6
```

```{worked} split-matmul-flops D=64 t=8
:expand:
```

```{worked} compute-bound-sequences
:expand:
```
"""
MEMORY = "#input-hardware-memory"
BLOCKS = "#input-model-blocks"
LAST = "#eq-fsdp-working-fits-worked .step:last-child"
# What stands at each place that follows, but for the marks of words around it that do not.
LIVE = """[...document.querySelectorAll('[data-live]')].map((one) => {
  return one.outerHTML.replaceAll(/ title="Written at[^"]*"/g, "");
})"""
WRITTEN = f"""
(settings) => {{
  const all = [...document.querySelectorAll("[data-live]")];
  const before = {LIVE};
  const seen = new MutationObserver(() => {{}});
  seen.observe(document.querySelector("main"), {{ childList: true, characterData: true, subtree: true }});
  Workings.set(settings);
  const after = {LIVE};
  const changed = all.map((_, place) => place).filter((place) => before[place] !== after[place]);
  const written = new Set(); // also what holds it; not the line that says what is set
  for (const {{ target }} of seen.takeRecords())
    all.forEach((one, place) => {{ if (one.contains(target)) written.add(place); }});
  return [changed, [...written].sort((a, b) => a - b)];
}}
"""
# Together they move nearly every number of the page.
AWAY = (
    {"hardware.memory": "96 GB", "hardware.compute": "1e15 FLOP/s", "hardware.link_one_way": "450 GB/s",
     "model.blocks": "64", "model.d_ff": "65_536", "model.d_model": "8192", "layout.fsdp": "8"},
    {"training.batch": "2", "training.sequence_length": "4096", "training.activation_width": "4 byte",
     "training.gather_width": "4 byte", "training.gradient_width": "2 byte", "layout.tp": "2",
     "training.master_width": "2 byte", "training.reduce_width": "4 byte"},
    {"hardware.memory": "70 GB"},
    {"layout.fsdp_axes": "1"},
)  # fmt: skip


@pytest.fixture
def page(browser: "Browser", made: Mapping[str, Path]) -> "Iterator[Page]":
    """The 220B report, opened."""
    with opened(browser, made["report"], (1440, 900)) as found:
        yield found.page
        assert found.messages == []


def test_back_at_the_page_s_own_values_the_script_writes_what_python_wrote(
    page: "Page", made: Mapping[str, Path]
) -> None:
    text, own = made["report"].read_text(encoding="utf-8"), page.evaluate(LIVE)
    written = set()
    for settings in AWAY:
        page.evaluate("(settings) => Workings.set(settings)", settings)
        there = page.evaluate(LIVE)
        written |= {place for place, (old, new) in enumerate(zip(own, there, strict=True)) if old != new}
        found = beside(page, {}, text)
        assert (found["wrong"], found["differ"]) == ({}, None), settings
    assert len(own) - len(written) <= 8  # of 161: those that follow from other inputs


def test_a_change_writes_what_it_changes_and_nothing_else(page: "Page") -> None:
    changed, written = page.evaluate(WRITTEN, {"hardware.memory": "90 GB"})
    assert changed == written
    assert 20 < len(changed) < 120  # of 161


def test_at_other_values_every_line_and_cell_is_that_of_python_s_own_page(page: "Page") -> None:
    compared = refused = 0
    for settings in states(16, seed=3):
        text, sentence = printed(settings)
        if sentence:
            said = [one.rstrip(".") for one in page.evaluate(FAILS, settings)]
            assert any(one in sentence for one in said), (settings, sentence, said)
            refused += 1
            continue
        found = beside(page, settings, text)
        assert (found["wrong"], found["differ"]) == ({}, None), settings
        compared += 1
    assert compared >= 6
    assert refused >= 2


def test_results_worked_out_above_a_formula_follow_with_the_digits_that_it_shows(
    browser: "Browser", tmp_path: Path
) -> None:
    source = source_in(tmp_path, EXPANDED)
    file, compared = tmp_path / "report.html", 0
    file.write_text(printed({}, source)[0], encoding="utf-8")
    with opened(browser, file) as found:
        steps = found.page.locator(".equation.worked[data-live] .steps")
        assert steps.count() == found.page.locator(".equation.worked").count() == 13
        before = steps.all_text_contents()
        for settings in states(24, seed=5):
            text, sentence = printed(settings, source)
            if not sentence:
                told = beside(found.page, settings, text)
                assert (told["wrong"], told["differ"]) == ({}, None), settings
                compared += steps.all_text_contents() != before
        found.page.evaluate("Workings.set({'model.blocks': '61'})")
        said = found.page.locator(".failing").all_inner_texts()[:5]
        assert [" ".join(one.split())[:27] for one in said] == ["Does not apply: it needs 𝐿 "] * 5
        assert compared >= 4
        assert found.messages == []


def test_a_slider_moved_by_keys_changes_the_last_line_to_what_workings_gives(page: "Page") -> None:
    slider = page.locator(f"{MEMORY} ~ input[type=range]")
    slider.focus()
    before = page.locator(LAST).text_content()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.clock.run_for(300)
    text = page.locator(MEMORY).input_value()
    done = work(catalogue.get("fsdp-working-fits"), load_scenario("xxl-220b", {"memory": text}))
    value = float(re.sub(r"[^0-9.]", "", page.locator(LAST).text_content() or ""))
    assert text != "95 GB"
    assert page.locator(LAST).text_content() != before
    assert value == pytest.approx(float(done.value), rel=1e-4)
    assert slider.get_attribute("aria-valuetext") == text


def test_sliders_moved_change_the_last_line_of_part_b_to_what_solve_gives(page: "Page") -> None:
    enough = 0
    for moves in slides(16, seed=5):
        found = page.evaluate(SLID, moves)
        wanted = solved(found["settings"])
        said = [int(text.replace(",", "")) if text[:1].isdigit() else None for text in found["said"]]
        assert said == wanted, (moves, found)
        enough += wanted not in ([None, None], [284, 156])
    assert enough >= 4


def test_what_is_set_stands_in_the_address_and_a_link_shares_it(
    page: "Page", browser: "Browser", made: Mapping[str, Path]
) -> None:
    page.locator(MEMORY).fill("100 GB")
    page.clock.run_for(300)
    address = page.evaluate("location.hash")
    assert address == "#?hardware.memory=100+GB"
    line = (page.locator(LAST).text_content() or "").split()
    with opened(browser, made["report"]) as other:
        other.page.goto(f"{made['report'].as_uri()}{address}")
        other.page.reload()
        assert (other.page.locator(LAST).text_content() or "").split() == line
        assert other.page.locator(MEMORY).input_value() == "100 GB"
        said = "Worked at memory of one device = 100 GB (the page's own: 95 GB)."
        assert other.page.inner_text(".set p >> nth=0") == said
        assert other.page.get_attribute(".set span", "title") == "hardware.memory"
    page.get_by_role("button", name="The page's own values").click()
    page.clock.run_for(300)
    assert page.evaluate("location.hash") == ""
    assert page.locator(MEMORY).input_value() == "95 GB"


def test_a_wrong_input_is_said_beside_its_field_and_changes_nothing(page: "Page") -> None:
    line = (page.locator(LAST).text_content() or "").split()
    for field, text, said in (
        (MEMORY, "96", "96 needs a unit: write 96 GB."),
        ("#input-hardware-compute", "4.6e14", "4.6e14 needs a unit: write 4.6e14 FLOP/s."),
        (MEMORY, "", "Found nothing, expected a number with its unit, such as 95 GB."),
        (MEMORY, "96 furlong", "Found “96 furlong”, expected a number with its unit, such as 95 GB."),
        (MEMORY, "<b>", "Found “<b>”, expected a number with its unit, such as 95 GB."),
        (MEMORY, "0 GB", "Found “0 GB”, expected more than 0, such as 95 GB."),
        (BLOCKS, "1.5", "Found “1.5”, expected a whole number from 1 to 10^15, such as 126."),
        (
            "#input-layout-tp",
            "3",
            "tensor-parallel degree: found 3, expected a divisor of feed-forward width = 53248.",
        ),
        (
            "#input-layout-pp",
            "127",
            "pipeline stages: found 127, expected at most blocks (layers) = 126.",
        ),
    ):
        own = page.locator(field).input_value()
        page.locator(field).fill(text)
        page.clock.run_for(50)
        assert page.locator(f"{field}-said").inner_text() == said
        assert (page.locator(LAST).text_content() or "").split() == line
        page.locator(field).fill(own)
        assert page.locator(f"{field}-said").inner_text() == ""


def test_a_condition_that_fails_is_said_where_it_fails(page: "Page") -> None:
    page.evaluate("Workings.set({'hardware.memory': '70 GB'})")
    failing = page.locator("#eq-fsdp-fits-worked .failing").inner_text()
    bare = " ".join(normalize("NFKC", failing).split())  # mathematical letters as plain ones
    assert bare.startswith(
        "Does not apply: it needs M max > A / 2 (here M max = 70 GB, memory of one device; A = 143.747 GB"
    )
    leads = page.locator(".status a")
    assert (
        page.locator(f"{leads.get_attribute('href')} .number")
        .first.inner_text()
        .startswith(leads.inner_text())
    )
    page.evaluate("Workings.set({})")
    assert leads.count() == page.locator("#eq-fsdp-fits-worked .failing").count() == 0


def test_presets_set_several_inputs_and_the_page_s_own_are_one(page: "Page") -> None:
    own = page.locator(MEMORY).input_value()
    page.locator(".presets select").select_option("tpu-v4")
    page.clock.run_for(300)
    assert page.locator(MEMORY).input_value() != own
    assert page.locator("#input-hardware-compute").input_value() == "275 TFLOP/s"
    page.locator(".presets select").select_option("")
    page.clock.run_for(300)
    assert page.locator(MEMORY).input_value() == own


def test_controls_have_names_and_nothing_hinders_who_cannot_see(
    browser: "Browser", made: Mapping[str, Path]
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    for size, dark in ((DESK, False), ((1440, 900), True), (PHONE, False)):
        with opened(browser, made["report"], size, dark=dark) as found:
            found.page.evaluate("Workings.set({'hardware.memory': '70 GB'})")
            found.page.clock.run_for(400)
            violations: Any = Axe().run(found.page).response["violations"]
            assert [(one["id"], one["nodes"][0]["html"][:200]) for one in violations] == []
            assert found.page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_without_scripts_there_are_no_controls_and_in_print_only_what_was_set(
    browser: "Browser", made: Mapping[str, Path]
) -> None:
    with opened(browser, made["report"], scripts=False) as found:
        assert found.page.locator(".inputs").count() == 0
        assert found.page.locator(LAST).count() == 1
    with opened(browser, made["report"]) as found:
        found.page.evaluate("Workings.set({'hardware.memory': '100 GB'})")
        found.page.emulate_media(media="print")
        assert not found.page.locator(".inputs").is_visible()
        assert found.page.locator(".set").is_visible()


def test_the_report_with_all_that_makes_it_live_is_small(made: Mapping[str, Path]) -> None:
    assert made["report"].stat().st_size <= 400_000
