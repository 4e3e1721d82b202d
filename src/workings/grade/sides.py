"""The sides of what a hand-in calculates, each with what follows it in its chain, and what it names."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from workings.claims.digits import sole
from workings.claims.expressions import spelled
from workings.claims.outputs import exact
from workings.claims.page import Page
from workings.marks.quantity import PLAIN
from workings.marks.tree import Letter, Node, Number, Operation, letters
from workings.reading.blocks import Block


@dataclass(frozen=True)
class Side:
    """One side of a chain, or what a program `worked_out`, as it stands in a block."""

    node: Node
    block: Block = field(repr=False)
    start: int
    end: int
    later: tuple[Side, ...] = field(default=(), repr=False)
    worked_out: bool = False

    @property
    def calculates(self) -> bool:
        """Whether it is more than a number or a name."""
        return self.worked_out or bool(letters(self.node)) or sole(self.node) is None

    @property
    def span(self) -> tuple[int, int]:
        """Where it begins and ends in the file."""
        return self.block.offsets[self.start], self.block.offsets[self.end - 1] + 1


def sides_of(page: Page) -> Iterator[Side]:
    """Every side of every chain in the order of the page, and what its programs calculate."""
    chain: list[Side] = []
    for claim in page.chains:
        if not claim.before:
            yield from _linked(chain)
            end = _end_before(page, claim.block, claim.figure[0])
            chain = [Side(claim.left, claim.block, claim.start, end)]
        chain.append(Side(claim.right, claim.block, *claim.figure))
    yield from _linked(chain)
    for given in page.program.definitions:
        if not given.block.text[given.start : given.end].replace(".", "").isalnum():
            yield Side(exact(given.value), given.block, given.start, given.end, worked_out=True)


def _linked(chain: list[Side]) -> Iterator[Side]:
    for number, side in enumerate(chain, 1):
        linked = replace(side, later=tuple(chain[number:]))
        yield linked
        if (node := _lettered(side.node)) != side.node:
            yield replace(linked, node=node)


def _lettered(node: Node) -> Node:
    """A calculation in which what may be a unit is a letter: `16 P`."""
    match node:
        case Operation(sign, parts):
            return Operation(sign, tuple(_lettered(part) for part in parts))
        case Number(letter=letter) if letter:
            bare = replace(node, units=(PLAIN,), letter="")
            return Operation("*", (bare, Letter(letter, node.start, node.end)))
    return node


def _end_before(page: Page, block: Block, start: int) -> int:
    """Where the side ends that stands before the relation before a place."""
    tokens = page.tokens(block)
    at = bisect_left(tokens, start, key=lambda token: token.start) - 1
    while at > 0 and tokens[at].kind != "relation":
        at -= 1
    return tokens[max(at - 1, 0)].end


def named(sides: Sequence[Side]) -> Iterator[tuple[int, str]]:
    """The name that a figure is given to: where the figure stands, and the name its chain begins with."""
    for side in sides:
        if isinstance(side.node, Letter):
            yield from ((later.span[0], spelled(side.node.name)) for later in side.later)
