"""A source file read into a document: markdown-it-py does the Markdown, directives the rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from markdown_it.token import Token

from workings.derivation import Derivation
from workings.document.answers import answer
from workings.document.blocks import (
    Block,
    Document,
    Heading,
    Items,
    Line,
    Note,
    Prose,
    Section,
    Table,
    Verbatim,
)
from workings.document.cover import Cover, cover_of
from workings.document.directive import Directive, check_leaf, directive_of
from workings.document.figures import figure
from workings.document.formulas import chain, sympy, worked
from workings.document.front import DocumentError, in_notation, read_source
from workings.document.gantt import gantt
from workings.document.given import given
from workings.document.handing_in import hand_in, marking
from workings.document.image import image
from workings.document.inline import line_of, line_of_tokens, markdown
from workings.document.ledger import ledger
from workings.document.notes import NOTES, note
from workings.document.own import own_directives
from workings.document.page import Leaf, Page, open_page
from workings.document.place import Headings, accounts_below, asked
from workings.document.questions import QUESTIONS, Holder
from workings.document.remarks import remarks
from workings.document.sections import SECTION, sections_of
from workings.document.set_over import set_over
from workings.document.shuffled import Order, as_written
from workings.document.slips import slip
from workings.document.survey import survey
from workings.document.symbols import symbols
from workings.document.tables import table
from workings.document.topic import topic
from workings.document.typed import display
from workings.errors import UserError
from workings.grade.file import KeyFile

MAX_NESTING = 6
MAX_LEVEL = 14

LEAVES: Mapping[str, Leaf] = {
    "chain": chain, "worked": worked, "ledger": ledger, "table": table, "symbols": symbols,
    "figure": figure, "gantt": gantt, "sympy": sympy, "topic": topic,
    "answer": answer, "slip": slip, "given": given, "image": image,
}  # fmt: skip
HOLDERS: Mapping[str, Holder] = {**dict.fromkeys(NOTES, note), **QUESTIONS}


def read_document(
    path: Path,
    *,
    sheet: bool = False,
    notation: str | None = None,
    provenance: str | None = None,
    directives: Path | None = None,
    settings: Mapping[str, str] | None = None,
    order: Order = as_written,
) -> tuple[Document, tuple[Derivation, ...]]:
    """A source as a document, and the derivations it uses. Raises DocumentError.

    A question sheet is read without its solutions, so that what is left is numbered from 1. A given
    notation and provenance come before the source's own. `directives` is the folder of the module that
    its front matter may name (see `own`). `order` is that of what a variant shuffles.
    """
    source = in_notation(read_source(path), notation)
    over = set_over(source.scenario, settings or {})
    page = open_page(source, sheet=sheet, provenance=provenance, settings=over)
    if over:
        page.desk.scenario({})  # what cannot be set is said before anything is read at it
    page.order = order
    page.leaves = {**LEAVES, **own_directives(source, directives)}
    page.asking = survey(source.body, page, 0)
    title = line_of(source.front.title, page, 0)
    sections = tuple(
        Section(one.name, read_blocks(one.text, page, one.first_line, 0)) for one in sections_of(source)
    )
    for label, line in page.wanted:
        if label not in page.numbers:
            raise source.fail(line, f"{{ref}}`{label}`: nothing here has that label")
    blocks = tuple(block for section in sections for block in section.blocks)
    sections = (sections[0], *(one for one in sections[1:] if one.blocks))
    parts = sections if source.front.pages == "section" else ()
    document = Document(title, blocks, page.numbers, source.front.unchecked, parts,
                        derivations=source.front.derivations or "", desk=page.desk,
                        notation=source.front.notation, glyphs=page.glyphs,
                        cover=_cover(page), key=_key(page),
                        remarks=tuple(remarks(page)))  # fmt: skip
    return document, tuple(page.used.values())


def _cover(page: Page) -> Cover:
    """What stands on top of the page."""
    cover = cover_of(page.source.front, page.asking.marks)
    return replace(cover, hand_in=hand_in(page), marking=marking(page))


def _key(page: Page) -> KeyFile | None:
    """The answer key of a page: at its scenario, with what is set."""
    front = page.source.front
    return page.asking.key(
        page.words["question"], title=front.title[:200], scenario=front.scenario or "",
        set=page.desk.over, digits=front.digits, follow_through=front.follow_through,
    )  # fmt: skip


def read_blocks(text: str, page: Page, first_line: int, depth: int) -> tuple[Block, ...]:
    """Markdown as blocks; `first_line` is where it starts in the source's body."""
    if depth > MAX_NESTING:
        raise page.source.fail(first_line, f"directives nested deeper than {MAX_NESTING}")
    around = page.accounts
    reader = Blocks(text, page, first_line, depth)
    page.accounts |= accounts_below(reader.tokens, 0)
    made = reader.until(None)
    page.accounts = around
    return made


