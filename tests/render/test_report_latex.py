"""The 220B report and its sheet as LaTeX: labels resolve, it compiles, nothing sticks out."""

import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
from documents import FIGURE, Options, build_text, latex_of

from workings.document.blocks import Document, Heading, Line, Prose, Reference, Table, Text
from workings.render.environment import render
from workings.render.forms import FORMS
from workings.render.view import view

BOX = re.compile(r"Overfull \\[hv]box \(([0-9.]+)pt")


@pytest.fixture(params=["report", "sheet"])
def page(request: pytest.FixtureRequest) -> str:
    made: Mapping[str, str] = request.getfixturevalue(request.param)
    return made[f"{request.param}.tex"]


def labels(tex: str) -> list[str]:
    """What \\workingsnumber and \\workingscaption number, in order."""
    body = tex.partition("\\begin{document}")[2]
    found = re.findall(r"\\workings(?:number|caption\{[a-z]+\})\{([^}]*)\}", body)
    return [str(label) for label in found]


def test_every_reference_has_its_label_and_no_label_is_given_twice(page: str) -> None:
    known = labels(page)
    assert len(known) == len(set(known))
    assert all(re.fullmatch("(eq|tab|fig):[A-Za-z0-9-]+", label) for label in known)
    wanted = re.findall(r"\\ref\{([^}]*)\}", page.partition("\\begin{document}")[2])
    assert wanted
    assert set(wanted) <= set(known)


def test_both_formats_number_the_same_things_in_the_same_order(
    report: Mapping[str, str], sheet: Mapping[str, str]
) -> None:
    for made, name in ((report, "report"), (sheet, "sheet")):
        anchors = re.findall(r'<a id="(eq|table|figure)-([^"]*)"', made[f"{name}.md"])
        kinds = {"eq": "eq", "table": "tab", "figure": "fig"}
        assert [f"{kinds[kind]}:{label}" for kind, label in anchors] == labels(made[f"{name}.tex"])


def test_environments_and_braces_are_closed(page: str) -> None:
    body = page.partition("\\begin{document}")[2].rpartition("\\end{document}")[0]
    stack: list[str] = []
    for kind, name in re.findall(r"\\(begin|end)\{([a-z]+)\}", body):
        if kind == "begin":
            stack.append(name)
        else:
            assert stack.pop() == name
    assert not stack
    depth = 0
    for sign in re.findall(r"\\.|[{}]", body):
        depth += {"{": 1, "}": -1}.get(sign, 0)
        assert depth >= 0
    assert depth == 0


def test_the_numbers_of_both_formats_agree(report: Mapping[str, str]) -> None:
    def numbers(text: str) -> list[str]:
        found = re.findall(r"[0-9][0-9,{}]*\.[0-9]+|[0-9]+(?:\{?,\}?[0-9]{3})+", text)
        return sorted({n.replace("{,}", ",") for n in found})

    markdown = re.sub(r"!\[.*?\]\(.*?\)", "", report["report.md"])
    body = report["report.tex"].partition("\\maketitle")[2]
    body = re.sub(r"\\begin\{picture\}.*?\\end\{picture\}", "", body, flags=re.DOTALL)
    body = re.sub(r"[0-9.]+\\(hsize|baselineskip|linewidth)", "", body)
    assert numbers(markdown) == numbers(body)


def test_a_fragment_has_no_preamble_and_brings_its_macros_once(tmp_path: Path) -> None:
    made = build_text(tmp_path, "a\n", options=Options(fragment=True))
    tex = made["report.tex"]
    assert "\\documentclass" not in tex
    assert "\\begin{document}" not in tex
    assert "\\newcommand" not in tex  # \providecommand: a second fragment keeps the first's
    assert made["report.md"] == "a\n"


def compiled(pdflatex: str, folder: Path, name: str) -> str:
    """The log of the last of two runs; a failing run shows its error."""
    for _ in range(2):
        ran = subprocess.run(  # noqa: S603 - the pdflatex that was found
            [pdflatex, "-interaction=nonstopmode", "-halt-on-error", name],
            cwd=folder, capture_output=True, check=False,
        )  # fmt: skip
        tail = ran.stdout.decode("latin-1")[-1500:]
        assert ran.returncode == 0, tail
    log = (folder / name).with_suffix(".log").read_text(encoding="latin-1").replace("\n", "")
    wide = [float(m[1]) for m in BOX.finditer(log) if float(m[1]) > 5]
    assert not wide
    assert "Missing character" not in log
    assert "undefined on input" not in log
    assert "multiply defined" not in log
    return log


@pytest.mark.tex
@pytest.mark.slow
def test_a_sheet_compiles_and_nothing_sticks_out(
    pdflatex: str, tmp_path: Path, sheet: Mapping[str, str]
) -> None:
    """The reports themselves are compiled by `.ci/documents`."""
    (tmp_path / "sheet.tex").write_text(sheet["sheet.tex"], encoding="utf-8")
    assert "Output written" in compiled(pdflatex, tmp_path, "sheet.tex")


EVERYTHING = (
    "# a % b\n\n- one\n\n  ```\n  --x 'y' {z} \\\n  ```\n- two\n\n1. three\n\n> quoted\n\n"
    "```{note} T & U\nx\n```\n\n| a | b |\n|--|--|\n| 1 |\n\n```{worked} fsdp-fits\n```\n\n"
    "See {ref}`memory` and {ref}`model-state-ledger`.\n\n```{ledger} model-state\n```\n\n" + FIGURE
)

