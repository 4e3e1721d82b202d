"""The values that a page gives to concepts of the vocabulary: `80 layers`, `KV heads: 8`, tables."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING

from workings.claims.grids import Grid
from workings.field.patterns import Piece
from workings.field.slips import SLIPS
from workings.field.terms import Hit, Terms, terms_of
from workings.marks.quantity import BARE, BYTE, RATE, SECOND, Dimension
from workings.marks.tree import Letter, Number
from workings.units.reading import FORMATS
from workings.vocabulary import concepts

if TYPE_CHECKING:
    from workings.claims.page import Page
    from workings.claims.sayings import Saying

# What may stand between a number and the words that say what it is.
_AFTER = re.compile(
    r"[\s($\\}]*(?:(?!(?:with|at|and|mit|bei|und|avec|et|con|y|com|e)\s)[^\W\d]+[\s\-]+)?$"
)
_BEFORE = re.compile(r"[\s`*\"'()$\\]*"
                     r"(?:=|:|：|≈|~|of|is|are|at|about|取|约|von|de|ist|es|é|est|为|是|は|を|가|이|는)?"
                     r"[\s$\\(]*"
                     r"(?:[A-Za-z_\\{}]{1,8}\s*=)?[\s$\\]*$")  # fmt: skip
BESIDE = re.compile(r"[\s`*$\\(]*")
_MULTIPLIED = re.compile(r"[\s$)}]*(?:[×*·x/⋅∙+−-]|\\times|\\cdot|\\frac)")
_LED = re.compile(r"[:：=][\s$*`(\\]*$")
_NUMBER = r"\d[\d_]*(?:\.\d+)?(?:e\d+)?"
_ASSIGNED = re.compile(  # one name or several: `L, d = 32, 4096`
    rf"([A-Za-z_]\w*(?:,\s*[A-Za-z_]\w*)*)[\"']?\s*[:=]\s*({_NUMBER}(?:,\s*{_NUMBER})*)\b"
)
# What a number with a unit of its own may be.
OF_UNITS: Mapping[Dimension, frozenset[str]] = {
    RATE: frozenset({"C", "achieved"}),
    (1, 0, -1, 0): frozenset(
        {"memory_bandwidth", "bandwidth", "link_one_way", "network_one_way", "host_link"}
    ),
    (0, 0, -1, 1): frozenset({"price"}),
    (0, 0, 0, 1): frozenset({"price"}),
    BYTE: frozenset({"message"}),
}  # fmt: skip
_RATES = {"tok": "tokens_per_second", "jeton": "tokens_per_second", "req": "arrivals"}
_FORMAT = re.compile(r"(?<![a-z])(?:b?float|bf|fp|int)\d+")
_BITS = re.compile(r"(?<!\d)(4|8|16|32)[\s-]?bit")
_WIDTH = re.compile(r"(?<![\d.,])([1248])\s(?:bytes?|octets?|字节|バイト|바이트)")
_OF = re.compile(r"\s+(?:of|per|each|de|des|du|d'|der|eines|einer|je|pro|par|por|da|do|del)\b|[の的당]")
WIDTHS = frozenset({Fraction(1, 2), Fraction(1), Fraction(2), Fraction(4), Fraction(8)})  # in bytes
LEAST = 10  # of what is sent, in bytes, and of a whole number that stands for thousands
_ENDS = re.compile(r"(?<=[\w)$])[.!?]\s+(?=[^\Wa-z])|[;。；\n]")  # of sentences
REACH = 40  # signs around a number in which it is named


@dataclass(frozen=True)
class Bindings:
    """Which values each concept has on a page, and which concepts each value."""

    of: Mapping[str, frozenset[Fraction]] = field(default_factory=dict)

    def concepts(self, value: Fraction) -> frozenset[str]:
        """The concepts that have a value."""
        return frozenset(name for name, values in self.of.items() if value in values)


def concept_terms(languages: frozenset[str], *more: str) -> Terms:
    """The words for concepts alone, so that no longer phrase of another kind hides one."""
    names = frozenset(concept.name for concept in concepts()).union(more)
    return terms_of(languages, SLIPS, names)


def numbers_of(page: Page, saying: Saying) -> tuple[Piece, ...]:
    """The numbers of a sentence in their places in it, and the concepts whose values they are."""
    start = saying.marks[0].start
    found = []
    for amount in saying.amounts:
        value = amount.node.printed[0].value
        scaled = (value * unit.scale for unit in amount.node.units)
        concepts = frozenset(name for one in scaled for name in page.bindings.concepts(one))
        found.append(Piece("#", amount.start - start, amount.end - start, value, concepts))
    return tuple(found)


def bindings_of(page: Page) -> Bindings:
    """Every value that a page gives a concept."""
    terms = concept_terms(page.said_in)
    found: dict[str, set[Fraction]] = defaultdict(set)
    told = (_said(page, terms), _tabled(page, terms), _assigned(page, terms), _of_letters(page))
    for name, value in chain.from_iterable(told):
        found[name].add(value)
    return Bindings({name: frozenset(values) for name, values in found.items()})


def _of_letters(page: Page) -> Iterator[tuple[str, Fraction]]:
    """The values of letters that stand for something: `p = 64` behind `p data-parallel ranks`.

    What two letters are by custom, with unlike values (`h = 5120`, `d = 128`), neither is.
    """
    by_custom: dict[str, set[Fraction]] = defaultdict(set)
    for claim in page.chains:
        if isinstance(claim.left, Letter) and isinstance(claim.right, Number) and not claim.before:
            name, printed = claim.left.name, claim.right.printed[0].value
            values = {printed * unit.scale for unit in claim.right.units}
            for concept in page.meaning_of(name):
                if page.letter_concepts.get(name):
                    yield from ((concept, value) for value in values)
                else:
                    by_custom[concept].add(min(values))
    for concept, values in by_custom.items():
        if len(values) == 1:
            yield concept, next(iter(values))


def _said(page: Page, terms: Terms) -> Iterator[tuple[str, Fraction]]:
    for saying in chain(page.sayings, page.remarked):
        for amount in saying.amounts:
            value = amount.node.printed[0].value
            number_end = amount.node.end
            names = named(saying.block.text, amount.start, number_end, terms)
            if (kind := measured(amount.node)) is not None:
                names = of_kind(names, kind)
            scales = {unit.scale for unit in amount.node.units}
            if value >= LEAST or value.denominator > 1:  # units are left out in calculations
                scales.add(Fraction(1))
            for name in names | by_unit(amount.node) | of_unit(amount.node):
                yield from ((name, value * scale) for scale in scales)


def widths_of(page: Page) -> frozenset[Fraction]:
    """How many bytes a value takes, where the page says so: `2 bytes`, `bf16`, `4 bit`."""
    text = "\n".join(block.text for block in page.document.blocks).casefold()
    formats = {FORMATS[name] for name in _FORMAT.findall(text) if name in FORMATS}
    bits = {Fraction(int(many), 8) for many in _BITS.findall(text)}
    return frozenset(formats | bits | {Fraction(many) for many in _WIDTH.findall(text)})


def measured(node: Number) -> Dimension | None:
    """The kind of unit that an amount has, if it has one in every reading."""
    kinds = {unit.dimension for unit in node.units}
    return next(iter(kinds)) if len(kinds) == 1 and BARE not in kinds else None


def of_kind(names: frozenset[str], kind: Dimension) -> frozenset[str]:
    """Those of some concepts whose values have a kind of unit."""
    return frozenset(name for name in names if _kinds().get(name) in (None, kind))


@cache
def _kinds() -> Mapping[str, Dimension]:
    found = ((concept.name, tuple(map(int, concept.dimension.exponents))) for concept in concepts())
    return dict(found)  # type: ignore[arg-type]  # of four


def of_unit(node: Number) -> frozenset[str]:
    """What an amount with a unit may be, a rate or a size; words around it say which of them is meant."""
    if any(unit.word == "B" and unit.dimension == BARE for unit in node.units):
        return frozenset() if node.printed[0].value in WIDTHS else frozenset({"parameters"})
    small = node.printed[0].value * node.units[0].scale < LEAST  # bytes of a value, not of a message
    kinds = (OF_UNITS.get(unit.dimension, frozenset()) for unit in node.units)
    return next((kind for kind in kinds if kind and not (small and "message" in kind)), frozenset())


def by_unit(node: Number) -> frozenset[str]:
    """The concept that a number's unit says: tokens per second, device-hours, seconds a step."""
    unit, noun = node.units[0], node.noun.casefold()
    if unit.dimension == SECOND:
        found = {"device_time"} if "-" in unit.word else {"step_time"} if noun == "step" else set()
        return frozenset(found)
    rate = unit.dimension == (0, 0, -1, 0)
    return frozenset(name for begin, name in _RATES.items() if rate and noun.startswith(begin))


