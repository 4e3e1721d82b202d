"""Words inside a line: Markdown's emphasis, code and links, and the roles of this project.

$S/N$ and {math}`S/N` are formulas, {value}`fsdp-memory N=156` a computed number, {ref}`fsdp-memory` the
number of an equation, table or figure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.myst_role import myst_role_plugin

from workings.document.blocks import (
    Break,
    Code,
    Emphasis,
    Inline,
    Line,
    Link,
    Math,
    Number,
    Reference,
    Strong,
    Text,
)
from workings.document.made_of import Amount
from workings.document.page import Page
from workings.document.typed import typed_formula
from workings.errors import UserError
from workings.formula import parse_formula

MAX_LEVEL = 20
ADDRESS = re.compile(r"https?://[A-Za-z0-9./_~%#?=&:+-]{1,500}|[A-Za-z0-9][A-Za-z0-9./_-]{0,200}")


@cache
def markdown() -> MarkdownIt:
    """CommonMark without raw HTML, with tables, roles and formulas between dollars."""
    made = MarkdownIt("commonmark", {"html": False}).enable("table").use(myst_role_plugin)
    return made.use(dollarmath_plugin, allow_space=False, allow_digits=False, allow_labels=False)


def line_of(text: str, page: Page, line: int) -> Line:
    """Read one line of Markdown. Raises DocumentError naming the line."""
    tokens = markdown().parseInline(text)
    return line_of_tokens(tokens[0].children or [], page, line)


def line_of_tokens(tokens: Sequence[Token], page: Page, line: int) -> Line:
    """markdown-it's inline tokens as inline pieces."""
    return tuple(_pieces(_with_lines(tokens, page, line), page, None))


def _with_lines(tokens: Sequence[Token], page: Page, line: int) -> Iterator[tuple[Token, int]]:
    for token in tokens:
        if token.level > MAX_LEVEL:
            raise page.source.fail(line, f"emphasis or links nested deeper than {MAX_LEVEL}")
        yield token, line
        line += token.type in ("softbreak", "hardbreak")


def _pieces(tokens: Iterator[tuple[Token, int]], page: Page, until: str | None) -> Iterator[Inline]:
    for token, line in tokens:
        if token.type == until:
            return
        match token.type:
            case "text":
                if token.content:
                    yield Text(token.content)
            case "softbreak":
                yield Text(" ")
            case "hardbreak":
                yield Break()
            case "code_inline":
                yield Code(token.content)
            case "strong_open":
                yield Strong(tuple(_pieces(tokens, page, "strong_close")))
            case "em_open":
                yield Emphasis(tuple(_pieces(tokens, page, "em_close")))
            case "link_open":
                address = str(token.attrs.get("href", ""))
                inside = tuple(_pieces(tokens, page, "link_close"))
                if page.leads is None:
                    yield _link(inside, address, page, line)
                elif led := page.leads(address):
                    yield Link(inside, led)
                else:
                    yield from inside
            case "math_inline":
                yield Math(typed_formula(token.content, page, line), units=True)
            case "myst_role":
                yield role(str(token.meta["name"]), token.content, page, line)
            case other:
                raise page.source.fail(line, f"found {other}, which documents cannot hold")


def role(name: str, content: str, page: Page, line: int) -> Inline:
    """A role's piece. Raises DocumentError naming the line."""
    try:
        match name:
            case "math":
                return Math(parse_formula(content))
            case "value":
                if text := page.named(content):
                    return Text(text)
                shown = page.desk.measure(content).shown(page.style)
                return Number(shown.number, shown.unit, page.made(Amount(content, page.style)))
            case "ref":
                page.wanted.append((content, line))
                return Reference(content)
    except UserError as error:
        raise page.source.fail(line, f"{{{name}}}`{content[:80]}`: {error}") from error
    raise page.source.fail(line, f"found role {{{name}}}, expected math, value or ref")


def _link(inside: Line, address: str, page: Page, line: int) -> Link:
    if not ADDRESS.fullmatch(address) or ".." in address:
        raise page.source.fail(line, f"found link to {address[:80]!r}, expected http(s) or a file")
    return Link(inside, address)