TWICE = r"""\documentclass{article}
\usepackage[T1]{fontenc}\usepackage[utf8]{inputenc}\usepackage{lmodern}
\usepackage{textcomp,amsmath,array,tabularx,booktabs,graphicx,xcolor,hyperref}
\providecommand{\workingsnumber}[1]{\refstepcounter{equation}\label{#1}[\theequation]}
\begin{document}
\section{One}
\input{one/report}
\section{Two}
\input{two/report}
\end{document}
"""


@pytest.mark.tex
@pytest.mark.slow
def test_two_fragments_go_into_one_document(pdflatex: str, tmp_path: Path) -> None:
    other = "```{chain} ring-all-reduce\n```\n\nBy {ref}`ring-all-reduce`.\n"
    for name, text in (("one", EVERYTHING), ("two", other)):
        (tmp_path / name).mkdir()
        made = build_text(tmp_path / name, text, options=Options(fragment=True))
        (tmp_path / name / "report.tex").write_text(made["report.tex"], encoding="utf-8")
    (tmp_path / "both.tex").write_text(TWICE, encoding="utf-8")
    assert "Output written" in compiled(pdflatex, tmp_path, "both.tex")
    aux = (tmp_path / "both.aux").read_text(encoding="utf-8")
    assert "\\newlabel{eq:fsdp-fits-worked}{{1}" in aux
    assert "\\newlabel{eq:ring-all-reduce}{{2}" in aux  # numbers go on through both


def long_table(rows: int) -> Document:
    """A table that may break, below a heading, and a word that refers to it."""
    words = "words that take a few lines of a narrow column " * 4
    cells: tuple[Line, ...] = ((Text("n"),), (Text(words),))
    head = ((Text("a"),), (Text("b"),))
    table = Table("tall", 1, (Text("A tall one"),), "lw", head, (cells,) * rows, long=True)
    prose = Prose((Text("See "), Reference("tall"), Text(".")))
    return Document((Text("t"),), (Heading(2, (Text("h"),)), table, prose), {"tall": ("table", 1)})


def printed(document: Document) -> str:
    values = view(document, FORMS["tex"], sheet=False) | {"fragment": False}
    return render("latex", "document.tex", values)


@pytest.mark.tex
@pytest.mark.slow
def test_a_long_table_breaks_between_pages_and_has_one_number(pdflatex: str, tmp_path: Path) -> None:
    (tmp_path / "long.tex").write_text(printed(long_table(30)), encoding="utf-8")
    log = compiled(pdflatex, tmp_path, "long.tex")
    pages = re.search(r"Output written on long.pdf \((\d+) pages", log)
    assert pages is not None
    assert int(pages[1]) > 1
    assert "same identifier" not in log  # nor two anchors of one number
    assert "\\newlabel{tab:tall}{{1}{1}" in (tmp_path / "long.aux").read_text(encoding="utf-8")


def test_the_package_for_long_tables_is_loaded_only_where_there_is_one(tmp_path: Path) -> None:
    assert "{longtable}" in printed(long_table(2))
    assert "{longtable}" not in build_text(tmp_path, "a\n")["report.tex"]


@pytest.mark.parametrize(("letters", "smaller"), [(6, False), (14, True)])
def test_a_table_whose_numbers_leave_its_words_little_room_is_set_smaller(
    letters: int, smaller: bool
) -> None:
    row: tuple[Line, ...] = ((Text("words " * 9),), *((Text("8" * letters),),) * 4)
    table = Table("narrow", 1, (Text("A narrow one"),), "wrrrr", row, (row,))
    page = printed(Document((Text("t"),), (table,), {"narrow": ("table", 1)}))
    assert ("\\footnotesize" in page.partition("\\begin{document}")[2]) == smaller


HOSTILE = r"\input{/etc/passwd} \write18{ls} \immediate $x$ 50% a_b ^^41 ~ # & \\ \end{x} {\bf"


@pytest.mark.tex
@pytest.mark.slow
def test_hostile_words_compile_and_print_as_they_are(pdflatex: str, tmp_path: Path) -> None:
    text = (
        f"# {HOSTILE}\n\n{HOSTILE}\n\n`{HOSTILE}`\n\n```\n{HOSTILE}\n```\n\n"
        f"```{{chain}} fsdp-memory\n:title: {HOSTILE}\n:label: {HOSTILE}\n```\n\n"
        f"```{{question}} {HOSTILE}\nx\n```\n\n```{{ledger}} model-state\n:caption: {HOSTILE}\n```\n"
    )
    made = build_text(tmp_path, text, options=Options(sheet=True))
    (tmp_path / "sheet.tex").write_text(made["sheet.tex"], encoding="utf-8")
    log = compiled(pdflatex, tmp_path, "sheet.tex")
    assert "(/etc/passwd" not in log  # so does TeX log a file that it opens


def test_a_title_is_not_left_alone_at_the_foot_of_a_page(tmp_path: Path) -> None:
    for text in ("```{chain} fsdp-memory\n```\n", "```{worked} model-state\n```\n"):
        head = latex_of(tmp_path, text).partition("\\begingroup")[0]
        assert head.rstrip().endswith("\\par\\nobreak")
