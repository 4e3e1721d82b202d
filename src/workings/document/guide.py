"""Markdown that was written for people, such as a guide: no front matter, and HTML of its own is dropped.

A block of `markdown` before `<!-- printed -->` is a source; what it prints stands after it, in place of
what the guide holds of that up to `<!-- end -->`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from workings.document.blocks import Block, Document, Heading, Verbatim
from workings.document.front import Front, Source
from workings.document.page import Page, open_page
from workings.document.read import LEAVES, Blocks, read_blocks
from workings.document.survey import survey

PRINTED, END = "<!-- printed -->", "<!-- end -->"


def read_guide(path: Path, leads: Callable[[str], str], scenario: str) -> Document:
    """A guide as a document: its first heading is its title. Raises DocumentError.

    `leads` says where the address of a link leads; `scenario` is what its sources are printed at.
    """
    text = path.read_text(encoding="utf-8")
    page = open_page(Source(path, Front(title=path.stem, scenario=scenario, scope="section"), text, 1))
    page.leads, page.leaves = leads, LEAVES
    first, *rest = _Guide(text, page).until(None)
    if not isinstance(first, Heading):
        raise page.source.fail(0, "found no heading, expected one on the first line")
    return Document(first.line, tuple(rest), page.numbers)


@cache
def _markdown() -> MarkdownIt:
    """CommonMark with tables; HTML is told apart, so that it can be left out."""
    return MarkdownIt("commonmark", {"html": True}).enable("table")


class _Guide(Blocks):
    """A guide's tokens, without HTML, and with what its sources print."""

    def __init__(self, text: str, page: Page) -> None:
        super().__init__("", page, 0, 0)
        self.lines = text.split("\n")
        self.tokens = list(_without_html(_markdown().parse(text)))

    def block(self, token: Token) -> Block | tuple[Block, ...]:
        if token.type != "fence":
            return super().block(token)
        shown = Verbatim(token.content)
        if not token.meta.get("printed"):
            return shown
        self.page.start_section()  # each source is one of its own
        line = self.line_number(token) + 1
        self.page.asking = survey(token.content, self.page, line)
        return (shown, *read_blocks(token.content, self.page, line, 1))


def _without_html(tokens: list[Token]) -> Iterator[Token]:
    """The tokens with words in them; a source knows that what it prints follows, which is left out."""
    printed = False
    for token, following in zip(tokens, [*tokens[1:], None], strict=True):
        if token.type == "html_block":
            printed = (printed or PRINTED in token.content) and END not in token.content
            continue
        if printed:
            continue
        words = [child for child in token.children or [] if child.type != "html_inline"]
        source = following is not None and following.type == "html_block" and PRINTED in following.content
        meta = {"printed": True} if source else token.meta
        yield replace(token, children=None if token.children is None else words, meta=meta)
