"""Names, titles, units, values and addresses are words in every format, never markup or script.

A page with hostile words in every place has the structure of the same page with plain words.
"""

import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from attacks import ATTACKS, ON_PAGES
from documents import FRONT, Options, refusal, source_in
from looping import each
from markdown_it import MarkdownIt

from workings.document.blocks import (
    Bars,
    Block,
    Break,
    Chain,
    Code,
    DisplayLine,
    Document,
    Emphasis,
    Gantt,
    Heading,
    Items,
    Line,
    Lines,
    Link,
    Math,
    Note,
    Prose,
    Question,
    Reference,
    Solution,
    Strips,
    Strong,
    Table,
    Text,
    Verbatim,
    Worked,
)
from workings.document.drawn import Bar, Box, Lane, Mark, Part, Strip
from workings.formula import Name, parse_formula
from workings.planning.sweeping.plot import Box as Claim
from workings.planning.sweeping.plot import Dot, Plot, Series
from workings.render.forms import FORMS
from workings.render.reports import build, printed
from workings.render.unprintable import UnprintableError

EVERY = [words for words in (*ATTACKS, *ON_PAGES) if words != "\ud800"]  # which no file can hold
PLAIN = "words"
GITHUB = MarkdownIt("gfm-like", {"html": True, "linkify": False})
NUMBERS = {"c": ("equation", 1), "w": ("equation", 2), "t": ("table", 1), "b": ("figure", 1),
           "g": ("figure", 2), "s": ("figure", 3), "l": ("figure", 4)}  # fmt: skip


def page(words: str) -> Document:
    """A document with these words wherever a name, a title or a text can stand; figures take them raw."""
    said = " ".join(words.split()) or "words"
    text = Text(said)
    pieces: Line = (
        text, Strong((text,)), Emphasis((text,)), Code(said), Math(parse_formula("N")),
        Reference("c", (text,)), Link((text,), "https://example.org/a"),
    )  # fmt: skip
    line = (*(one for piece in pieces for one in (piece, Text(" "))), Break(), text)
    step = DisplayLine(Name("N"), "=", parse_formula("2*M"))
    axis = ((0.0, "0"), (1.0, words))
    series = Series(words[:26], ((Dot(0.2, 0.3, words, True), Dot(0.4, 0.5, words, False)),))
    drawn = Plot(words, words, words, words, axis, axis, (series,), (Claim(0.1, 0.2, 0.3, 0.4, words),),
                 (0.5, words), words, words)  # fmt: skip
    inside: tuple[Block, ...] = (Prose(line), Verbatim(f"{words}\n"), Items(((Prose(line),),)))
    return Document((text,), (
        Heading(2, line), *inside, Note("note", (text,), inside), Note("quote", (), inside),
        Question(said, inside, 1), Solution(inside),
        Chain("c", 1, line, (step,), (line,), (line,)), Worked("w", 2, line, (step,)),
        Table("t", 1, line, "lr", (line, line), ((line, line), (line, line)), (1,)),
        Bars("b", 1, line, words, (Bar(words, (Part(words, 0.5, words),), words),), (words,), axis, words,
             (Mark(0.5, words),)),
        Gantt("g", 2, line, words, (Lane(words, (Box(0.0, 0.5, "f1", words, words),)),), (("f1", words),),
              axis, words),
        Lines("l", 4, line, drawn),
        Strips("s", 3, line, words, (Strip(words, (0.5,), 0.5, words),), ((0.7, f"+2 {words}"),),
               ((0.0, "0"), (0.5, "1")), words),
    ), NUMBERS)  # fmt: skip


