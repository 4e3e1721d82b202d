"""A live page at many states beside Python's own page at the same values, sign for sign."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from documents import Options

import workings
from workings.errors import UserError
from workings.render.reports import build
from workings.scenario import Scenario, load_scenario

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "reports" / "xxl-220b" / "source.md"

# What a reader of the 220B report may set: amounts with their units, counts that divide and that do not.
CHOICES: Mapping[str, tuple[str, ...]] = {
    "hardware.memory": ("95 GB", "90 GB", "84.5 GB", "96 GiB", "141 GB", "192GB", "1.5 TB", "99_000 MB"),
    "hardware.compute": ("989.4 TFLOP/s", "4.6e14 FLOP/s", "312 TFLOP/s", "2.25 PFLOP/s", "1e15 FLOP/s"),
    "hardware.link_one_way": ("45 GB/s", "360 Gbit/s", "1.8e11 byte/s", "450 GB/s", ".1 TB/s"),
    "model.blocks": ("126", "64", "96", "61", "12", "1"),
    "model.d_ff": ("53,248", "28672", "65_536", "11008", "14336"),
    "model.d_model": ("16384", "8192", "12288", "5120", "7168"),
    "training.batch": ("4", "1", "2", "3", "16"),
    "training.sequence_length": ("2048", "1k", "1000", "512", "4096", "2k"),
    "training.activation_width": ("2 byte", "1 byte", "4 byte", "16 bit"),
    "training.gather_width": ("2 byte", "1 byte", "4 byte", "0.5 byte"),
    "training.gradient_width": ("4 byte", "2 byte", "0 byte"),
    "training.master_width": ("4 byte", "2 byte", "32 bit"),
    "training.moment_width": ("4 byte", "2 byte", "1 byte"),
    "training.reduce_width": ("2 byte", "4 byte"),
    "layout.fsdp": ("16", "8", "32", "64", "7"),
    "layout.tp": ("4", "1", "2", "8", "16"),
    "layout.fsdp_axes": ("2", "1"),
    "layout.dp": ("1", "2"),
}

# The text of a page with its structure, without what only one of two pages has.
TOLD = """
(root) => {
  const main = root.querySelector("main").cloneNode(true);
  main.querySelectorAll(".set, button.all, .copy").forEach((one) => one.remove());
  for (const one of main.querySelectorAll("*")) {
    for (const { name } of [...one.attributes]) {
      if (/^(data-.*|tabindex|open|style)$/.test(name)) one.removeAttribute(name);
    }
    if (one.matches(".step")) one.className = "step";
    if (one.matches(".written")) one.removeAttribute("title");
    if (one.matches(".live") && one.className !== "live") one.className = "live";
  }
  const blank = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (blank.nextNode()) texts.push(blank.currentNode);
  for (const one of texts) if (one.data.trim() === "" && one.data.includes("\\n")) one.remove();
  main.normalize();
  const lines = main.innerHTML.replace(/ class=""/g, "").replaceAll("><", ">\\n<").split("\\n");
  return lines.map((line) => line.trim());
}
"""
BESIDE = f"""
([settings, text]) => {{
  const told = {TOLD};
  const {{ time, wrong }} = Workings.set(settings);
  const parsed = new DOMParser().parseFromString(text, "text/html");
  const [live, printed] = [told(document), told(parsed)];
  const place = live.findIndex((line, at) => line !== printed[at]);
  const around = (lines) => lines.slice(Math.max(0, place - 2), place + 3);
  const same = place < 0 && live.length === printed.length;
  return {{ time, wrong, lines: live.length, differ: same ? null : [around(live), around(printed)] }};
}}
"""
FAILS = """
(settings) => {
  const { wrong, failing } = Workings.set(settings);
  return [...Object.values(wrong), ...failing];
}
"""
# Sliders moved to shares of their length, as a hand or keys move them. In the next frame: what is set,
# the numbers of the last line of part (b), and how long the page's own scripts took, in ms.
SLID = """
async (moves) => {
  Workings.set({});
  const frame = () => new Promise((done) => { requestAnimationFrame(() => done(performance.now())); });
  const field = (key) => document.getElementById(`input-${key.replace(/[^a-z0-9]/gi, "-")}`);
  const { inputs } = JSON.parse(document.getElementById("program").textContent);
  const own = new Map(inputs.map(({ key }) => [key, field(key).value]));
  await frame();
  const started = performance.now();
  const before = frame(); // asked for before the page asks for the frame in which it works
  for (const [key, share] of moves) {
    const slider = field(key).parentElement.querySelector("input[type=range]");
    slider.value = Math.round(share * slider.max);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  }
  const moved = performance.now();
  const after = await frame();
  const time = moved - started + after - (await before);
  const taken = (key) => field(key).getAttribute("aria-invalid") !== "true"; // 6 ranks may divide nothing
  const set = [...own].filter(([key, text]) => field(key).value !== text && taken(key));
  const settings = Object.fromEntries(set.map(([key]) => [key, field(key).value]));
  const lines = [...document.querySelectorAll("main p")];
  const line = lines.find((one) => one.textContent.includes("devices are needed, not"));
  return { settings, said: [...line.querySelectorAll(".live")].map((one) => one.textContent), time };
}
"""


def states(count: int, seed: int) -> Iterator[dict[str, str]]:
    """Random settings: a few keys each, so that many of the states have values everywhere."""
    random = Random(seed)  # noqa: S311 - chooses cases, no keys
    for _ in range(count):
        keys = random.sample(sorted(CHOICES), random.randint(1, 5))
        yield {key: random.choice(CHOICES[key]) for key in keys}


def slides(count: int, seed: int) -> Iterator[list[tuple[str, float]]]:
    """Random moves of sliders: a few inputs, each to a share of its slider's length."""
    random = Random(seed)  # noqa: S311 - chooses cases, no keys
    keys = sorted(CHOICES.keys() - {"layout.fsdp_axes"})  # that slider goes beyond the axes of the torus
    for _ in range(count):
        yield [(key, random.random()) for key in random.sample(keys, random.randint(1, 4))]


def solved(settings: Mapping[str, str]) -> list[int | None]:
    """The numbers of the last line of part (b), by `workings solve`.

    First with room for the blocks at work, then without; None where no number of devices is enough.
    """
    scenario = load_scenario("xxl-220b", settings)
    memory = scenario.values["hardware.memory"].value
    at_work = workings.value("fsdp-working-set", at=scenario).value
    return [_smallest(scenario, limit) for limit in (memory - at_work, memory)]


def _smallest(scenario: Scenario, limit: Fraction) -> int | None:
    if limit <= 0:
        return None
    text = f"< {Decimal(limit.numerator) / limit.denominator:f} byte"
    try:
        found = workings.solve("fsdp-memory", text, letter="N_fsdp", at=scenario).at
    except UserError:
        return None
    return None if found is None else int(found)


def printed(settings: Mapping[str, str], source: Path = SOURCE) -> tuple[str, str]:
    """Python's own page at these values, or the sentence with which it is refused."""
    options = Options(formats=("html",), directives=ROOT / "benchmarks", settings=tuple(settings.items()))
    try:
        return build(source, options)["report.html"], ""
    except UserError as error:
        return "", str(error)


def beside(page: Page, settings: Mapping[str, str], text: str) -> Any:
    """What differs between a live page at these values and a printed one."""
    return page.evaluate(BESIDE, [settings, text])
