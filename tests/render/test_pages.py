"""Sections as pages: an index, contents, links that lead somewhere, and no page too long for GitHub."""

import re
import subprocess
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

import pytest
from documents import FIGURE, FRONT, Options, build_text, refusal
from links import anchors, dead_links

from workings import catalogue
from workings.render import pages

PAGED = FRONT.replace("+++\n", '+++\npages = "section"\n', 1)
TWO = (
    "Before all of it.\n\n"
    "## What is kept\n\n```{chain} model-state\n```\n\n```{worked} model-state\n```\n\n"
    "### Beside it\n\n```{chain} saved-activations\n```\n\n" + FIGURE + "\n"
    "## What fits\n\n```{chain} fsdp-fits\n```\n\nBy {ref}`model-state` and {ref}`memory`.\n"
)


def markdown(made: Mapping[str, str]) -> dict[str, str]:
    return {name: text for name, text in made.items() if name.endswith(".md")}


def test_each_section_is_a_page_and_what_stands_before_is_the_index(tmp_path: Path) -> None:
    made = build_text(tmp_path, TWO, PAGED)
    assert list(made) == [
        "report.md", "what-is-kept.md", "what-fits.md", "report.tex", "memory.svg"
    ]  # fmt: skip
    titles = [text.partition("\n")[0] for text in markdown(made).values()]
    assert titles == ["# A page", "# What is kept", "# What fits"]
    assert "Before all of it." in made["report.md"]
    assert r"\begin{aligned}" not in made["report.md"]
    assert list(build_text(tmp_path, TWO)) == ["report.md", "report.tex", "memory.svg"]


def test_the_pages_of_a_sheet_have_names_of_their_own(tmp_path: Path) -> None:
    options = Options(formats=("md",), sheet=True)
    made = build_text(tmp_path, TWO, PAGED, options)
    assert list(markdown(made)) == ["sheet.md", "sheet-what-is-kept.md", "sheet-what-fits.md"]
    assert list(dead_links(made)) == []


def test_every_link_leads_somewhere_and_no_anchor_is_on_two_pages(tmp_path: Path) -> None:
    made = build_text(tmp_path, TWO, PAGED)
    assert list(dead_links(made)) == []
    every = [one for text in markdown(made).values() for one in anchors(text)]
    assert len(every) == len(set(every)) == 5
    broken = {"a.md": "[x](b.md#y) [x](#z) [x](c.md)", "b.md": ""}
    assert list(dead_links(broken)) == ["a.md -> b.md#y", "a.md -> #z", "a.md -> c.md#"]


def test_a_reference_to_another_page_names_its_file_and_what_a_formula_uses_is_linked(
    tmp_path: Path,
) -> None:
    fits = build_text(tmp_path, TWO, PAGED)["what-fits.md"]
    assert "By [(1)](what-is-kept.md#eq-model-state) and [figure 1](what-is-kept.md#fig" in fits
    assert "$`S`$ from [`model-state`](what-is-kept.md#eq-model-state)" in fits
    alone = build_text(tmp_path, "```{chain} fsdp-fits\n```\n")["report.md"]
    assert "$`S`$ from `model-state`" in alone


def test_index_and_pages_list_formulas_by_number_under_the_headings_that_they_stand_under(
    tmp_path: Path,
) -> None:
    made = build_text(tmp_path, TWO, PAGED)
    title, inner = (catalogue.get(id_).title for id_ in ("model-state", "saved-activations"))
    head = made["what-is-kept.md"].partition("<a id")[0]
    assert head.startswith("# What is kept\n\n[Contents](report.md) · next: [What fits](what-fits.md)\n")
    below = f"- Beside it\n\n  - [(3)](#eq-saved-activations) {inner}\n"
    assert f"\n\n- [(1)](#eq-model-state) {title}\n{below}" in head
    assert "[Contents](report.md) · before: [What is kept](what-is-kept.md)\n" in made["what-fits.md"]
    listed = made["report.md"].partition("## Contents\n\n")[2]
    assert re.findall(r"\*\*\[(.*?)\]\((.*?)\)\*\*", listed) == [
        ("What is kept", "what-is-kept.md"), ("What fits", "what-fits.md"),
    ]  # fmt: skip
    assert "[(3)](what-is-kept.md#eq-saved-activations)" in listed
    assert "-worked" not in listed


def test_headings_on_a_page_start_at_its_title_and_do_not_jump(tmp_path: Path) -> None:
    text = TWO + "\n````{solution}\n### Inside\n\nx\n````\n"
    for page in markdown(build_text(tmp_path, text, PAGED)).values():
        levels = [len(found) for found in re.findall(r"^(#+) ", page, re.MULTILINE)]
        assert levels[0] == 1 == levels.count(1)
        assert all(after <= before + 1 for before, after in pairwise(levels))


def test_latex_stays_one_document_with_contents_of_the_same_numbers(tmp_path: Path) -> None:
    made = build_text(tmp_path, TWO, PAGED)
    body = made["report.tex"].partition(r"\maketitle")[2]
    assert re.findall(r"\\section\{(.*)\}", body) == ["What is kept", "What fits"]
    assert body.index(r"\tableofcontents") < body.index(r"\section{")
    counted = re.findall(r'<a id="(eq)-([^"]*)"></a>\*\*\(\d+\)', "".join(markdown(made).values()))
    numbered = re.findall(r"\\workingsnumber\{(.*?)\}", body)
    assert [f"{kind}:{label}" for kind, label in counted] == numbered
    assert r"(\ref{eq:model-state})" in body
    assert r"from \hyperref[eq:model-state]{\texttt{model-state}}" in body
    assert r"\tableofcontents" not in build_text(tmp_path, TWO)["report.tex"]


