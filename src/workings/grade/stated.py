"""Formulas and conditions of a hand-in against the one that is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

from workings.claims.expressions import expressions
from workings.claims.page import Page
from workings.formula import Expr, names_in, substitute
from workings.formula.tree import Name
from workings.grade.clauses import listed
from workings.grade.judged import NOTHING, Judged
from workings.grade.own_letters import letters_of
from workings.grade.parts import Stretch
from workings.grade.targets import Asked
from workings.grade.wanted import Wanted
from workings.marks.parser import whole
from workings.marks.tree import Letter, Node, letters
from workings.reading.blocks import Block

_ORDERS = ("<", ">", "<=", ">=")
_READ = 4  # readings of a formula's numbers
_MOST = 60  # formulas of one part


@dataclass(frozen=True)
class _Stated:
    """A formula, or a condition of two, as it stands in a block."""

    block: Block
    start: int
    end: int
    left: Node
    relation: str = ""
    right: Node | None = None

    @property
    def span(self) -> tuple[int, int]:
        """Where it stands in the file."""
        return self.block.offsets[self.start], self.block.offsets[self.end - 1] + 1


def judge_stated(
    asked: Asked, page: Page, stretch: Stretch, values: Mapping[str, Fraction], sheet: str
) -> Judged:
    """The verdict on a formula or condition: the last that is complete counts, if no other is offered."""
    wanted = Wanted(asked)
    conditions = asked.answer.kind == "condition"
    found = _conditions(page, stretch) if conditions else _formulas(page, stretch)
    texts = [block.text for block in stretch.blocks if block.text not in sheet]
    own = [one for one in islice(found, _MOST) if one.block.text not in sheet]
    read = [(one, _verdict(wanted, one, texts, values)) for one in own]
    right = [one for one, said in read if said == "right"]
    wrong = [one for one, said in read if said == "wrong"]
    if right and not wrong:
        return Judged("right", 1.0, "", *right[-1].span)
    if right:
        chosen = read[-1][1] == "right" and not any(_offered(one, right[-1]) for one in wrong)
        last = right[-1].span
        return (
            Judged("right", 1.0, "", *last)
            if chosen
            else Judged(
                "unsure", 0.0, "several formulas are given and none of them is chosen", *last, sure=False
            )
        )
    if wrong:
        return Judged("wrong", 0.0, "", *wrong[-1].span)
    if read:
        said = "could not tell what its letters stand for, or what it leaves out"
        return Judged("unsure", 0.0, said, *read[-1][0].span, sure=False)
    return NOTHING


def _verdict(
    wanted: Wanted, stated: _Stated, texts: Sequence[str], values: Mapping[str, Fraction]
) -> str:
    """`right`, `wrong`, or `open` where its letters cannot be told."""
    said = "open"
    for sides in _readings(stated):
        names = list(dict.fromkeys(name for side in sides for name in names_in(side)))
        mapped = letters_of(names, wanted.letters, texts, values, wanted.asked.answer.letters)
        if mapped is None:
            continue
        ours = [substitute(side, {n: Name(letter) for n, letter in mapped.items()}) for side in sides]
        if len(ours) == 1:
            holds = wanted.equals(ours[0])
        else:
            holds = wanted.agrees(ours[0], stated.relation, ours[1])
        if not wanted.covers(frozenset(mapped.values())):
            continue
        if holds:
            return "right"
        said = "wrong"
    return said


def _readings(stated: _Stated) -> Iterator[tuple[Expr, ...]]:
    left = list(expressions(stated.left, _READ))
    if stated.right is None:
        yield from ((tree,) for tree in left)
    else:
        yield from zip(left, expressions(stated.right, _READ), strict=False)


def _offered(one: _Stated, other: _Stated) -> bool:
    """Whether “or” stands between two formulas of one block."""
    if one.block is not other.block:
        return False
    first, second = sorted((one, other), key=lambda stated: stated.start)
    between = one.block.text[first.end : second.start].casefold().split()
    return any(word.strip(",.;()$") in listed("hedge") for word in between)


def _formulas(page: Page, stretch: Stretch) -> Iterator[_Stated]:
    """Every calculation with letters, in order: the sides of chains, and those that stand alone."""
    chained: set[int] = set()
    found: list[_Stated] = []
    for claim in page.chains:
        if not stretch.holds(claim.block.offsets[claim.start]):
            continue
        chained.add(claim.block.offsets[0])
        if not claim.before:
            end = len(claim.block.text[: claim.sign].rstrip())
            found.append(_Stated(claim.block, claim.start, end, claim.left))
        found.append(_Stated(claim.block, *claim.figure, claim.right))
    for block in stretch.blocks:
        if block.offsets[0] not in chained:
            found += _alone(page, block)
    found.sort(key=lambda stated: stated.span)
    yield from (one for one in found if letters(one.left) and not isinstance(one.left, Letter))


def _alone(page: Page, block: Block) -> Iterator[_Stated]:
    """A block, or a formula in it, that is one calculation."""
    tokens = [token for token in page.tokens(block) if token.kind != "stop"]
    marks = [(mark.start, mark.end) for mark in block.marks if mark.kind != "code"]
    for start, end in [(0, len(block.text)), *marks]:
        inside = [token for token in tokens if start <= token.start and token.end <= end]
        node = whole(inside, page.known) if inside else None
        if node is not None:
            yield _Stated(block, inside[0].start, inside[-1].end, node)


def _conditions(page: Page, stretch: Stretch) -> Iterator[_Stated]:
    """Every inequality."""
    for claim in page.chains:
        named = len({*letters(claim.left), *letters(claim.right)}) > 1
        if claim.relation in _ORDERS and named and stretch.holds(claim.block.offsets[claim.start]):
            start, end = claim.start, claim.figure[1]
            yield _Stated(claim.block, start, end, claim.left, claim.relation, claim.right)
