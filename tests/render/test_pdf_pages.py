"""Whole documents as PDF: what stands on their pages, and where. The second tier."""

import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

pytest.importorskip("typst", reason="the extra `pdf` is not installed")

from typst_reader import bare, read_back

from workings import api, catalogue
from workings.document.blocks import Chain, Worked, walk
from workings.document.read import read_document
from workings.formula.readings.latex import box_latex
from workings.formula.readings.typeset import typeset
from workings.formula.readings.typst import box_typst
from workings.render.reports import Options, build
from workings.render.view import set_line

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "reports" / "xxl-220b" / "source.md"
HANDOUT = ROOT / "reports" / "handouts" / "configurations" / "source.md"
OWN = ROOT / "benchmarks"
POINTS = 595.28  # the width of A4
MARGIN = 62  # of our pages: 22 mm


def test_typst_reads_every_formula_of_the_catalogue_as_latex_prints_it() -> None:
    every = [line.formula for what in catalogue.every() for line in what.lines]
    boxes = [typeset(one, inline=inline) for one in every for inline in (False, True)]
    assert len(boxes) > 2500
    read = read_back(map(box_typst, boxes))
    wrong = [(ours, bare(box_latex(box))) for ours, box in zip(read, boxes, strict=True)
             if ours != bare(box_latex(box))]  # fmt: skip
    assert wrong == []


def test_typst_reads_every_line_of_the_report_as_latex_prints_it() -> None:
    document, _ = read_document(SOURCE, directives=OWN)
    steps = [
        s for block in walk(document.blocks) if isinstance(block, Chain | Worked) for s in block.steps
    ]
    boxes = [box for step in steps for box in set_line(step) if box is not None]
    assert len(boxes) > 300
    assert read_back(map(box_typst, boxes)) == [bare(box_latex(box)) for box in boxes]


# --- pages ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def poppler() -> None:
    if shutil.which("pdftotext") is None or shutil.which("pdfinfo") is None:
        pytest.skip("poppler's pdftotext and pdfinfo are not installed")


def told(program: str, *options: str, pdf: bytes) -> str:
    ran = subprocess.run(  # noqa: S603 - poppler's programs
        [str(shutil.which(program)), *options, "-", *(["-"] if program == "pdftotext" else [])],
        input=pdf, capture_output=True, check=True,
    )  # fmt: skip
    return ran.stdout.decode()


@pytest.fixture(scope="module")
def pdfs() -> Mapping[str, bytes]:
    """The 220B report, its sheet, the solutions of a handout, and a review with its workings."""
    options = Options(formats=("pdf",), directives=OWN)
    sheet = Options(formats=("pdf",), directives=OWN, sheet=True)
    job = ROOT / "reports" / "reviews" / "llama3-405b-16384" / "job.toml"
    review = api.review(job).files("pdf")
    handout = build(HANDOUT, Options(formats=("pdf",)))
    return {**build(SOURCE, options), **build(SOURCE, sheet), "solutions.pdf": handout["report.pdf"],
            **{name: made for name, made in review.items() if name.endswith(".pdf")}}  # fmt: skip


def pages(pdf: bytes) -> list[list[tuple[float, float, float, str]]]:
    """The words of each page with their left and right edges and their feet."""
    word = re.compile(r'xMin="([-\d.]+)" yMin="[-\d.]+" xMax="([\d.]+)" yMax="([\d.]+)">(.*?)</word>')
    return [
        [(float(left), float(right), float(foot), text) for left, right, foot, text in word.findall(page)]
        for page in told("pdftotext", "-bbox", pdf=pdf).split("<page ")[1:]
    ]


NAMES = ("report.pdf", "sheet.pdf", "solutions.pdf", "review.pdf", "workings.pdf")


@pytest.mark.usefixtures("poppler")
@pytest.mark.parametrize("name", NAMES)
def test_nothing_sticks_out_of_a_page(pdfs: Mapping[str, bytes], name: str) -> None:
    for number, page in enumerate(pages(pdfs[name]), 1):
        for left, right, _, text in page:
            assert left > MARGIN - 2, (number, text)
            assert right < POINTS - MARGIN + 4, (number, text)  # a justified line's point hangs out a bit


@pytest.mark.usefixtures("poppler")
@pytest.mark.parametrize("name", NAMES)
def test_no_line_ends_within_a_unit(pdfs: Mapping[str, bytes], name: str) -> None:
    assert [
        text for page in pages(pdfs[name]) for *_, text in page if re.search("(FLOP|B)/$", text)
    ] == []


@pytest.mark.usefixtures("poppler")
def test_no_page_of_the_report_is_half_empty(pdfs: Mapping[str, bytes]) -> None:
    *all_but_last, _ = pages(pdfs["report.pdf"])
    feet = [max(foot for *_, foot, _ in page if foot < 775) for page in all_but_last]
    assert len(feet) > 15
    assert min(feet) > 500, feet


@pytest.mark.usefixtures("poppler")
@pytest.mark.parametrize("name", NAMES)
def test_no_heading_ends_a_page(pdfs: Mapping[str, bytes], name: str) -> None:
    """The last line above a page's number announces nothing: no title, no caption, no name of a part."""
    for page in pages(pdfs[name]):
        above = [(foot, left, text) for left, _, foot, text in page if foot < 775]
        last = max(foot for foot, *_ in above)
        line = " ".join(text for foot, _, text in sorted(above, key=lambda w: w[1]) if last - foot < 4)
        assert not re.match(r"\(\d+\) |Table \d+\.|(Question|Solution)\b|\([a-z]\)$", line), line


@pytest.mark.usefixtures("poppler")
@pytest.mark.parametrize("name", NAMES)
def test_a_reader_gets_tags_a_title_and_places(pdfs: Mapping[str, bytes], name: str) -> None:
    about = told("pdfinfo", pdf=pdfs[name])
    assert re.search(r"^Tagged: +yes$", about, re.MULTILINE)
    assert re.search(r"^Title: +\S", about, re.MULTILINE)
    assert "CreationDate" not in about
    assert b"/Lang(en)" in pdfs[name]


@pytest.mark.usefixtures("poppler")
def test_a_review_leads_into_its_workings(pdfs: Mapping[str, bytes]) -> None:
    wanted = set(re.findall(rb"URI\(workings\.pdf#(equation-[A-Za-z0-9-]+)\)", pdfs["review.pdf"]))
    assert len(wanted) > 30  # of a review of eight pages
    places = told("pdfinfo", "-dests", pdf=pdfs["workings.pdf"])
    assert {name.decode() for name in wanted} <= set(re.findall(r'"([^"]+)"', places))


@pytest.mark.usefixtures("poppler")
def test_the_pdf_says_the_numbers_of_the_markdown(
    pdfs: Mapping[str, bytes], report: Mapping[str, str]
) -> None:
    def numbers(text: str) -> set[str]:
        return set(re.findall(r"[0-9]+(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]+\.[0-9]+", text))

    page = report["report.md"].replace("{,}", ",")
    body = re.sub(r"!\[.*?\]\(.*?\)|\]\(.*?\)", "", page)
    said = told("pdftotext", "-raw", pdf=pdfs["report.pdf"])
    assert numbers(body) <= numbers(said)
