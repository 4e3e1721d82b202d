"""Products and formulas that stand in a sentence alone: `sends 63/64 × 14 GB`, `2·d·f weights`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from workings.claims.claim import Claim
from workings.claims.joining import joined
from workings.claims.page_letters import lettered
from workings.marks.grammar import beginning
from workings.marks.quantity import units_of
from workings.marks.token import Token, sentences
from workings.marks.tree import Letter, Operation, leaves

if TYPE_CHECKING:
    from workings.claims.page import Page
    from workings.reading.blocks import Block

MOST = 200  # of a page
LONGEST = 24  # tokens
NEAR = 3  # tokens from a number to the sign behind it: 14 GB × 2
_SIGNS = frozenset("*/^")


def bare(page: Page) -> Iterator[Claim]:
    """Every calculation in words that no relation follows or leads to: a claim of its left side."""
    blocks = (block for block in page.document.blocks if block.kind in ("prose", "cell"))
    yield from islice((claim for block in blocks for claim in _of_block(page, block)), MOST)


def _of_block(page: Page, block: Block) -> Iterator[Claim]:
    for sentence in sentences(page.tokens(block)):
        if any(token.kind == "relation" for token in sentence):
            continue
        tokens = joined(sentence)
        known = page.known | _multiplied(tokens)
        tokens = lettered(tokens, block, known)
        place = 0
        while place < len(tokens):
            found = beginning(tokens[place : place + LONGEST], known) if _may(tokens, place) else None
            if found is None or not isinstance(found[0], Operation) or _is_unit(found[0]):
                place += 1
                continue
            node, length = found
            start, end = next(leaves(node)).start, tokens[place + length - 1].end
            yield Claim(block, start, end, node, "", node, figure=(start, end), sign=end)
            place += length


def _is_unit(node: Operation) -> bool:
    """Whether it is a unit without a number: `TFLOP/s`."""
    names = [part.name for part in node.parts if isinstance(part, Letter)]
    return node.sign == "/" and len(names) == len(node.parts) and bool(units_of(tuple(names)))


def _may(tokens: Sequence[Token], place: int) -> bool:
    """Whether a calculation may begin at a token."""
    begins = tokens[place].kind in ("number", "name", "word", "open")
    before = tokens[place - 1] if place else None
    inside = before is not None and before.kind == "operator"
    return begins and not inside and any(t.text in _SIGNS for t in tokens[place + 1 : place + 1 + NEAR])


def _multiplied(tokens: Sequence[Token]) -> frozenset[str]:
    """The single letters that stand beside a sign of a product."""
    found: set[str] = set()
    for place, token in enumerate(tokens):
        near = (*tokens[max(0, place - 1) : place], *tokens[place + 1 : place + 2])
        if len(token.text) == 1 and token.text.isalpha() and any(one.text in _SIGNS for one in near):
            found.add(token.text)
    return frozenset(found)
