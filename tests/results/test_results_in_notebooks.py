"""Results show themselves in notebooks: formulas typeset, tables, names from outside that stay names."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

import workings
from workings.results.layout import Layout
from workings.values.tabled import inert, tabled

LINE: dict[str, Any] = {"model": "llama3-8b", "gpu": "h100-sxm", "gpus": 8, "per_node": 8, "seq": 8192,
        "global_batch": 64}  # fmt: skip
LAID_OUT = {**LINE, "tp": 2}
EVIL = "<script>alert(1)</script><img src=x onerror=y> $x$ \\(x\\) & \"'"


class Read(HTMLParser):
    """The tags of a page, its words, and the words of each text between two tags."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        assert all(name == "style" for name, _ in attrs), attrs

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def shown(result: object) -> dict[str, str]:
    """What a notebook is given of a result, by kind."""
    formatter = InteractiveShell.instance().display_formatter
    assert formatter is not None
    return dict(formatter.format(result)[0])  # type: ignore[no-untyped-call]


def rows_of(result: object) -> list[str]:
    return re.findall(r"<tr>.*?</tr>", shown(result)["text/html"])


def test_formulas_are_typeset() -> None:
    memory = workings.value("fsdp-memory", at="xxl-220b", set={"N_fsdp": 156})
    assert shown(memory)["text/latex"].startswith("$$\n\\begin{aligned}\nM &= \\frac{S + A/2}{N}")
    assert shown(memory)["text/plain"] == repr(memory)
    closed = shown(workings.solve_symbolic("fsdp-memory", "N"))["text/latex"]
    assert "N &= \\frac{2 S + A}{2 M - A}" in closed
    entry = shown(workings.entry("fsdp-memory"))["text/latex"]
    assert entry == "$$M = \\frac{S + A/2}{N} + \\frac{A}{2}$$"
    condition = shown(workings.value("fsdp-fits", at="xxl-220b"))["text/latex"]
    assert "N &> " in condition


def test_a_formula_without_letters_for_numbers_says_each_line_once() -> None:
    lines = shown(workings.value("model-state", at="xxl-220b"))["text/latex"].split("\n")[2:-2]
    assert len(set(lines)) == len(lines) == 3


def test_a_derivation_is_typeset_and_prints_as_text() -> None:
    page = workings.show("fsdp-memory")
    assert isinstance(page, str)
    assert page.startswith("fsdp-memory: ")
    markdown = shown(page)["text/markdown"]
    assert markdown.startswith('<a id="eq-fsdp-memory"></a>**(1)** ')
    assert markdown.count("$$") == 2
    assert "cell" not in markdown


def test_a_solution_is_a_table_with_the_limit_at_its_head() -> None:
    rows = rows_of(workings.solve("fsdp-memory", "< 95 GB", letter="N", at="xxl-220b"))
    texts = [[text for text in Read(row).texts if text.strip()] for row in rows]
    assert texts == [
        ["N", "fsdp-memory", "< 95 GB"], ["155", "95.0313 GB", "no"], ["156", "94.8829 GB", "yes"]
    ]  # fmt: skip
    never = shown(workings.solve("fsdp-memory", "< 1 GB", letter="N", at="xxl-220b"))["text/html"]
    assert "none: " in never


def test_plans_rules_sweeps_reviews_and_verdicts_are_tables() -> None:
    plan = workings.plan(**LINE, number=2)
    first = [text for text in Read(rows_of(plan)[1]).texts if text.strip()]
    assert first == [plan.best.words, *repr(plan.best).removeprefix(f"{plan.best.words}: ")
                     .replace(" a step", "").replace("MFU ", "").split(", ")]  # fmt: skip
    assert len(rows_of(plan)) == 3
    assert rows_of(plan.best)[1] == rows_of(plan)[1]
    swept = workings.sweep(**LAID_OUT, over={"gpus": [8, 16]})
    assert len(rows_of(swept)) == 1 + len(swept.points)
    review = shown(workings.review(**LAID_OUT))["text/html"]
    said = [
        row[0] for row in ([t for t in Read(r).texts if t.strip()] for r in review.split("</tr>")[:-1])
    ]
    assert said[-4:] == ["layout", "memory", "step", "run"]
    checked = workings.verify("ffn-parameters")
    assert len(rows_of(checked)) == 2 + len(checked.steps)
    assert len(rows_of(workings.find("ring all-reduce"))) == 1 + len(workings.find("ring all-reduce"))


def test_rules_that_hold_are_counted_and_those_that_do_not_are_listed() -> None:
    roomy = {**LINE, "gpu": "gb300-nvl72"}
    fine = workings.lint(**roomy, set=workings.plan(**roomy, number=1).best.settings)
    assert "rules hold" in shown(fine)["text/html"]
    assert "<table>" not in shown(fine)["text/html"]
    broken = workings.lint(**{**LINE, "gpus": 16}, tp=16)
    assert len(rows_of(broken)) == 1 + len(broken.broken)


@pytest.mark.parametrize("text", [EVIL, "</td></table><script>", "$$\\href{javascript:x}{y}$$", "a\nb"])
def test_a_name_from_outside_is_neither_markup_nor_mathematics(text: str) -> None:
    read = Read(inert(text))
    assert set(read.tags) <= {"span"}
    assert "".join(read.texts) == text
    assert all(one in ("$", "\\") or not set(one) & {"$", "\\"} for one in read.texts)


def test_every_name_of_a_result_is_escaped() -> None:
    plan = workings.plan(**LINE, number=1)
    lint = workings.lint(**LAID_OUT)
    sweep = workings.sweep(**LAID_OUT, over={"gpus": [8]})
    layout = replace(plan.best, words=EVIL)
    assert isinstance(layout, Layout)
    for result in (
        replace(plan, job=replace(plan.job, name=EVIL)), replace(lint, job=replace(lint.job, name=EVIL)),
        replace(sweep, found=replace(sweep.found, name=EVIL)), layout,
    ):  # fmt: skip
        page = shown(result)["text/html"]
        tags = {"p", "strong", "table", "thead", "tbody", "tr", "th", "td", "span"}
        assert set(Read(page).tags) <= tags
        assert EVIL in "".join(Read(page).texts)
    assert "<script" not in tabled((EVIL,), "", [(EVIL,)], EVIL)
