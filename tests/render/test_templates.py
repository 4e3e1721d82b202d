"""Templates hold words and layout: no arithmetic, no undefined names, nothing to break out by."""

from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import get_args
from xml.etree import ElementTree

import pytest
from documents import FIGURE, Options, build_text, run, source_in
from jinja2 import UndefinedError, nodes

from workings.document.blocks import (
    Answer,
    Bars,
    Block,
    Chain,
    Display,
    DisplayLine,
    Document,
    Gantt,
    Heading,
    Hints,
    Image,
    Items,
    Lines,
    Note,
    Part,
    Prose,
    Question,
    Solution,
    Strips,
    Table,
    Text,
    Verbatim,
    Worked,
)
from workings.errors import UserError
from workings.formula import Name, parse_expression
from workings.planning.sweeping.plot import Plot
from workings.render.environment import BRACED, environment, render, template_folder
from workings.render.forms import FORMS, Form
from workings.render.reports import printed
from workings.render.view import view

TEMPLATES = sorted(p for p in template_folder().rglob("*") if p.is_file())
ARITHMETIC = (nodes.Add, nodes.Sub, nodes.Mul, nodes.Div, nodes.FloorDiv, nodes.Mod, nodes.Pow,
              nodes.Neg)  # fmt: skip
# Filters that lay words out; any other needs a reason here. `length` is for layout by how much there is.
LAYING_OUT = {"default", "indent", "join", "length", "safe", "trim"}


