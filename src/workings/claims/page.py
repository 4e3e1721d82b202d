"""A page as judges see it: its blocks, how it writes numbers, its letters, and every chain on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import chain, pairwise

from workings.claims.bindings import OF_UNITS, Bindings, bindings_of, of_kind, widths_of
from workings.claims.chains import Before, carried_from, chains_of
from workings.claims.claim import Claim, Finding, Word
from workings.claims.closeness import agree
from workings.claims.coded import coded
from workings.claims.elsewhere import Elsewhere
from workings.claims.grids import Grid
from workings.claims.lent_units import Lent, lent_by
from workings.claims.letter_concepts import customary, letter_concepts, letter_units
from workings.claims.lexicon import Lexicon, language_of, lexicon
from workings.claims.linked import linked_ratios
from workings.claims.lists import lists_of
from workings.claims.mentions import Mention, mentions_of
from workings.claims.names import Names, names_of
from workings.claims.naming import definitions_of
from workings.claims.page_letters import letters_of
from workings.claims.printed import printed_grids
from workings.claims.programs import Program, program_of
from workings.claims.sayings import Saying, sayings_of
from workings.claims.tables import tables_of
from workings.claims.ties import Figure
from workings.claims.tying import tied
from workings.claims.written import formulas_of
from workings.marks.languages import languages_of, parts_by_comma
from workings.marks.lexer import tokens_of
from workings.marks.parser import NAMES_OF_UNITS
from workings.marks.quantity import Dimension
from workings.marks.style import Style, style_of
from workings.marks.token import Token
from workings.marks.tree import Node, Number, Operation, letters
from workings.reading.blocks import Block, Document

# Fences in other languages (a shell's transcript, a configuration) say nothing of their own.
READ = frozenset({"", "python", "py", "python3", "text", "txt", "plain", "math", "latex", "tex"})
_WORDED = ("prose", "heading", "cell")


@dataclass(frozen=True)
class Page:
    """What is read of a document, once for all judges."""

    document: Document
    style: Style
    known: frozenset[str] = field(default=frozenset())
    words: Lexicon = field(default_factory=lambda: lexicon("en"))
    given: Mapping[str, Number] = field(default_factory=dict)  # what a scenario gives letters
    languages: tuple[str, ...] = ()  # that its number words are read in, its own first
    ends: dict[int, dict[int, int]] = field(default_factory=dict, repr=False, compare=False)  # of numbers

    @property
    def said_in(self) -> frozenset[str]:
        """The languages in which its words are looked for."""
        return frozenset((self.words.language, *self.languages))

    @cached_property
    def bindings(self) -> Bindings:
        """The values that it gives to concepts."""
        return bindings_of(self)

    @cached_property
    def letter_concepts(self) -> Mapping[str, frozenset[str]]:
        """The concepts that words give its letters."""
        return letter_concepts(self)

    @cached_property
    def letter_units(self) -> Mapping[str, Dimension]:
        """The kind of unit that the value of a letter has: `B = 50 GB/s` is no batch."""
        return letter_units(self.chains)

    def meaning_of(self, letter: str) -> frozenset[str]:
        """The concepts that a letter stands for by the page's words, or else by custom."""
        found = self.letter_concepts.get(letter) or customary(letter)
        kind = self.letter_units.get(letter)
        return found if kind is None else of_kind(found, kind) or OF_UNITS.get(kind, found)

    @cached_property
    def widths(self) -> frozenset[Fraction]:
        """The bytes that it says a value takes, by number or by format."""
        return widths_of(self)

    @cached_property
    def tells_active(self) -> bool:
        """Whether it speaks of active parameters apart from all."""
        named = (*self.letter_concepts.values(), *({name} for name in self.bindings.of))
        return any("active_parameters" in names for names in named)

    @cached_property
    def chains(self) -> tuple[Claim, ...]:
        """Every relation between two calculations, in the order of the page."""
        programs: dict[int, list[Block]] = {}
        for run in self.program.runs:
            programs.setdefault(id(run.piece.block), []).extend(run.piece.comments())
        return tuple(
            claim
            for block, claims in self._chained(programs)
            for claim in claims
            if block.kind != "code" or block.language.lower() in READ or _remarked(claim)
        )

    def _chained(self, programs: Mapping[int, list[Block]]) -> Iterator[tuple[Block, tuple[Claim, ...]]]:
        """The chains of each block; one behind a display may go on from it."""
        carried: Before | None = None
        for block in self.document.blocks:
            for text in programs.get(id(block), [block]):
                claims = tuple(chains_of(text, self.style, self.known, carried))
                yield block, claims
                display = block.kind == "display"
                carried = carried_from(block, self.style, claims) if display else None

    @cached_property
    def unit_chains(self) -> tuple[Claim, ...]:
        """Every relation, where letters that may be units are none that the page uses: 16 B × 7e9."""
        known = self.known - NAMES_OF_UNITS
        if known == self.known:
            return ()
        blocks = [block for block in self.document.blocks if self._counts_in(block, self.known - known)]
        return tuple(claim for block in blocks for claim in chains_of(block, self.style, known))

    def _counts_in(self, block: Block, units: frozenset[str]) -> bool:
        """Whether one of these letters stands behind a number of a block."""
        pairs = pairwise(self.tokens(block))
        behind = (b.text for a, b in pairs if a.kind == "number" and b.kind in ("word", "name"))
        return block.kind != "code" and any(units.intersection(text) for text in behind)

    @cached_property
    def _united(self) -> dict[tuple[int, int], Claim]:
        return {(id(claim.block), claim.figure[0]): claim for claim in self.unit_chains}

    def otherwise(self, claim: Claim) -> Claim | None:
        """A chain with what may be a letter or a unit read as the unit: `2 B × 33e9 = 66 GB`."""
        other = self._united.get((id(claim.block), claim.figure[0]))
        return other if other is not None and other.left != claim.left else None

    @cached_property
    def lent(self) -> Lent:
        """The units that its figures have, for calculations that leave them out."""
        spoken = (amount.node for saying in self.sayings for amount in saying.amounts)
        return lent_by(chain((claim.right for claim in self.chains), spoken))

    @cached_property
    def names(self) -> Names:
        """What its names stand for."""
        return names_of(definitions_of(self), self.document.blocks, self.given)

    @cached_property
    def formulas(self) -> tuple[Node, ...]:
        """Every formula in letters that it writes: behind a name, before a result, or by itself."""
        return tuple(formulas_of(self))

    @cached_property
    def program(self) -> Program:
        """What the page's programs give and print."""
        return program_of(self.document)

    @cached_property
    def grids(self) -> tuple[Grid, ...]:
        """Its tables, its lists of amounts, and the lines of outputs that are rows."""
        printed = (grid for block in self.document.blocks for grid in printed_grids(block, self.style))
        lists = lists_of(self.document, self.style)
        return (*tables_of(self.document.blocks, self.style), *printed, *lists)

    @cached_property
    def tied(self) -> tuple[Finding, ...]:
        """What the relations between the cells of its grids say of them, by whatever rule."""
        return tuple(tied(self))

    @cached_property
    def elsewhere(self) -> Elsewhere:
        """Where it says which figure."""
        return Elsewhere(self.document.blocks, self.style, self.grids)

    @cached_property
    def linked(self) -> tuple[Finding, ...]:
        """What the amounts of other sentences and tables say of its ratios, by whatever rule."""
        return tuple(linked_ratios(self))

    @cached_property
    def calculated(self) -> Mapping[Figure, Word]:
        """What the calculation beside a figure says of it."""
        return {
            (id(claim.block), claim.figure[0]): agree(claim.left, claim.relation, claim.right).word
            for claim in self.chains
            if claim.sure and isinstance(claim.left, Operation)
            if not letters(claim.left) and not letters(claim.right)
        }

    @cached_property
    def refuted(self) -> frozenset[Figure]:
        """The figures of grids that calculations in the grid's own text do not come to."""
        own = {
            id(cell.block) for grid in self.grids for row in grid.rows for cell in row if cell is not None
        }
        return frozenset(
            (id(claim.block), claim.figure[0])
            for claim in self.chains
            if id(claim.block) in own and isinstance(claim.left, Operation)
            if not letters(claim.left) and not letters(claim.right)
            if agree(claim.left, claim.relation, claim.right).word == "wrong"
        )

    @cached_property
    def sayings(self) -> tuple[Saying, ...]:
        """The sentences of its prose and cells, in order."""
        blocks = (block for block in self.document.blocks if block.kind in ("prose", "cell"))
        return tuple(
            saying for block in blocks for saying in sayings_of(block, self.style, self.known, self.words)
        )

    @cached_property
    def remarked(self) -> tuple[Saying, ...]:
        """The sentences of the comments of its programs."""
        blocks = (block for run in self.program.runs for block in run.piece.comments())
        return tuple(
            saying for block in blocks for saying in sayings_of(block, self.style, self.known, self.words)
        )

    @cached_property
    def coded(self) -> tuple[Claim, ...]:
        """What its programs calculate, each statement a claim of its left side."""
        return tuple(coded(self.program))

    @cached_property
    def mentions(self) -> tuple[Mention, ...]:
        """Every amount with what it is of."""
        return mentions_of(self)

    def tokens(self, block: Block) -> tuple[Token, ...]:
        """The tokens of a block."""
        return tokens_of(block, self.style)

    def heading(self, block: Block) -> str:
        """The heading of a block's section."""
        blocks = (b for b in self.document.blocks if b.section == block.section and b.kind == "heading")
        return next((b.text for b in blocks), "")

    def line(self, block: Block, at: int) -> int:
        """The line of a place in a block, in the file as stored."""
        return self.document.place(block.offsets[min(at, len(block.text))])[0]


def _remarked(claim: Claim) -> bool:
    """Whether a claim stands in a comment of a configuration."""
    line = claim.block.text[claim.block.text.rfind("\n", 0, claim.start) + 1 : claim.start]
    return "#" in line or "//" in line


def page_of(document: Document, given: Mapping[str, Number] | None = None) -> Page:
    """Read a document for the judges; `given` are values of letters that it need not say itself."""
    worded = [block.text for block in document.blocks if block.kind in _WORDED]
    words, languages = language_of(worded), languages_of(" ".join(worded))
    comma = parts_by_comma(languages) if languages else words.comma
    style = style_of((block.text for block in document.blocks), comma=comma)
    return Page(document, style, letters_of(document.blocks, style), words, given or {}, languages)
