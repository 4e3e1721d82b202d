"""Inline pieces as Typst code: every text is a string, every call one of ours."""

import re

import pytest

from workings.document.blocks import (
    Break,
    Code,
    Document,
    Emphasis,
    Line,
    Link,
    Math,
    Number,
    Reference,
    Strong,
    Text,
)
from workings.formula import parse_formula
from workings.render.typst import TypstWriter, quoted
from workings.render.unprintable import UnprintableError

NUMBERS = {"fsdp memory": ("equation", 3), "t": ("table", 2), "f": ("figure", 1)}
WRITER = TypstWriter(Document((), (), NUMBERS, elsewhere={"f": "workings"}))


@pytest.mark.parametrize(
    ("line", "written"),
    [
        ((), ""),
        ((Text(""),), ""),
        ((Text("a"),), '"a"'),
        ((Text("a "), Strong((Text("b"),))), '{"a "; strong("b")}'),
        ((Emphasis(()),), 'emph("")'),
        ((Text("don't 'quote'"),), "\"don’t 'quote'\""),
        ((Code("a_b"),), 'raw("a_b")'),
        ((Code("microbatch_size"),),
         '{raw("microbatch"); cut; raw("_"); cut; raw("size")}'),
        ((Math(parse_formula("a/b")),), 'm("a/b", $a class("normal", \\/)b$)'),
        ((Number("94.88", "GB"),), '"94.88\u00a0GB"'),
        ((Number("1.8e11"),), 'm("1.8 · 10^11", $1.8\u22c5attach(10, t: 11)$)'),
        ((Reference("fsdp memory"),), 'to(label("equation-fsdp-memory"), "equation", "3")'),
        ((Reference("t", (Text("there"),)),), 'link(label("table-t"), "there")'),
        ((Reference("f"),), 'to("workings.pdf#figure-f", "figure", "1")'),
        ((Reference("gone", (Text("there"),)),), '"there"'),
        ((Link((Text("x"),), "https://a.b/c#d"),), 'link("https://a.b/c#d", "x")'),
        ((Break(),), "linebreak()"),
    ],
)  # fmt: skip
def test_a_line_is_one_expression(line: Line, written: str) -> None:
    assert WRITER.line(line) == written


STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)


@pytest.mark.parametrize(
    "text",
    ['")', '\\") #read("/etc/passwd', "#include \"x\"", "$x$ @a <b> // /* `c`", "\\", '\\"', "\\u{22}"],
)  # fmt: skip
def test_no_text_ends_its_string(text: str) -> None:
    for piece in (Text(text), Code(text), Strong((Text(text),)), Number("1", text)):
        left = STRING.sub("", WRITER.line((piece,)))
        assert set(re.sub(r"raw|strong|cut", "", left)) <= set("(){}; "), left


@pytest.mark.parametrize("sign", ["\x00", "\x07", "\x1b", "\u202e", "\u2066", "\ufeff", "\ud800"])
def test_a_sign_that_would_act_unseen_is_refused_by_its_code(sign: str) -> None:
    with pytest.raises(UnprintableError, match=f"U\\+{ord(sign):04X}") as caught:
        quoted(f"a{sign}")
    assert caught.value.character == sign


def test_the_words_of_a_figure_are_escaped_wherever_they_stand() -> None:
    assert WRITER.drawn({"x": "1.00", "bars": [{"name": 'a"b\\', "dark": True}]}) == {
        "x": "1.00", "bars": [{"name": 'a\\"b\\\\', "dark": True}]
    }  # fmt: skip