def named(
    text: str, start: int, end: int, terms: Terms, led: re.Pattern[str] = _BEFORE
) -> frozenset[str]:
    """The concepts that the words right behind a number say that it is, and those right before it.

    `led` is what may stand between it and the words before it, where none are behind it.
    """
    found = behind(text, end, terms)
    before = _ENDS.split(text[max(0, start - REACH) : start])[-1]
    if _MULTIPLIED.match(text, end) and _LED.search(before):
        return found  # `per batch: 2 × 40` calculates
    beside = BESIDE if found else led  # `micro-batch 2 sequences` is of both
    near = [hit for hit in terms.hits(before) if beside.fullmatch(before[hit.end :])]
    return found | {_of_which(hit.term, before[hit.end :]) for hit in near}


def behind(text: str, end: int, terms: Terms) -> frozenset[str]:
    """The concepts that the words right behind a number or letter say that it is."""
    short = text[end - 1 : end].isalpha() and text.startswith(". ", end)  # 70,6 Mrd. Parameter
    stop = _ENDS.search(text, end + short, end + REACH)
    words = text[end + short : stop.start() if stop else end + REACH]
    after = [hit for hit in terms.hits(words) if _AFTER.fullmatch(words[: hit.start])]
    first = min((hit.start for hit in after), default=0)
    return frozenset(hit.term for hit in after if hit.start == first)