class Blocks:
    """A cursor over markdown-it's block tokens."""

    def __init__(self, text: str, page: Page, first_line: int, depth: int) -> None:
        self.tokens, self.lines = markdown().parse(text), text.split("\n")
        self.page, self.depth = page, depth
        self.first_line, self.at = first_line, 0

    def until(self, closing: str | None) -> tuple[Block, ...]:
        """Blocks up to a closing token, which is taken."""
        found: list[Block] = []
        headings = Headings(self.page)
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            self.at += 1
            if token.type == closing:
                break
            self.page.above = found[-1] if found else None
            made = self.block(token)
            blocks = made if isinstance(made, tuple) else (made,)
            headings.met(blocks, self.line_number(token))
            found.extend(blocks)
        headings.end()
        return asked(found) if self.page.sheet else tuple(found)

    def line_number(self, token: Token) -> int:
        return self.first_line + (token.map[0] if token.map else 0)

    def block(self, token: Token) -> Block | tuple[Block, ...]:
        line = self.line_number(token)
        if token.level > MAX_LEVEL:  # a little further in, markdown-it drops what it finds
            raise self.page.source.fail(line, "lists and quotes nested too deeply")
        match token.type:
            case "heading_open":
                level = min(int(token.tag[1:]), 4)
                if level <= SECTION:
                    self.page.start_section()
                inline = self.inline()
                self.at += 1
                self.page.accounts = accounts_below(self.tokens, self.at)
                return Heading(level, inline)
            case "paragraph_open":
                inline = self.inline()
                self.at += 1
                return Prose(inline)
            case "bullet_list_open" | "ordered_list_open":
                return self.items(token)
            case "blockquote_open":
                return Note("quote", (), self.until("blockquote_close"))
            case "table_open":
                return self.table()
            case "fence":
                self.check_closed(token)
                directive = directive_of(token.info, token.content, line)
                return self.directive(directive) if directive else Verbatim(token.content)
            case "math_block":
                return display(token.content, self.page, line)
            case "code_block":
                return Verbatim(token.content)
            case other:
                raise self.page.source.fail(line, f"found {other}, which documents cannot hold")

    def inline(self) -> Line:
        token = self.tokens[self.at]
        self.at += 1
        return line_of_tokens(token.children or [], self.page, self.line_number(token))

    def items(self, opening: Token) -> Items:
        closing = opening.type.replace("open", "close")
        items = []
        while self.tokens[self.at].type != closing:
            self.at += 1
            items.append(self.until("list_item_close"))
        self.at += 1
        return Items(tuple(items), opening.type.startswith("ordered"))

    def table(self) -> Table:
        """A table typed by hand: no caption, so no number."""
        rows: list[list[Line]] = []
        align = ""
        while self.tokens[self.at].type != "table_close":
            token = self.tokens[self.at]
            self.at += 1
            if token.type == "tr_open":
                rows.append([])
            elif token.type in ("th_open", "td_open"):
                style = str(token.attrs.get("style", ""))
                if token.type == "th_open":
                    align += "r" if "right" in style else "c" if "center" in style else "l"
                rows[-1].append(self.inline())
        self.at += 1
        return Table("", 0, (), align, tuple(rows[0]), tuple(tuple(r) for r in rows[1:]))

    def directive(self, directive: Directive) -> Block | tuple[Block, ...]:
        page, inside = self.page, self.inside
        if directive.name in page.leaves:
            check_leaf(directive, page)
            try:
                return page.leaves[directive.name](directive, page)
            except DocumentError:
                raise
            except UserError as error:
                message = f"{{{directive.name}}} {directive.argument}: {error}"
                raise page.source.fail(directive.line, message) from error
        if directive.name in HOLDERS:
            return HOLDERS[directive.name](directive, page, inside)
        known = ", ".join([*page.leaves, *HOLDERS])
        raise page.source.fail(
            directive.line, f"found directive {{{directive.name}}}, expected one of {known}"
        )

    def check_closed(self, fence: Token) -> None:
        """Raise DocumentError for a fence without an end: what follows would be swallowed."""
        first, end = fence.map or [0, 0]
        last = self.lines[end - 1].strip(" \t>") if end - 1 > first else ""
        if len(last) < len(fence.markup) or set(last) != set(fence.markup):
            raise self.page.source.fail(
                self.line_number(fence), f"found no end to this {fence.markup}, expected as many "
                "below it, and more around what holds others",
            )  # fmt: skip

    def inside(self, directive: Directive) -> tuple[Block, ...]:
        return read_blocks(directive.body, self.page, directive.body_line, self.depth + 1)


__all__ = ["DocumentError", "read_document"]