def trees() -> Iterator[tuple[str, nodes.Template]]:
    for path in TEMPLATES:
        name = path.relative_to(template_folder())
        yield str(name), environment(name.parts[0]).parse(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(("name", "tree"), list(trees()))
def test_a_template_does_not_compute(name: str, tree: nodes.Template) -> None:
    assert not list(tree.find_all(ARITHMETIC)), f"{name} computes"
    filters = {str(node.name) for node in tree.find_all(nodes.Filter)}
    assert filters <= LAYING_OUT, f"{name} computes"
    assert not list(tree.find_all(nodes.NSRef)), f"{name} counts"


def test_the_rule_would_see_arithmetic() -> None:
    tree = environment("latex").parse("<< a + -b * 2 >><% if x % 2 %><< y | round >><% endif %>")
    assert {type(node) for node in tree.find_all(ARITHMETIC)} == {
        nodes.Add, nodes.Neg, nodes.Mul, nodes.Mod
    }  # fmt: skip
    assert [node.name for node in tree.find_all(nodes.Filter)] == ["round"]
    counting = "<% set n = namespace(x=0) %><% set n.x = y %>"
    assert list(environment("latex").parse(counting).find_all(nodes.NSRef))


@pytest.mark.parametrize(("name", "tree"), list(trees()))
def test_a_template_calls_only_macros_and_range(name: str, tree: nodes.Template) -> None:
    called = {
        node.node.name if isinstance(node.node, nodes.Name) else "something else"
        for node in tree.find_all(nodes.Call)
    }
    macros = {macro.name for macro in tree.find_all(nodes.Macro)} | {"blocks", "range"}
    methods = {
        node.node.attr for node in tree.find_all(nodes.Call) if isinstance(node.node, nodes.Getattr)
    }
    assert called - macros <= {"something else"}, name
    assert methods <= {"strip", "splitlines", "cycle"}, (
        name
    )  # of text; of a loop, where each second differs


WORDS = (Text("words"),)
DOT = b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
SAMPLES: tuple[Block, ...] = (
    Heading(2, WORDS), Prose(WORDS), Items(((Prose(WORDS),),)), Verbatim("words\n"),
    Note("note", WORDS, (Prose(WORDS),)), Question("(a)", (Prose(WORDS),), 2),
    Part("a", (Prose(WORDS),), 2, 1.0, "1"), Answer("", WORDS, WORDS, 2.0, WORDS, ((WORDS, 1.0),)),
    Solution((Prose(WORDS),)),
    Display((DisplayLine(Name("N"), "=", parse_expression("2*M")),)), Hints((WORDS, WORDS)),
    Image("i", 5, WORDS, "words", "dot.png", "png", DOT),
    Chain("c", 1, WORDS, (DisplayLine(Name("N"), "=", parse_expression("2*M"), WORDS),)),
    Worked("w", 2, WORDS, (DisplayLine(Name("N"), "=", parse_expression("2*M")),)),
    Table("t", 1, WORDS, "l", (WORDS,), ((WORDS,),)),
    Bars("b", 1, WORDS, "words", (), (), ((0.0, "0"), (1.0, "1")), "GB"),
    Gantt("g", 2, WORDS, "words", (), (), ((0.0, "0"), (1.0, "1")), "s"),
    Strips("s", 3, WORDS, "words", (), (), ((0.0, "0"), (1.0, "1")), "1"),
    Lines("l", 4, WORDS, Plot(*("words",) * 4, *((),) * 4, None, "", "words")),
)  # fmt: skip
# Each folder of templates, once, with its file of macros; a format of bytes is made of one of the others.
FOLDERS = {form.folder: f"blocks{Path(form.template).suffix}" for form in reversed(list(FORMS.values()))}
NUMBERED = {"equation": ("c", "w"), "table": ("t",), "figure": ("b", "g", "s", "l", "i")}
NUMBERS = {label: (kind, n) for kind, of in NUMBERED.items() for n, label in enumerate(of, 1)}


def kind_of(block: Block, form: Form) -> str:
    document = Document(WORDS, (block,), NUMBERS)
    return str(view(document, form, sheet=False)["page"][0]["kind"])


def test_every_block_of_documents_has_a_sample_here() -> None:
    assert [type(block) for block in SAMPLES] == list(dict.fromkeys(map(type, SAMPLES)))
    assert set(map(type, SAMPLES)) == set(get_args(Block))


@pytest.mark.parametrize("extension", FORMS)
def test_every_block_has_a_macro_in_every_format(extension: str) -> None:
    form = FORMS[extension]
    [path] = [p for p in TEMPLATES if p.parent.name == form.folder and p.stem == "blocks"]
    tree = environment(form.folder).parse(path.read_text(encoding="utf-8"))
    macros = {macro.name for macro in tree.find_all(nodes.Macro)}
    missing = {kind_of(block, form) for block in SAMPLES} - macros
    assert not missing, f"{form.folder}/{path.name} has no macro for {', '.join(sorted(missing))}"


@pytest.mark.parametrize("extension", FORMS)
def test_every_block_is_printed_in_every_format(extension: str) -> None:
    bare = printed(Document(WORDS, (), NUMBERS), "report", Options(formats=(extension,)))
    for block in SAMPLES:
        document = Document(WORDS, (block,), NUMBERS)
        made = printed(document, "report", Options(formats=(extension,)))
        assert made[f"report.{extension}"] != bare[f"report.{extension}"], type(block).__name__


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_block_without_a_macro_is_an_error_and_not_left_out(folder: str) -> None:
    blocks = environment(folder).get_template(FOLDERS[folder]).module.blocks  # type: ignore[attr-defined]
    with pytest.raises(UndefinedError, match="has no attribute 'sculpture'"):
        blocks([{"kind": "sculpture"}])


@pytest.mark.parametrize("folder", FOLDERS)
def test_one_macro_changes_one_block_of_any_format(folder: str, tmp_path: Path) -> None:
    extension, name = next(e for e, form in FORMS.items() if form.folder == folder), FOLDERS[folder]
    mine = (
        '{% from "ours/NAME" import blocks with context %}{% macro note(b) %}MINE: {{ blocks(b.blocks) }}'
    )
    mine += "{% endmacro %}"
    if folder in BRACED:
        for ours, theirs in (("{%", "<%"), ("%}", "%>"), ("{{", "<<"), ("}}", ">>")):
            mine = mine.replace(ours, theirs)
    templates = own(tmp_path, folder, name, mine.replace("NAME", name))
    document = Document(WORDS, (Note("note", (Text("ti"),), (Prose((Text("inside"),)),)), SAMPLES[0]), {})
    ours, theirs = (
        str(printed(document, "report", Options(formats=(extension,), templates=chosen)))
        for chosen in (None, templates)
    )
    assert "MINE: " in theirs
    assert "MINE: " not in ours
    assert "inside" in theirs
    assert theirs.count("words") == ours.count("words")  # the heading is as it was


def own(folder: Path, form: str, name: str, text: str) -> Path:
    """A template folder of the user's own."""
    (folder / "own" / form).mkdir(parents=True, exist_ok=True)
    (folder / "own" / form / name).write_text(text)
    return folder / "own"


def test_a_users_file_replaces_ours_and_the_others_stay(tmp_path: Path) -> None:
    ours = (template_folder() / "markdown" / "blocks.md").read_text(encoding="utf-8")
    theirs = ours.replace("**{{ words[b.style] }}**", "**Merke**")
    assert theirs != ours
    folder = own(tmp_path, "markdown", "blocks.md", theirs)
    text = "```{note}\nx\n```\n"
    made = build_text(tmp_path, text, options=Options(templates=folder))
    assert "> **Merke**\n" in made["report.md"]
    assert r"\textbf{Note}\par" in made["report.tex"]


def test_the_option_reaches_reports_and_single_derivations(tmp_path: Path) -> None:
    folder = own(tmp_path, "markdown", "document.md", "mine: {{ page | length }}\n")
    path = source_in(tmp_path, "a\n\nb\n")
    run("report", str(path), "-o", str(tmp_path / "out"), "--templates", str(folder))
    assert (tmp_path / "out" / "report.md").read_text() == "mine: 2\n"
    shown = run("show", "fsdp-memory", "--format", "md", "--templates", str(folder))
    assert shown.stdout == "mine: 1\n"


BROKEN = [
    ("{{ titel }}", "'titel' is undefined"),
    ("{{ page[0].nope }}", "has no attribute 'nope'"),
    ("{{ page[99].kind }}", "has no element 99"),
    ("{% if x %}", "Unexpected end of template"),
    ("{{ title | nope }}", "No filter named 'nope'"),
    ("{% include 'nope.md' %}", "nope.md"),
    ("{% include '../../../etc/passwd' %}", "../../../etc/passwd"),
    ("{% include '/etc/passwd' %}", "/etc/passwd"),
    ("{{ 1 / 0 }}", "division by zero"),
    ("{{ 1 + 'a' }}", "unsupported operand"),
    ("{% for x in 3 %}{% endfor %}", "not iterable"),
    ("{{ range(10**9) | length }}", "Range too big"),
    ("{{ title.__class__ }}", "unsafe"),
    ("{{ ''.__class__.__mro__[1].__subclasses__() }}", "unsafe"),
    ("{{ page.__init__.__globals__ }}", "unsafe"),
    ("{{ title | attr('__class__') | list }}", "unsafe"),
    ("{{ '{0.__class__}'.format(title) }}", "unsafe"),
    ("{{ page.append('x') }}", "unsafe"),
    ("{{ page[0].update({'kind': 'x'}) }}", "unsafe"),
    ("{{ page[0].clear() }}", "unsafe"),
    ("{{ self.__class__ }}", "unsafe"),
    ("{{ range.__self__ }}", "no attribute '__self__'"),
    ("{{ cycler.__init__.__globals__.os.popen('id') }}", "unsafe"),
    ("{{ lipsum.__globals__ }}", "unsafe"),
    ("{{ joiner.__init__.__globals__ }}", "unsafe"),
    ("{% import os %}", "expected token 'as'"),
    ("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "recursion depth"),
]


@pytest.mark.parametrize(("text", "problem"), BROKEN)
def test_what_a_users_template_cannot_do_ends_in_one_sentence(
    tmp_path: Path, text: str, problem: str
) -> None:
    folder = own(tmp_path, "markdown", "document.md", f"\n{text}\n")
    path, out = source_in(tmp_path, "a\n"), tmp_path / "out"
    result = run("report", str(path), "-o", str(out), "--templates", str(folder))
    assert result.exit_code == 2
    assert result.stderr.startswith("workings: markdown/document.md")
    assert problem in result.stderr
    assert result.stderr.count("\n") == 1
    assert not out.exists()  # though LaTeX's own templates are fine


def test_the_place_in_a_template_is_named(tmp_path: Path) -> None:
    ours = (template_folder() / "markdown" / "blocks.md").read_text(encoding="utf-8")
    line = ours[: ours.index("{{ b.text }}")].count("\n") + 1
    folder = own(tmp_path, "markdown", "blocks.md", ours.replace("b.text", "b.txt", 1))
    with pytest.raises(UserError, match=rf"^markdown/blocks\.md:{line}: .*'txt'"):
        build_text(tmp_path, "# a\n\nb\n", options=Options(templates=folder))


def test_a_template_that_is_not_utf_8_is_named(tmp_path: Path) -> None:
    folder = own(tmp_path, "markdown", "document.md", "")
    (folder / "markdown" / "document.md").write_bytes(b"\xff")
    with pytest.raises(UserError, match=r"^markdown/document\.md: .*utf-8"):
        build_text(tmp_path, "a\n", options=Options(templates=folder))


def test_a_folder_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"^--templates nowhere: no such folder$"):
        build_text(tmp_path, "a\n", options=Options(templates=Path("nowhere")))


def test_drawings_escape_what_they_are_given_and_the_others_take_it_ready_made() -> None:
    assert environment("figures").autoescape is True
    assert environment("html").autoescape is True
    assert environment("markdown").autoescape is False
    assert environment("latex").autoescape is False
    values: dict[str, object] = {
        "alternative": "<b> & \"'", "width": "1", "height": "1", "ticks": [], "bars": [],
        "left": "0", "right": "1", "axis_y": "0", "marks": [], "legend": [], "unit": "GB",
    }  # fmt: skip
    drawing = ElementTree.fromstring(render("figures", "bars.svg", values))  # noqa: S314 - ours
    assert drawing.attrib["aria-label"] == "<b> & \"'"


def test_a_users_drawing_escapes_too(tmp_path: Path) -> None:
    folder = own(tmp_path, "figures", "bars.svg", "<svg><text>{{ bars[0].name }}</text></svg>")
    text = FIGURE.replace('"whole"', '"<a> & b"')
    made = build_text(tmp_path, text, options=Options(templates=folder))
    assert made["memory.svg"] == "<svg><text>&lt;a&gt; &amp; b</text></svg>"


def test_latex_templates_keep_braces_free_for_tex() -> None:
    made = environment("latex").from_string("{{ a }} {% b %} {# c #} << d >>").render(d="<< e >>")
    assert made == "{{ a }} {% b %} {# c #} << e >>"
