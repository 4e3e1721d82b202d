"""Inline pieces as GitHub's Markdown: nothing a reader typed turns into markup."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from workings.document.blocks import (
    Break,
    Code,
    Document,
    Emphasis,
    Link,
    Math,
    Number,
    Reference,
    Strong,
    Text,
)
from workings.errors import UserError
from workings.formula import parse_formula
from workings.render.markdown import MarkdownWriter, anchor, in_text

NUMBERS = {"fsdp memory": ("equation", 3), "t": ("table", 2), "f": ("figure", 1)}
WRITER = MarkdownWriter(Document((), (), NUMBERS))
GITHUB = MarkdownIt("gfm-like", {"html": True, "linkify": False})


def read_back(markdown: str) -> str:
    """The text of a paragraph as a Markdown reader sees it; anything but text is refused."""
    tokens = GITHUB.parse(markdown)
    assert [t.type for t in tokens] == ["paragraph_open", "inline", "paragraph_close"], markdown
    children = tokens[1].children or []
    assert all(t.type == "text" for t in children), markdown
    return "".join(t.content for t in children)


WORDS = st.text(st.sampled_from(list("abc123 ()[]{}<>|*_~`$#+-=.!&;:/\\\"'^%@é")), min_size=1).map(
    str.strip
)


@given(WORDS.filter(bool))
def test_words_are_read_back_as_they_were(words: str) -> None:
    words = " ".join(words.split())
    assert read_back(WRITER.line((Text(words),))) == words


@pytest.mark.parametrize(
    "words",
    ["1. x", "12) x", "94.88 GB", "- x", "+ x", "# x", "> x", "=", "---", "* x", "&lt;", "&#60;",
     "R&D", "a | b", "$x$", "~~x~~", "<b>", "[a](b)", "![a](b)", "`a`", "\\", "1986\\. x"],
)  # fmt: skip
def test_what_would_open_markup_is_escaped(words: str) -> None:
    assert read_back(WRITER.line((Text(words),))) == words


def test_a_number_at_the_start_of_a_line_is_left_alone() -> None:
    assert WRITER.line((Text("156 devices"),)) == "156 devices"
    assert WRITER.line((Number("94.88", "GB"),)) == "94.88 GB"
    assert WRITER.line((Text("3.5 times"),)) == "3.5 times"


def test_a_line_after_a_break_cannot_open_a_list_either() -> None:
    made = WRITER.line((Text("a"), Break(), Text("- b"), Break(), Text("=")))
    assert made == "a\\\n\\- b\\\n\\="


@pytest.mark.parametrize("code", ["a", "a`b", "`a", "a``b`", "``", "`", "x | y", "--set N=1"])
def test_code_is_read_back_as_it_was(code: str) -> None:
    [token] = GITHUB.parseInline(WRITER.line((Text("x"), Code(code))))[0].children[1:]  # type: ignore[index]
    assert (token.type, token.content) == ("code_inline", code)


def test_a_table_cell_has_no_bare_bar_and_one_line() -> None:
    line = (Text("a | b"), Break(), Code("c | d"), Strong((Text("|"),)))
    cell = WRITER.cell(line)
    assert not re.search(r"(?<!\\)\|", cell)
    assert "\n" not in cell
    rows = GITHUB.parse(f"| x | y |\n|---|---|\n| {cell} | z |\n")
    cells = [t.children or [] for t in rows if t.type == "inline"][2:]
    assert len(cells) == 2
    assert [(t.type, t.content) for t in cells[0] if t.content] == [
        ("text", "a | b "), ("code_inline", "c | d"), ("text", "|")
    ]  # fmt: skip


def test_pieces_nest() -> None:
    line = (
        Strong((Text("a "), Emphasis((Math(parse_formula("S/N")),)))),
        Link((Code("x"),), "https://example.org/a_b"),
    )
    assert WRITER.line(line) == "**a *$`S/N`$***[`x`](https://example.org/a_b)"


def test_references_name_their_kind_and_lead_to_their_anchor() -> None:
    assert WRITER.line((Reference("fsdp memory"),)) == "[(3)](#eq-fsdp-memory)"
    assert WRITER.line((Reference("t"),)) == "[table 2](#table-t)"
    assert WRITER.line((Reference("f"),)) == "[figure 1](#figure-f)"
    assert anchor("equation", 'a "><b') == "eq-a-b"


def test_numbers_keep_their_unit_and_powers_of_ten_are_formulas() -> None:
    assert WRITER.line((Number("1,024", "GiB"),)) == "1,024 GiB"
    assert WRITER.line((Number("3"),)) == "3"
    assert WRITER.line((Number("1.2e15", "FLOP"),)) == r"$`1.2 \cdot 10^{15}\,\text{FLOP}`$"


def test_a_reason_is_words_and_formulas_inside_mathematics() -> None:
    line = (Text("multiply by "), Math(parse_formula("N")))
    assert WRITER.reason(line) == r"\text{multiply by } N"


@pytest.mark.parametrize("words", ["50%", "a_b", "$", "\\x", "{", "}", "#", "&", "^", "~"])
def test_signs_that_tex_would_read_are_refused_in_a_reason(words: str) -> None:
    with pytest.raises(UserError, match="put formulas in backticks"):
        in_text(words)


def test_a_reason_holds_nothing_else() -> None:
    with pytest.raises(UserError, match="a reason can hold words and formulas"):
        WRITER.reason((Code("x"),))


def test_verbatim_text_cannot_end_its_fence() -> None:
    made = WRITER.verbatim("a\n```\n# b\n````\n")
    assert "```" not in made
    assert made.startswith("a\n")
