"""What a page multiplies, or writes in its own letters, against the formulas of the catalogue."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, islice

from workings.claims.bare import bare
from workings.claims.claim import Claim, Finding, Rule
from workings.claims.displayed import Display, display_of, worth
from workings.claims.page import Page
from workings.claims.shown import number_text
from workings.field.known import Known, Written, every_formula, known
from workings.field.patterns import Piece
from workings.field.sentences import Sentence
from workings.field.slips import SLIPS, Slip
from workings.field.terms import terms_of
from workings.marks.tree import Node, Number, Operation, leaves, letters
from workings.reading.blocks import Block

MOST = 300  # calculations of a page; hardly a page that people write has more
_VALUES = re.compile(r"\s*(?:numbers|values|elements|entries|Werte|Zahlen|valeurs|valores|números)\b")
BEFORE, BEHIND = 1_500, 100  # signs around a formula in which its subject is named
MOST_SIGNS = 10**9
WHOLE = 1_000  # the largest denominator of what is right over what is wrong


def judge(page: Page) -> Iterator[Finding]:
    """Every calculation, displayed or in a sentence, that is a slip of a formula and no formula."""
    spoken = Spoken(page)
    displayed = (claim for claim in page.chains if claim.relation in ("=", "≈"))
    seen: set[tuple[int, int]] = set()
    said: set[tuple[int, str, str]] = set()  # what follows in a block repeats it
    for claim in islice(chain(displayed, page.coded, bare(page)), MOST):
        for side in _calculated(claim):
            place = (id(claim.block), next(leaves(side)).start)
            if place not in seen:
                seen.add(place)
                yield from _judged(page, claim, side, spoken, said)


def _calculated(claim: Claim) -> tuple[Node, ...]:
    """The sides of a claim that say what something is; `3 d f = 8 d²` asks when two are the same."""
    sides = tuple(side for side in (claim.left, claim.right) if isinstance(side, Operation))
    asks = not claim.before and claim.left != claim.right and all(map(letters, sides))
    return () if asks and len(sides) > 1 else sides


def _judged(
    page: Page, claim: Claim, side: Node, words: Spoken, said: set[tuple[int, str, str]]
) -> Iterator[Finding]:
    display = display_of(page, claim.block, side)
    spoken = words.of(claim) if display is not None else ()
    found = _slip(spoken, display) if display is not None and spoken else None
    if display is not None and found is not None:
        one, slip, of = found
        if (key := (id(claim.block), one.of.entry, slip.id)) in said:
            return
        said.add(key)
        multiplied = (claim.start, claim.sign)  # the result follows from it, and may be right
        why = f"{slip.says}{_here(display, one, of)} ({one.of.entry})"
        yield Finding(RULE.id, "wrong", claim.block, claim.start, claim.end, multiplied,
                      claim.relation or "says", why)  # fmt: skip


def _here(display: Display, one: Known, of: Written) -> str:
    """What is right with the page's numbers, where that is a constant times what was multiplied."""
    measured = [
        leaf for leaf in leaves(display.node) if isinstance(leaf, Number) and any(leaf.units[0].dimension)
    ]
    times = _constant_ratio(one.right[0], of)
    values = {leaf.start: float(leaf.value) for leaf in display.leaves if leaf.value is not None}
    if times is None or len(measured) != 1 or len(values) < len(display.leaves):
        return ""
    made = worth(display.node, values)
    if not made or not math.isfinite(made):
        return ""
    unit = measured[0].units[0]
    return f" Here that is {number_text(Fraction(made) * times / unit.scale)} {unit.word}."


def _constant_ratio(right: Written, wrong: Written) -> Fraction | None:
    """What a wrong formula has to be multiplied by to be right, if that is one number."""
    pairs = zip(right.at, wrong.at, strict=True)
    found = [above / below for above, below in pairs if above is not None and below]
    if not found or not all(math.isclose(one, found[0]) for one in found):
        return None
    return Fraction(found[0]).limit_denominator(WHOLE)


def _slip(spoken: Sequence[Known], display: Display) -> tuple[Known, Slip, Written] | None:
    """The slip that a calculation is, where it is nothing that is right."""
    right = [one for one in spoken if any(display.is_written(of, one.of.times) for of in one.right)]
    for one in spoken:
        if one in right or {other.of.entry for other in right} - frozenset(one.of.despite):
            continue
        for slip, of in one.wrong:
            if of.tells and display.is_written(of, one.of.times) and not _right_elsewhere(one, display):
                return one, slip, of
    return None


def _right_elsewhere(one: Known, display: Display) -> bool:
    """Whether another entry is what was written, of which no words tell whether it is meant."""
    apart = {other.of.entry for other in known()}.union(one.of.despite)
    return any(name not in apart and display.is_written(of) for name, of in every_formula())