class Reader(HTMLParser):
    """The tags of a page with what they carry, and its words; not where a word may break."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.shape: list[object] = []
        self.words = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        led = [
            value for name, value in attrs if name in ("href", "src") and not str(value).startswith("#")
        ]
        if (tag, attrs) != ("wbr", []):
            self.shape.append((tag, sorted(name for name, _ in attrs), led))

    def handle_endtag(self, tag: str) -> None:
        self.shape.append(f"/{tag}")

    def handle_comment(self, data: str) -> None:
        self.shape.append("comment")

    def handle_data(self, data: str) -> None:
        self.words += data


def of_html(text: str) -> tuple[object, str]:
    reader = Reader(text)
    return reader.shape, reader.words


def of_markdown(text: str) -> tuple[object, str]:
    """What GitHub reads: the kinds of pieces, with what HTML there is among them."""
    shape: list[object] = []
    words = ""
    for token in GITHUB.parse(text):
        shape.append((token.type, token.tag))
        if token.type in ("fence", "code_block"):
            words += token.content
        for piece in token.children or []:
            html = piece.content if piece.type.startswith("html") else ""
            shape.append((piece.type, piece.attrs.get("href"), piece.attrs.get("src"), html))
            words += piece.content
    return shape, words


def of_notebook(text: str) -> tuple[object, str]:
    """The cells as Jupyter reads them: mathematics is taken out before Markdown is read."""
    shapes: list[object] = []
    words = ""
    for cell in json.loads(text)["cells"]:
        source = re.sub(r"base64,[A-Za-z0-9+/=]*", "", "".join(cell["source"]))
        formulas, rest = jupyter_mathematics(source)
        shape, said = of_markdown(rest)
        shapes.append((cell["cell_type"], formulas, _unspanned(shape)))
        words += said
    return shapes, words


def jupyter_mathematics(source: str) -> tuple[list[str], str]:
    """The formulas that JupyterLab finds, and what is left: as its `rendermime` looks for them.

    Signs in code do not count; a formula ends at an empty line; braces in it come in pairs.
    """
    for code in (r"^(`{3,})[^`\n]*\n(?:.|\n)*?^\1`*$", r"(?:^|(?<=[^\\]))(`+)[^\n]*?[^`\n]\1(?!`)"):
        source = re.sub(
            code,
            lambda m: m[0].replace("$", "\ue000").replace("\\", "\ue001"),
            source,
            flags=re.MULTILINE,
        )
    splitting = r"(\$\$?|\\(?:begin|end)\{[a-z]*\*?\}|\\[{}$]|[{}]|(?:\n\s*)+|\\\\[()\[\]])"
    found, rest, begun, ending, depth = [], "", "", "", 0
    for piece in re.split(splitting, source, flags=re.IGNORECASE):
        ends = {"$": "$", "$$": "$$", r"\\(": r"\\)", r"\\[": r"\\]"}
        if not begun and (piece in ends or piece.startswith(r"\begin{")):
            begun, ending, depth = piece, ends.get(piece, piece.replace("begin", "end")), 0
        elif begun and piece == ending and not depth:
            found.append(begun + piece)
            rest, begun = f"{rest}FORMULA", ""
        elif begun and re.search(r"\n\s*\n", piece):
            rest, begun = rest + begun + piece, ""
        elif begun:
            begun += piece
            depth += {"{": 1, "}": -1}.get(piece, 0) if depth or piece != "}" else 0
        else:
            rest += piece
    return found, (rest + begun).replace("\ue000", "$").replace("\ue001", "\\")


def _unspanned(shape: object) -> list[object]:
    """Pieces without the elements that keep a sign by itself, and what they cut in two as one."""
    kept: list[object] = []
    for piece in shape:  # type: ignore[attr-defined]
        if piece[-1] in ("<span>", "</span>") or (kept and piece[0] == "text" and kept[-1] == piece):
            continue
        is_figure = piece[0] == "html_inline" and piece[-1].startswith("<img ")
        kept.append(_tag_of(piece[-1]) if is_figure else piece)
    return kept


def _tag_of(tag: str) -> object:
    """A tag and the names of what it carries."""
    return Reader(tag).shape


def of_latex(text: str) -> tuple[object, str]:
    """Commands but those that print a sign, and how many signs with a meaning to TeX stand bare."""
    commands = set(re.findall(r"\\[A-Za-z@]+", text)) - PRINTING
    bare = re.sub(r"\\[^A-Za-z@]", "", re.sub("|".join(map(re.escape, PRINTING)), "", text))
    assert bare.count("{") == bare.count("}")
    return (commands, {sign: bare.count(sign) for sign in "$&#^_%"}), ""


# What `escape` writes for signs, all of which print one.
PRINTING = {
    r"\textbackslash", r"\textasciicircum", r"\textasciitilde", r"\textless", r"\textgreater",
    r"\textbar", r"\textquotedbl", r"\textquotesingle", r"\textasciigrave", r"\allowbreak", r"\ldots",
}  # fmt: skip


def of_typst(text: str) -> tuple[object, str]:
    """The code with every string and place as the same; a long string may be cut into several."""
    code = re.sub(r"\b[0-9.]+mm", "mm", re.sub(r'"(?:[^"\\]|\\.)*"', '""', text))
    return re.sub(r'\{raw\(""\)(?:; cut; raw\(""\))+\}', 'raw("")', code), ""


READERS: Mapping[str, Callable[[str], tuple[object, str]]] = {
    "md": of_markdown, "html": of_html, "ipynb": of_notebook, "tex": of_latex, "typ": of_typst,
}  # fmt: skip
OF_ANOTHER = {"pdf"}  # made from the text of another format
# Characters that a format names and refuses; what else its fonts lack, only a press knows.
REFUSED = {"tex": re.compile(r"[^\n -~]"), "typ": re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u202e]")}


def made_of(words: str, extension: str) -> Mapping[str, str]:
    return printed(page(words), "report", Options(formats=(extension,)))


@cache
def plain_shape(extension: str, length: int) -> object:
    """The structure of a page of plain words as long as others: how much room they take is part of it."""
    return READERS[extension](made_of("w" * length, extension)[f"report.{extension}"])[0]


def test_every_format_has_a_reader_here() -> None:
    assert set(READERS) | OF_ANOTHER >= set(FORMS)


def held(text: str) -> str:
    """Words as a page holds them: without breaks, a control character as a sign that it was one."""
    return re.sub(r"[\x00-\x1f\x7f]", "\ufffd", " ".join(text.split()))


@pytest.mark.parametrize("extension", READERS)
@each("words", EVERY)
def test_hostile_words_leave_a_page_as_it_is(words: str, extension: str) -> None:
    if extension in REFUSED and REFUSED[extension].search(words):
        with pytest.raises(UnprintableError):
            made_of(words, extension)
        return
    shape, said = READERS[extension](made_of(words, extension)[f"report.{extension}"])
    assert shape == plain_shape(extension, len(held(words)))
    if said:
        assert held(words) in held(said)


@each("words", EVERY)
def test_hostile_words_leave_a_drawing_as_it_is(words: str) -> None:
    def shapes(text: str) -> list[list[tuple[str, list[str]]]]:
        made = made_of(text, "md")
        drawings = [ElementTree.fromstring(t) for name, t in made.items() if name.endswith(".svg")]  # noqa: S314
        assert len(drawings) == 4
        return [[(one.tag, sorted(one.attrib)) for one in drawing.iter()] for drawing in drawings]

    assert shapes(words) == shapes(PLAIN)


# Places of a source, and words in them that are no Markdown: a page of words has the same structure.
PLACES = """## EVIL

