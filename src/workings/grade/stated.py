"""Formulas and conditions of a hand-in against the one that is asked for."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from workings.claims.expressions import expressions
from workings.claims.page import Page
from workings.formula import Expr, names_in, substitute
from workings.formula.tree import Name, Num, Product, rebuild
from workings.grade.formal import alone, claims_of, formal
from workings.grade.judged import NOTHING, Judged
from workings.grade.own_letters import letters_of
from workings.grade.parts import Stretch
from workings.grade.rivals import offers
from workings.grade.targets import Asked
from workings.grade.wanted import Wanted
from workings.marks.style import Style
from workings.marks.tree import Letter, Node, letters
from workings.reading.blocks import Block

_ORDERS = ("<", ">", "<=", ">=")
_READ = 4  # readings of a formula's numbers
_BELOW = re.compile(r"/\s?\d+[A-Za-z]")
_MOST = 60  # formulas of one part
_NEAR = 12  # words between two that are offered for choice


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
    def is_formula(self) -> bool:
        """Whether it is more than a letter or a number."""
        return self.right is not None or (bool(letters(self.left)) and not isinstance(self.left, Letter))

    @property
    def span(self) -> tuple[int, int]:
        """Where it stands in the file."""
        return self.block.offsets[self.start], self.block.offsets[self.end - 1] + 1


def judge_stated(
    asked: Asked, page: Page, stretch: Stretch, values: Mapping[str, Fraction], sheet: str
) -> Judged:
    """The verdict on a formula or condition: the last that is complete counts, if no other is offered."""
    wanted = Wanted(asked)
    known = {*wanted.letters, *asked.answer.letters}
    parts = [part for part in formal(stretch.blocks) if part.text not in sheet]
    find = _conditions if asked.answer.kind == "condition" else _formulas
    found = [one for one in find(parts, page.style, known) if one.is_formula]
    texts = [block.text for block in stretch.blocks]
    read = [(one, _verdict(wanted, one, texts, values)) for one in found[:_MOST]]
    right = [one for one, said in read if said == "right"]
    wrong = [one for one, said in read if said == "wrong"]
    if right and not wrong:
        return Judged("right", 1.0, "", *right[-1].span)
    if right:
        chosen = read[-1][1] == "right" and not any(_offered(page, one, right[-1]) for one in wrong)
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
        mapped = letters_of(names, wanted.letters, texts, values, wanted.asked.answer.letters,
                            names_in(wanted.tree))  # fmt: skip
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
    """The sides in each reading of their numbers; `A/2N` by both, as most who write it mean it."""
    yield from (pair := list(_sides(stated)))
    if _BELOW.search(stated.block.text, stated.start, stated.end):
        yield from (tuple(map(_by_both, sides)) for sides in pair)


def _by_both(tree: Expr) -> Expr:
    """A product in which a letter behind a number below the stroke stands there too."""
    changed = rebuild(tree, _by_both)
    if not isinstance(changed, Product):
        return changed
    rest: list[tuple[Literal["*", "/"], Expr]] = []
    for sign, part in changed.rest:
        if sign == "*" and rest and rest[-1][0] == "/" and isinstance(rest[-1][1], Num):
            rest[-1] = ("/", Product(rest[-1][1], (("*", part),)))
        else:
            rest.append((sign, part))
    return Product(changed.first, tuple(rest))


def _sides(stated: _Stated) -> Iterator[tuple[Expr, ...]]:
    left = list(expressions(stated.left, _READ))
    if stated.right is None:
        yield from ((tree,) for tree in left)
    else:
        yield from zip(left, expressions(stated.right, _READ), strict=False)


def _offered(page: Page, one: _Stated, other: _Stated) -> bool:
    """Whether “or” stands between two formulas."""
    first, second = sorted((one.span, other.span))
    between = page.document.text[first[1] : second[0]]
    return len(between.split()) <= _NEAR and offers(between)


def _formulas(parts: Sequence[Block], style: Style, known: Collection[str]) -> Iterator[_Stated]:
    """Every calculation with letters, in order: the sides of chains, and those that stand alone."""
    for part in parts:
        claims = list(claims_of([part], style, known))
        for claim in claims:
            if not claim.before:
                end = len(claim.block.text[: claim.sign].rstrip())
                yield _Stated(claim.block, claim.start, end, claim.left)
            yield _Stated(claim.block, *claim.figure, claim.right)
        if not claims and (node := alone(part, style, known)) is not None:
            yield _Stated(part, 0, len(part.text), node)


def _conditions(parts: Sequence[Block], style: Style, known: Collection[str]) -> Iterator[_Stated]:
    """Every inequality."""
    for claim in claims_of(parts, style, known):
        if claim.relation in _ORDERS and len({*letters(claim.left), *letters(claim.right)}) > 1:
            start, end = claim.start, claim.figure[1]
            yield _Stated(claim.block, start, end, claim.left, claim.relation, claim.right)