@dataclass(frozen=True)
class Scope:
    """A stretch of a page around a formula: what it speaks of."""

    pieces: tuple[Piece, ...]
    terms: frozenset[str]


def _means(one: Known, scopes: Sequence[Scope]) -> bool:
    """Whether the narrowest stretch that speaks of an entry speaks of nothing that means another."""
    for scope in scopes:
        if one.about.may_match(scope.terms) and one.about.matches(scope.pieces, scope.terms):
            return not (one.unless and one.unless.matches(scope.pieces, scope.terms))
    return False


def _measured(one: Known, claim: Claim) -> bool:
    """Whether a result's unit is one that the entry's value may have."""
    if _VALUES.match(claim.block.text, claim.end) or _VALUES.search(
        claim.block.text, claim.start, claim.end
    ):
        return not any(one.dimension)
    result = claim.right
    if not isinstance(result, Number) or not any(map(any, (unit.dimension for unit in result.units))):
        return True
    return any(tuple(map(Fraction, unit.dimension)) == one.dimension for unit in result.units)


class Spoken:
    """What a page speaks of around its formulas; the words of each block are looked up once."""

    def __init__(self, page: Page) -> None:
        self._terms = terms_of(page.said_in, SLIPS)
        self._blocks = page.document.blocks
        self._places = {block.offsets[0]: place for place, block in enumerate(self._blocks)}
        self._pieces: dict[int, tuple[Piece, ...]] = {}

    def of(self, claim: Claim) -> tuple[Known, ...]:
        """The entries with slips that a formula's line is about, or its paragraph, or its section."""
        text, end = claim.block.text, claim.end + BEHIND
        line = text.rfind("\n", 0, claim.start) + 1
        near = self._within(claim.block, claim.start - BEFORE, end)
        stretches = (self._within(claim.block, line, end), near, (*self._before(claim), *near))
        scopes = [Scope(some, frozenset(piece.term for piece in some)) for some in stretches]
        return tuple(one for one in known() if _means(one, scopes) and _measured(one, claim))

    def _within(self, block: Block, start: int, end: int) -> tuple[Piece, ...]:
        if block.offsets[0] not in self._pieces:
            self._pieces[block.offsets[0]] = Sentence(block.text, (), self._terms).pieces
        pieces, at = self._pieces[block.offsets[0]], block.offsets[0]  # so that blocks keep their order
        near = (p for p in pieces if start <= p.start and p.end <= end)
        return tuple(replace(p, start=p.start + at, end=p.end + at) for p in near)

    def _before(self, claim: Claim) -> tuple[Piece, ...]:
        """What the section speaks of before a formula's block, some 1,500 signs of it."""
        place = self._places.get(claim.block.offsets[0], 0)
        left, found = BEFORE - claim.start, list[Piece]()
        while place > 0 and left > 0 and self._blocks[place - 1].section == claim.block.section:
            place -= 1
            found += self._within(self._blocks[place], len(self._blocks[place].text) - left, MOST_SIGNS)
            left -= len(self._blocks[place].text) + 1
        return tuple(found)


RULE = Rule(
    "catalogue-slip",
    "A displayed product or formula is a known slip of one of the catalogue.",
    judge,
    bad=(
        "The model has 40 layers and 8 KV heads of dimension 128, in BF16.\n\n"
        "KV cache per token: 40 × 8 × 128 × 2 bytes = 81,920 bytes.",
        "A ring all-reduce over 64 GPUs sends 63/64 × 14 GB.",
        "SwiGLU: 2·d·f weights.",
        "Gradients ($S=26$\\,GB) are all-reduced on a ring of $n=32$ GPUs, each with $B=40$\\,GB/s.\n\n"
        "$$T = \\frac{n-1}{n}\\,\\frac{S}{B}$$",
        "# Mixtral 8x7B\n\nThe model has 46.7e9 parameters in all, of which 12.9B are active for a "
        "token. Training on 2e12 tokens takes 6 × 46.7e9 × 2e12 FLOPs.",
    ),
    good=(
        "The model has 40 layers and 8 KV heads of dimension 128, in BF16.\n\n"
        "KV cache per token: 2 × 40 × 8 × 128 × 2 bytes = 163,840 bytes.",
        "A ring all-reduce over 64 GPUs sends 2 × 63/64 × 14 GB, its reduce-scatter 63/64 × 14 GB.",
        "Gradients ($S=26$\\,GB) are all-reduced on a ring of $n=32$ GPUs, each with $B=40$\\,GB/s.\n\n"
        "$$T = 2\\,\\frac{n-1}{n}\\,\\frac{S}{B}$$",
        "SwiGLU: 3·d·f weights. A plain feed-forward: 2·d·f weights.",
        "# Mixtral 8x7B\n\nThe model has 46.7e9 parameters in all, of which 12.9B are active for a "
        "token. Training on 2e12 tokens takes 6 × 12.9e9 × 2e12 FLOPs.",
    ),
)