EVIL

- EVIL

| EVIL |
|---|
| EVIL |

```{note} EVIL
EVIL
```

```{question} EVIL
EVIL
```

```{worked} fsdp-memory N=156
```

```{ledger} model-state
:caption: EVIL
```

```{symbols}
```

```{table}
caption = "EVIL"
[[column]]
title = "EVIL"
key = "k"
[[column]]
title = "x"
id = "fsdp-memory N=156"
[[row]]
k = "EVIL"
```

```{figure} f
caption = "EVIL"
limit = "1 GB"
limit-name = "EVIL"
[[bar]]
name = "EVIL"
[[bar.part]]
name = "EVIL"
id = "model-state"
```
"""
SCENARIO = """name = "EVIL"
[model]
name = "EVIL"
d_model = 1024
d_ff = 4096
blocks = 16
[hardware]
preset = "h100-sxm"
name = "EVIL"
[training]
batch = 4
sequence_length = 2048
"""
IN_SOURCES = ["<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "{{ 7+7 }} {% x %} << 7+7 >>",
              "$x$ for $5", "#eval(1) #{x}", "}\\\\input{x}", "]]><!-- cell -->",
              "' onload='x"]  # fmt: skip


@pytest.mark.parametrize("extension", READERS)
def test_a_source_with_hostile_words_gives_a_page_of_words(extension: str, tmp_path: Path) -> None:
    def made(words: str) -> object:
        (tmp_path / "evil.toml").write_text(SCENARIO.replace("EVIL", words), encoding="utf-8")
        front = FRONT.replace("A page", words).replace('"xxl-220b"', '"evil.toml"')
        path = source_in(tmp_path, PLACES.replace("EVIL", words), front)
        return READERS[extension](str(build(path, Options(formats=(extension,)))[f"report.{extension}"]))[
            0
        ]

    for words in IN_SOURCES:  # columns are wide for long words
        first = "1" if any(sign.isdigit() for sign in words) else ""  # words with a number are marked
        assert made(words) == made((first + PLAIN * 9)[: len(words)]), words


@each(
    "value", ["<script>", "1 <b>", "$1$", "javascript:alert(1)", "80 GB\\\\n", "#x", "__import__('os')"]
)
def test_a_unit_or_a_value_that_is_none_is_refused(value: str, tmp_path: Path) -> None:
    quoted = value.replace("'", "")
    refusal(tmp_path, f"```{{worked}} fsdp-memory N='{quoted}'\n```\n")
    refusal(tmp_path, f"```{{worked}} fsdp-memory N=156\n:unit: {value}\n```\n")
    refusal(tmp_path, f"{{value}}`fsdp-memory unit='{quoted}'`\n")


@pytest.mark.parametrize("extension", READERS)
def test_an_address_that_could_run_something_is_no_link(extension: str, tmp_path: Path) -> None:
    for address in ("javascript:alert(1)", "data:text/html,x", "vbscript:x", "file:///etc/passwd"):
        path = source_in(tmp_path, f"[x]({address}) and <{address}>\n")
        shape, _ = READERS[extension](
            str(build(path, Options(formats=(extension,)))[f"report.{extension}"])
        )
        assert address not in str(shape)
        assert r"\\href" not in str(shape)