def test_each_page_counts_from_1_so_that_a_new_formula_changes_its_own_page_only(tmp_path: Path) -> None:
    more = TWO.replace("### Beside it", "```{chain} ffn-parameters\n```\n\n### Beside it")
    before, after = (markdown(build_text(tmp_path, text, PAGED)) for text in (TWO, more))
    assert re.findall(r"\*\*\((\d+)\)\*\*", after["what-is-kept.md"]) == ["1", "2", "3", "4"]
    assert before["what-fits.md"] == after["what-fits.md"]
    assert before["what-is-kept.md"] != after["what-is-kept.md"]


@pytest.mark.tex
@pytest.mark.slow
def test_latex_numbers_within_sections_and_leads_to_other_documents_by_the_places_they_have(
    pdflatex: str, tmp_path: Path
) -> None:
    for front, names in ((PAGED, ("{1.1}", "{1.3}", "{2.1}")), (FRONT, ("{1}", "{3}", "{4}"))):
        (tmp_path / "report.tex").write_text(
            build_text(tmp_path, TWO, front)["report.tex"], encoding="utf-8"
        )
        for _ in range(2):
            ran = subprocess.run(  # noqa: S603 - the pdflatex that was found
                [pdflatex, "-interaction=nonstopmode", "-halt-on-error", "report.tex"],
                cwd=tmp_path, capture_output=True, check=False,
            )  # fmt: skip
            assert ran.returncode == 0, ran.stdout.decode("latin-1")[-1500:]
        assert b"same identifier" not in ran.stdout
        aux = (tmp_path / "report.aux").read_text(encoding="utf-8")
        for id_, name in zip(("model-state", "saved-activations", "fsdp-fits"), names, strict=True):
            [(number, place)] = re.findall(
                rf"newlabel\{{eq:{id_}\}}\{{(\{{[\d.]+\}}).*?\{{equation\.([\d.]+)\}}", aux
            )
            assert number == name == f"{{{place}}}"


def test_a_page_too_long_is_cut_at_formulas_and_all_links_still_lead_somewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chains = "".join(f"```{{chain}} model-state\n:label: l{n}\n```\n\n" for n in range(12))
    text = "## One\n\n" + chains + "## Two\n\n{ref}`l0` and {ref}`l11`\n"
    whole = build_text(tmp_path, text, PAGED)
    most = len(whole["one.md"].encode()) // 3
    monkeypatch.setattr(pages, "MOST", most)
    made = markdown(build_text(tmp_path, text, PAGED))
    parts = [name for name in made if name.startswith("one")]
    assert parts == ["one.md", *(f"one-part-{n}.md" for n in range(2, len(parts) + 1))]
    assert len(parts) >= 4
    assert all(len(made[name].encode()) <= most for name in parts)
    assert list(dead_links(made)) == []
    assert [one for name in parts for one in anchors(made[name])] == anchors(whole["one.md"])
    assert made["one-part-2.md"].startswith("# One, part 2\n")


def test_what_no_heading_or_formula_divides_stays_whole_however_long_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "MOST", 10)
    text = "## One\n\nwords\n\n```{chain} model-state\n```\n"
    assert list(markdown(build_text(tmp_path, text, PAGED))) == ["report.md", "one.md"]


def test_a_heading_goes_with_the_formula_that_it_leads_up_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chains = [f"```{{chain}} model-state\n:label: l{n}\n```\n\n" for n in range(4)]
    text = f"## One\n\n{chains[0]}### Below\n\nwords\n\n{''.join(chains[1:])}"
    whole = build_text(tmp_path, text, PAGED)
    monkeypatch.setattr(pages, "MOST", len(whole["one.md"].encode()) * 9 // 10)
    made = markdown(build_text(tmp_path, text, PAGED))
    assert list(made) == ["report.md", "one.md", "one-part-2.md"]
    assert not made["one.md"].rstrip().endswith("words")


def test_topics_stand_in_the_catalogues_order_and_are_pages_by_their_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    topics = ("techniques", "memory")
    text = "## A\n\n```{topic} memory\n```\n\n## Between\n\nx\n\n## B\n\n```{topic} techniques\n```\n"
    front = PAGED.replace("+++\n", '+++\nscope = "section"\n', 1)
    for order in (topics, topics[::-1]):
        monkeypatch.setattr(catalogue, "topics", lambda order=order: order)
        made = build_text(tmp_path, text, front, Options(formats=("md",)))
        assert list(made) == ["report.md", f"{order[0]}.md", "between.md", f"{order[1]}.md"]
        ids = [what.id for what in catalogue.every(order[0])]
        shown = re.findall(r'<a id="eq-([^"]*)"></a>\*\*\(\d+\)\*\* \*\*', made[f"{order[0]}.md"])
        assert shown == ids


def test_an_error_in_a_section_is_told_with_its_line_in_the_file(tmp_path: Path) -> None:
    assert refusal(tmp_path, "x\n\n## A\n\n{value}`nope`\n", PAGED).startswith("page.md:10: ")
    found = refusal(tmp_path, "## A b\n\nx\n\n## A-b\n", PAGED)
    assert found == "page.md:10: found a second page 'a-b', expected another heading"
    assert "found a second page 'report'" in refusal(tmp_path, "## Report\n", PAGED)
    assert "pages: found 'many', expected one of one, section" in refusal(
        tmp_path, "x\n", PAGED.replace('"section"', '"many"')
    )
