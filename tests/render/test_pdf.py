"""Pages as PDF: tagged, the same each time, whole or refused; no text in them is read as markup."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from documents import FIGURE, FIRST, FRONT, Options, build_text, refusal, run, source_in

pytest.importorskip("typst", reason="the extra `pdf` is not installed")

from workings.document.blocks import Document, Lines, Text
from workings.errors import UserError
from workings.planning.sweeping.plot import Box, Dot, Plot, Series
from workings.render import tex_pdf
from workings.render.environment import TemplateFailedError
from workings.render.press import Press, press_of
from workings.render.reports import build, printed
from workings.render.typst_pdf import compiled

PDF = Options(formats=("pdf",))
EVERYTHING = (
    "# a % b\n\n- one\n\n  ```\n  --x 'y' {z} \\\n  ```\n- two\n\n1. three\n\n> quoted\n\n"
    "```{note} T & U\nx\n```\n\n| a | b |\n|--|--|\n| 1 |\n\n```{worked} fsdp-fits\n```\n\n"
    "```{chain} fsdp-memory\n```\n\n````{question} (a)\n:room: 3\nWhat?\n````\n\n"
    "See {ref}`memory` and {ref}`model-state-ledger`.\n\n```{ledger} model-state\n```\n\n" + FIGURE
)


def pdf_of(folder: Path, text: str, options: Options = PDF) -> bytes:
    made = build(source_in(folder, text), options)
    name = "sheet.pdf" if options.sheet else "report.pdf"
    assert set(made) == {name}
    return bytes(made[name])


@pytest.fixture(scope="session")
def pdftotext() -> str:
    found = shutil.which("pdftotext")
    if found is None:
        pytest.skip("pdftotext is not installed")
    return found


def words(pdftotext: str, pdf: bytes) -> str:
    """The text of a PDF, its lines joined."""
    ran = subprocess.run(  # noqa: S603 - the program that was found
        [pdftotext, "-raw", "-", "-"], input=pdf, capture_output=True, check=True
    )
    return " ".join(ran.stdout.decode().split())


def test_every_block_is_made_tagged_and_the_same_each_time(tmp_path: Path) -> None:
    pdf = pdf_of(tmp_path, EVERYTHING)
    assert pdf.startswith(b"%PDF-1.7")
    assert b"/MarkInfo" in pdf
    assert b"pdfuaid" in pdf  # it says that it is PDF/UA, which Typst checks
    assert b"/Outlines" in pdf
    assert pdf_of(tmp_path, EVERYTHING) == pdf
    assert len(pdf_of(tmp_path, EVERYTHING, Options(formats=("pdf",), sheet=True))) > 1000


BUILT_AGAIN = """
import sys, pathlib
from workings.render.reports import Options, build
path = pathlib.Path(sys.argv[1])
sys.stdout.buffer.write(build(path, Options(formats=("pdf",)))["report.pdf"])
"""


def test_another_process_makes_the_same_bytes(tmp_path: Path) -> None:
    pdf = pdf_of(tmp_path, EVERYTHING)
    ran = subprocess.run(  # noqa: S603 - our own lines, in a fresh interpreter
        [sys.executable, "-c", BUILT_AGAIN, str(tmp_path / "page.md")],
        capture_output=True, check=True,
    )  # fmt: skip
    assert ran.stdout == pdf


def test_its_source_is_what_typst_sets(tmp_path: Path) -> None:
    made = build(source_in(tmp_path, EVERYTHING), Options(formats=("typ", "pdf")))
    assert compiled(made["report.typ"]) == bytes(made["report.pdf"])


def lines() -> Document:
    """A plot with everything that one can hold: lines, dashed too, hollow points, a claim, a mark."""
    run = (Dot(0.1, 0.2, "a", True), Dot(0.5, 0.9, "b", False), Dot(0.9, 0.4, "c", True))
    series = tuple(Series(f'"{n}" #x', (run, run[:1])) for n in range(7))
    ticks = ((0.0, "0"), (1.0, "100"))
    plot = Plot(
        "title \\", "sub", "x", "y", ticks, ticks, series, (Box(0.2, 0.4, 0.1, 0.5, "w"),), (0.7, "mark"),
        "of somebody", 'what "it" shows',
    )  # fmt: skip
    figure = Lines("front", 1, (Text("A front"),), plot)
    return Document((Text("t"),), (figure,), {"front": ("figure", 1)})


def test_a_plot_of_lines_is_drawn(pdftotext: str) -> None:
    made = printed(lines(), "report", PDF)["report.pdf"]
    said = words(pdftotext, made)
    for text in (
        "title \\",
        "mark",
        '"6" #x',
        "does not fit",
        "Boxes: of somebody.",
        "1. A front",
    ):
        assert text in said


# --- texts from outside -----------------------------------------------------------------------

HOSTILE = (
    '#include "page.md"', '#read("/etc/passwd")', "$x^2$ \\$", "@label <b>", "// no comment /* nor this",
    '") #panic("out")', '\\") + read("page.md', "#{ 1 + 1 }", "= no heading", "= #image(\"x.png\")",
    "`` raw ` ``", "*bold* _it_", "https://a.b", "\\u{41}", "#sys.inputs", "~ -- ... ' \"",
)  # fmt: skip


@pytest.mark.parametrize("attack", HOSTILE)
def test_hostile_words_are_printed_as_they_are(tmp_path: Path, pdftotext: str, attack: str) -> None:
    code, plain = f"```` {attack} ````", attack.replace("`", "'")
    text = (
        f"{code}\n\n````\n{attack}\n````\n\n````{{chain}} fsdp-memory\n:title: {plain}\n````\n\n"
        f"````{{ledger}} model-state\n:caption: {plain}\n````\n\n| a |\n|--|\n| {code} |\n\n"
        f"````{{question}} {plain}\nx\n````\n"
    )
    said = words(pdftotext, pdf_of(tmp_path, text))
    assert said.count(" ".join(attack.split())) >= 3
    assert said.count(" ".join(plain.split())) >= 3
    assert "root:" not in said


@pytest.mark.parametrize(
    "call", ['read("{}")', 'image("{}")', 'include "{}"', 'import "{}"', 'json("{}")']
)
def test_a_template_reaches_no_file_of_the_machine(tmp_path: Path, call: str) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    for place in ("/etc/passwd", "secret.txt", "../secret.txt", str(tmp_path / "secret.txt")):
        source = f'#set document(title: "t")\n#{call.format(place)}\n'
        with pytest.raises(TemplateFailedError, match=r"^typst, line 2 of report.typ: "):
            compiled(source)


def test_a_template_of_ones_own_that_is_wrong_is_named_by_its_line(tmp_path: Path) -> None:
    folder = tmp_path / "own" / "typst"
    folder.mkdir(parents=True)
    (folder / "document.typ").write_text('#set document(title: "t")\n#nope()\n')
    with pytest.raises(UserError, match=r"^typst, line 2 of report.typ: unknown variable: nope$"):
        build_text(tmp_path, "a\n", options=Options(formats=("pdf",), templates=tmp_path / "own"))


# --- fonts ------------------------------------------------------------------------------------

NOTO = Path("/usr/share/fonts")
CHINESE = NOTO / "opentype/noto/NotoSansCJK-Regular.ttc"
ARABIC = NOTO / "truetype/noto/NotoNaskhArabic-Regular.ttf"
NAMES = [("王小明", CHINESE), ("محمد", ARABIC)]


PLACES = ("a\n\nBy {}.\n", "# Of {}\n\nwords\n", "| a |\n|--|\n| {} |\n", "**{}**\n", "_{}_\n")


@pytest.mark.parametrize("name", ["王小明", "محمد"])
@pytest.mark.parametrize("text", PLACES)
def test_a_character_that_no_font_holds_is_named_with_its_line(
    tmp_path: Path, name: str, text: str
) -> None:
    said = refusal(tmp_path, text.format(name), FRONT, "--format", "pdf")
    line = FIRST + text[: text.index("{}")].count("\n")
    assert said.startswith(f"page.md:{line}: no font holds ")
    assert said.endswith(", expected --font FILE with one that does")
    for sign in name:
        assert f"{sign!r} (U+{ord(sign):04X})" in said


def test_polish_and_greek_names_need_no_font_of_ones_own(tmp_path: Path, pdftotext: str) -> None:
    assert "Łukasz Ωμέγα Đặng Иван" in words(pdftotext, pdf_of(tmp_path, "Łukasz Ωμέγα Đặng Иван\n"))


@pytest.mark.parametrize(("name", "font"), NAMES)
def test_a_font_of_ones_own_sets_what_it_holds(
    tmp_path: Path, pdftotext: str, name: str, font: Path
) -> None:
    if not font.is_file():
        pytest.skip(f"{font.name} is not installed")
    text = f"# Of {name}\n\nBy **{name}** and Łukasz.\n"
    made = pdf_of(tmp_path, text, Options(formats=("pdf",), press=Press(fonts=(font,))))
    said = words(pdftotext, made)
    assert said.count(name) == 2 or said.count(name[::-1]) == 2  # some readers give the drawn order
    other = "あ" if font == ARABIC else "ก"
    with pytest.raises(UserError, match=f"no font holds '{other}'"):
        pdf_of(tmp_path, other, Options(formats=("pdf",), press=Press(fonts=(font,))))


def test_a_font_that_is_none_is_refused(tmp_path: Path) -> None:
    path = source_in(tmp_path, "a\n")
    for font, said in (
        (tmp_path / "gone.ttf", "No such file or directory"),
        (path, "found no font in it, expected a TrueType or OpenType file"),
    ):
        with pytest.raises(UserError) as caught:
            pdf_of(tmp_path, "a\n", Options(formats=("pdf",), press=Press(fonts=(font,))))
        assert str(caught.value) == f"--font {font}: {said}"


# --- the command line -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--format md --font x.ttf", "--font: found it with --format md, expected it with typ or pdf"),
        ("--format md --pdf-engine tex", "--pdf-engine: found it with --format md, expected it with pdf"),
        ("--format pdf --pdf-engine word",
         "--pdf-engine: found 'word', expected one of typst, tex"),
        ("--format pdf --pdf-engine tex --font x.ttf",
         "--font: found it with --pdf-engine tex, which has its own fonts; expected typst"),
        ("--format pdf --fragment", "--fragment: found it with --format pdf, expected md, tex or typ"),
    ],
)  # fmt: skip
def test_an_option_that_would_change_nothing_is_refused(tmp_path: Path, options: str, said: str) -> None:
    assert refusal(tmp_path, "a\n", FRONT, *options.split()) == said


def test_without_the_extra_one_sentence_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    said = refusal(tmp_path, "a\n", FRONT, "--format", "md,pdf")
    assert said == "a PDF needs Typst, which is not installed: pip install 'workings[pdf]'"


def test_a_pdf_is_compared_byte_for_byte(tmp_path: Path) -> None:
    path, out = source_in(tmp_path, "a\n"), tmp_path / "out"
    arguments = ("report", str(path), "-o", str(out), "--format", "pdf")
    assert run(*arguments).exit_code == 0
    assert run(*arguments, "--check").exit_code == 0
    (out / "report.pdf").write_bytes(b"x")
    assert run(*arguments, "--check").exit_code == 1


def test_without_latex_the_engine_of_that_name_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    said = refusal(tmp_path, "a\n", FRONT, "--format", "pdf", "--pdf-engine", "tex")
    assert said == "--pdf-engine tex: found no pdflatex on this machine, expected TeX Live or the like"


@pytest.mark.tex
@pytest.mark.slow
def test_latex_makes_the_pdf_of_who_wants_it(pdflatex: str, tmp_path: Path, pdftotext: str) -> None:
    options = Options(formats=("pdf",), press=press_of("tex", (), ("pdf",)))
    pdf = pdf_of(tmp_path, EVERYTHING, options)
    assert "See figure 1 and table 1." in words(pdftotext, pdf)  # references are resolved
    assert pdf_of(tmp_path, EVERYTHING, options) == pdf
    with pytest.raises(UserError, match=r"^--pdf-engine tex: pdflatex stops: Undefined control sequence"):
        tex_pdf.compiled("\\documentclass{article}\\begin{document}\\nope\\end{document}")