def _of_which(term: str, between: str) -> str:
    """What a number behind a term is: `8 KV heads of 128` has that as the dimension of a head."""
    return "head_dim" if term in ("heads", "kv_heads") and " of " in between else term


def is_whole(text: str, hit: Hit) -> bool:
    """Whether a term ends its phrase: the width of a head is no width."""
    return _OF.match(text, hit.end) is None


def _tabled(page: Page, terms: Terms) -> Iterator[tuple[str, Fraction]]:
    """What rows and columns are called, for the numbers in them."""
    for grid in page.grids:
        heads = [whole(head.text, terms) for head in grid.heads]
        for row, label in enumerate(grid.labels):
            names = whole(label, terms)
            yield from _of_row(grid, row, names, heads)


def _of_row(
    grid: Grid, row: int, names: frozenset[str], heads: list[frozenset[str]]
) -> Iterator[tuple[str, Fraction]]:
    for column, cell in enumerate(grid.rows[row]):
        if cell is not None and cell.number is not None:
            value = cell.number.printed[0].value
            for scale in {unit.scale for unit in cell.number.units}:
                yield from ((name, value * scale) for name in names | heads[column])


def whole(text: str, terms: Terms) -> frozenset[str]:
    """The concepts that a short label names, the longest phrase counting."""
    near = terms.hits(text[: 2 * REACH])
    hits = [hit for hit in near if is_whole(text, hit) or "/" in text[hit.start : hit.end]]
    longest = max((hit.end - hit.start for hit in hits), default=0)
    return frozenset(hit.term for hit in hits if hit.end - hit.start == longest)


def _assigned(page: Page, terms: Terms) -> Iterator[tuple[str, Fraction]]:
    """`num_hidden_layers = 80` in programs and configurations."""
    for block in page.document.blocks:
        if block.kind == "code":
            for names, values in _ASSIGNED.findall(block.text):
                pairs = zip(re.split(r"\W+", names), re.split(r"[,\s]+", values), strict=False)
                for name, value in pairs:
                    yield from ((term, Fraction(value.replace("_", ""))) for term in whole(name, terms))
