"""What concepts the letters of a page stand for, by the words beside them: `N GPUs`, `layers $L$`."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from workings.claims.bindings import concept_terms, named
from workings.marks.tree import Letter, leaves

if TYPE_CHECKING:
    from workings.claims.page import Page

_VALUE = re.compile(r"[\s$}\\,]*(?:=|≈|\\approx|:=)[\s$\\{]*[\d.,\s]+(?:\\times|\\cdot|·|×)?[\s\d^{}e]*")
MOST_PLACES = 40  # of a letter at which its words are looked at


def letter_concepts(page: Page) -> Mapping[str, frozenset[str]]:
    """The concepts of every letter that words explain."""
    terms = concept_terms(page.said_in, "width")
    found: dict[str, set[str]] = defaultdict(set)
    for name, spellings in _spellings(page).items():
        for text, start, end in _places(page, spellings):
            value = _VALUE.match(text, end)
            found[name] |= named(text, start, value.end() if value else end, terms)
    return {name: frozenset(concepts) for name, concepts in found.items()}


def _spellings(page: Page) -> Mapping[str, frozenset[str]]:
    """How each letter of its formulas is written."""
    found: dict[str, set[str]] = defaultdict(set)
    for claim in page.chains:
        for side in (claim.left, claim.right):
            for leaf in leaves(side):
                if isinstance(leaf, Letter):
                    found[leaf.name].add(claim.block.text[leaf.start : leaf.end])
    return {name: frozenset(texts) for name, texts in found.items()}


def _places(page: Page, spellings: frozenset[str]) -> Iterator[tuple[str, int, int]]:
    either = "|".join(map(re.escape, sorted(filter(None, spellings), key=len, reverse=True)))
    if not either:
        return
    pattern = re.compile(rf"(?<![\w\\])(?:{either})(?![\w])")
    places = 0
    for block in page.document.blocks:
        if block.kind not in ("prose", "cell"):
            continue
        for match in pattern.finditer(block.text):
            places += 1
            if places > MOST_PLACES:
                return
            yield block.text, match.start(), match.end()
