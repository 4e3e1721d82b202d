"""What concepts the letters of a page stand for, by the words beside them: `N GPUs`, `layers $L$`."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, islice
from typing import TYPE_CHECKING

from workings.claims.bindings import OF_UNITS, REACH, concept_terms, is_whole, named, whole
from workings.claims.expressions import spelled
from workings.field.terms import Terms
from workings.marks.quantity import BARE, RATE, Dimension
from workings.marks.tree import Letter, Number, leaves
from workings.reading.blocks import Block
from workings.scenario import preset_names
from workings.values.notation import glyphs_named
from workings.vocabulary import concepts as concepts_of_all

if TYPE_CHECKING:
    from workings.claims.claim import Claim
    from workings.claims.page import Page

_VALUE = re.compile(
    r"[\s$}\\,]*(?:=|≈|\\approx|:=)[\s$\\{]*"
    r"\d(?:[\d.,\s]*\d)?(?:\\times|\\cdot|·|×)?[\s\d^{}e]*"
)
# What leads from a letter to the words that say what it is, and how far these may be.
_SAID = re.compile(
    r"[\s$}`*)\"']*"
    r"(?:[:：–—=为是はを은는]|(?:is|are|be|for|denotes|stands for|ist|sei|est|soit|es|sea|é|seja)\b)"
    r"[\s$*]*(?:(?:the|a|an|total|number of|der|die|das|le|la|les|el|los|las|o|os|as)\s+)*"
)
# What may stand between the words that say what a letter is and the letter behind them.
_LED = re.compile(r"[\s`*$\\(]*(?:of|is|de|des|der|为|是|を|は|が|이|가|을|를)?[\s`*$\\(]*")
_UNIT = re.compile(
    r"[\s$`),:（(]*[KMGTP]?(?:(?P<flop>FLOPS?|FLOPs?)|B|bytes?|Bytes?|octets?|o|字节|バイト|바이트)"
    r"\s*(?:/|per|pro|par|por)\s*s",
)
MOST_LETTERS = 100  # of a page
MOST_PLACES = 40  # of a letter at which its words are looked at
SHORT = 2  # signs of a name that says nothing by itself


def letter_concepts(page: Page) -> Mapping[str, frozenset[str]]:
    """The concepts of every letter that words explain; its own name counts most, then what defines it."""
    terms = concept_terms(page.said_in, "width")
    blocks = [block for block in page.document.blocks if block.kind in ("prose", "cell")]
    blocks += [block for run in page.program.runs for block in run.piece.comments()]
    found: dict[str, frozenset[str]] = {}
    for name, spellings in islice(_spellings(page).items(), MOST_LETTERS):
        beside, defined = set[str](), set[str]()
        for text, start, end in _places(blocks, spellings):
            value = _VALUE.match(text, end)
            said, unit = (
                named(text, start, value.end() if value else end, terms, _LED),
                _in_unit(text, end),
            )
            beside |= said & unit or said | unit  # a peak of F FLOP/s is no speed reached
            defined |= _defined(text, end, terms)
        if "width" in beside | defined:
            (defined or beside).add("message")  # `G bytes` is as much as it is
        defined |= _in_row(page, spellings, terms)
        own = whole(name, terms) if len(name) > SHORT else frozenset()
        found[name] = frozenset(own or defined or beside)
    return found


def letter_units(chains: Sequence[Claim]) -> Mapping[str, Dimension]:
    """The kind of unit that the value of each letter has, where it has one: `B = 50 GB/s`."""
    found: dict[str, set[Dimension]] = defaultdict(set)
    for claim in chains:
        if isinstance(claim.left, Letter) and isinstance(claim.right, Number):
            found[claim.left.name] |= {unit.dimension for unit in claim.right.units}
    return {
        name: next(iter(kinds)) for name, kinds in found.items() if len(kinds) == 1 and kinds != {BARE}
    }


def _in_unit(text: str, end: int) -> frozenset[str]:
    """What a letter with a unit behind it may be: `β bytes/s`, `F FLOP/s`."""
    unit = _UNIT.match(text, end)
    if unit is None:
        return frozenset()
    return OF_UNITS[RATE] if unit["flop"] else OF_UNITS[1, 0, -1, 0]


def _defined(text: str, end: int, terms: Terms) -> frozenset[str]:
    """What the words behind a letter say that it is: `F: dense peak`, `M is the time to fail`."""
    said = _SAID.match(text, end)
    if said is None:
        return frozenset()
    behind = text[said.end() : said.end() + REACH]
    return frozenset(hit.term for hit in terms.hits(behind) if not hit.start and is_whole(behind, hit))


def _in_row(page: Page, spellings: frozenset[str], terms: Terms) -> frozenset[str]:
    """What the other cells of a row say, one of which is the letter alone."""
    rows: dict[tuple[int, int], list[str]] = defaultdict(list)
    for block in page.document.blocks:
        if block.cell is not None:
            rows[block.cell.table, block.cell.row].append(block.text.strip("$`*_ "))
    told = (row for row in rows.values() if spellings.intersection(row))
    return frozenset().union(
        *(whole(cell, terms) for row in told for cell in row if cell not in spellings)
    )


def _spellings(page: Page) -> Mapping[str, frozenset[str]]:
    """How each letter of its formulas is written."""
    found: dict[str, set[str]] = defaultdict(set)
    for claim in chain(page.chains, page.coded):
        for side in (claim.left, claim.right):
            for leaf in leaves(side):
                if isinstance(leaf, Letter):
                    found[leaf.name].add(claim.block.text[leaf.start : leaf.end])
    return {name: frozenset(texts) for name, texts in found.items()}


def _places(blocks: list[Block], spellings: frozenset[str]) -> Iterator[tuple[str, int, int]]:
    either = "|".join(map(re.escape, sorted(filter(None, spellings), key=len, reverse=True)))
    if not either:
        return
    pattern = re.compile(rf"(?<![\w\\])(?:{either})(?![\w])")
    places = 0
    for block in blocks:
        for match in pattern.finditer(block.text):
            places += 1
            if places > MOST_PLACES:
                return
            yield block.text, match.start(), match.end()


@cache
def customary(letter: str) -> frozenset[str]:
    """The concepts that a letter, large or small, stands for here or in a notation of the field."""
    own = [(concept.name, concept.glyph) for concept in concepts_of_all()]
    glyphs = [pair for name in preset_names("notation") for pair in glyphs_named(name).items()]
    return frozenset(
        name for name, glyph in (*own, *glyphs) if spelled(glyph).casefold() == spelled(letter).casefold()
    )
