"""Where a page says what its names stand for: chains, rows of parameters, words, programs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, takewhile
from typing import TYPE_CHECKING

from workings.claims.beside import beside
from workings.claims.claim import Claim
from workings.claims.definition import ALIKE, Definition, is_setting, readings
from workings.claims.digits import sole
from workings.claims.formulas import coded
from workings.claims.name_words import words
from workings.claims.tabled import in_columns, in_rows
from workings.claims.written import labelled
from workings.marks.quantity import BARE
from workings.marks.token import Token, sentences
from workings.marks.tree import Letter, Node, Number, letters
from workings.marks.values import Value
from workings.reading.blocks import Block

if TYPE_CHECKING:
    from workings.claims.page import Page

BEFORE = 5  # words before a name that may say that it is of a case


def definitions_of(page: Page) -> Iterator[Definition]:
    """Every definition of a name on a page."""
    found = [*_by_items([*_chained(page)])]
    sides = (side for claim in page.chains for side in (claim.left, claim.right))
    used = {name for node in (*sides, *page.formulas) for name in letters(node)}
    for grid in page.grids:
        if grid.kind == "table":
            found += in_rows(page, grid, used)
            found += in_columns(page, grid, used)
    heads = {(id(one.block), one.at) for one in found}
    said = (part for block in page.document.blocks for part in beside(page, block, used))
    found += (one for one in said if (id(one.block), one.at) not in heads)
    yield from found
    yield from labelled(page)
    yield from _coded(page, used)


def _chained(page: Page) -> Iterator[Definition]:
    """`N = 7e9`, `b = S/c = 16,384`: what stands behind a name and its relation."""
    for _, chain in groupby(page.chains, key=lambda c: id(c.before[0] if c.before else c.left)):
        links = list(takewhile(lambda link: link.relation in ("=", "≈"), chain))
        head = (links[0].before[0] if links[0].before else links[0].left) if links else None
        if not isinstance(head, Letter):
            continue
        if any(head.name in letters(link.right) for link in links):
            continue  # a sentence without its comma, or an equation
        claim = links[0]
        values: list[Value] = []
        for link in links:
            right = _in_numbers(page, link)
            if not letters(right):
                values += readings(right)
            elif not isinstance(right, Letter) and not is_setting(right):
                about = any(of.relation == "≈" for of in links[: links.index(link) + 1])
                case = _opens_with(page, claim, "condition")
                yield Definition(head.name, right, link.block, link.figure[0], about=about, case=case)
        if values:
            case, lasting = _said_before(page, claim)
            at, label = claim.start, _label(page, claim.block)
            said = tuple(_united(value, sole(links[-1].right)) for value in values)
            yield Definition(
                head.name, claim.right, claim.block, at, said, case=case, lasting=lasting, model=label
            )


def _united(value: Value, result: Number | None) -> Value:
    """What is worked out without units, in the unit of the result that it is printed as."""
    if result is None or value.dimension != BARE:
        return value
    for unit in result.units:
        near = any(abs(value.middle - p.value) <= ALIKE * p.value for p in result.printed)
        if near and unit.dimension != BARE:
            return Value(value.low * unit.scale, value.high * unit.scale, unit.dimension)
    return value


def _label(page: Page, block: Block) -> str:
    """What an item of a list is called, in a word or two before its colon."""
    opening = page.tokens(block)[:3] if block.kind == "prose" else ()
    place = next((n for n, token in enumerate(opening) if token.text in ":："), 0)
    named = opening[:place]
    plain = all(token.kind in ("word", "number") and not token.math for token in named)
    return block.text[named[0].start : named[-1].end] if named and plain else ""


def _by_items(found: Sequence[Definition]) -> Iterator[Definition]:
    """What an item is called is a model only where another item of the list gives the name a value."""
    models: dict[tuple[str, int], set[str]] = defaultdict(set)
    for one in found:
        if one.values:
            models[one.name, one.block.group].add(one.model)
    for one in found:
        yield one if len(models[one.name, one.block.group]) > 1 else replace(one, model="")


def _in_numbers(page: Page, claim: Claim) -> Node:
    """The right side, with what may be a unit or a letter read as the unit if it is a number then."""
    if letters(claim.right) and (other := page.otherwise(claim)) is not None and not letters(other.right):
        return other.right
    return claim.right


def of_a_case(page: Page, claim: Claim) -> bool:
    """Whether words before a relation say that it is of a case: "if the MFU = 40 %"."""
    return _said_before(page, claim)[0]


def _said_before(page: Page, claim: Claim) -> tuple[bool, bool]:
    """Whether a value is of a case, and whether it is so from there on."""
    sentence = _sentence(page, claim)
    text = claim.block.text[sentence[0].start : claim.end].casefold() if sentence else ""
    lasting = any(phrase in text for phrase in words("lasting"))
    return _opens_with(page, claim, "case") and not lasting, lasting


def _sentence(page: Page, claim: Claim) -> tuple[Token, ...]:
    """The sentence that a relation stands in."""
    every = sentences(page.tokens(claim.block))
    return next((s for s in every if s[0].start <= claim.start < s[-1].end), ())


def _opens_with(page: Page, claim: Claim, of: str) -> bool:
    """Whether a word of a list stands shortly before a relation."""
    for token in [t for t in reversed(_sentence(page, claim)) if t.end <= claim.start][:BEFORE]:
        if token.kind in ("stop", "open", "close"):
            break
        if token.text.casefold() in words(of):
            return True
    return False


def _coded(page: Page, used: set[str]) -> Iterator[Definition]:
    """Names that the page's programs give a value or work out."""
    for definition in page.program.definitions:
        path, _, name = definition.name.rpartition(".")
        if name in used and name not in page.program.loose:
            value = Value(definition.value, definition.value)
            model = path.rpartition(".")[2]
            yield Definition(name, None, definition.block, definition.start, (value,), model=model)
    for code in coded(page):
        if code.name in used and code.name not in page.program.loose:
            yield Definition(code.name, code.node, code.run.piece.block, code.start)
