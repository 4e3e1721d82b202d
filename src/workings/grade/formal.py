"""The stretches of a hand-in that are formulas, each as a block of mathematics."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from workings.claims.chains import chains_of
from workings.claims.claim import Claim
from workings.claims.page_letters import lettered
from workings.grade.labels import label_of
from workings.marks.lexer import tokens_of
from workings.marks.parser import whole
from workings.marks.style import Style
from workings.marks.tree import Letter, Node, letters
from workings.reading.blocks import Block, Mark

# In text: letters, numbers and signs, and no word but the name of a function or an abbreviation.
_LETTER = r"[^\W\d_](?:_(?:\{[^{}]*\}|\w+))?(?![^\W²³])|\d[A-Za-z](?!\w)|[A-Z]{2,5}(?!\w)"
_RUN = re.compile(
    rf"(?:{_LETTER}|(?:max|min|ceil|floor|sqrt|log2?|ln)(?=\()|\d+(?:[.,]\d+)*"
    r"|[-+*/^()·×−=<>≤≥≈⌈⌉⌊⌋²³]|[ ])+"
)
_SIGN = re.compile(r"[-+*/·×−=<>≤≥]|\d[A-Za-z]")
_SINGLE = re.compile(r"(?<![A-Za-z\\])[^\W\d_](?![A-Za-z])")
_NAME = re.compile(r"(?<![A-Za-z\\])[A-Za-z](?:_\w+)")


def formal(blocks: Sequence[Block]) -> Iterator[Block]:
    """The displays, the formulas in the text, and what looks like one without being marked so."""
    for block in blocks:
        if block.kind in ("code", "output", "display"):
            yield block if block.kind == "display" else _mathematics(block, 0, len(block.text))
            continue
        if block.kind == "heading":
            continue
        marks = [(mark.start, mark.end) for mark in block.marks]
        if any(block.text[start:end].strip() for start, end in marks):
            yield from (_mathematics(block, start, end) for start, end in marks if start < end)
            continue
        label = label_of(block.text)
        for run in _RUN.finditer(block.text, label.end if label else 0):
            start, end = run.start(), run.start() + len(run[0].rstrip())
            start += len(run[0]) - len(run[0].lstrip())
            if start < end and _SIGN.search(block.text, start, end):
                yield _mathematics(block, start, end)


def _mathematics(block: Block, start: int, end: int) -> Block:
    part = block.part(start, end)
    return replace(part, kind="display", marks=(Mark(0, end - start, "display"),))


def names_of(blocks: Sequence[Block]) -> frozenset[str]:
    """What may be a letter in these formulas."""
    texts = [block.text for block in blocks]
    found = {name for text in texts for name in _SINGLE.findall(text)}
    return frozenset(found | {name for text in texts for name in _NAME.findall(text)})


def claims_of(blocks: Sequence[Block], style: Style, known: Collection[str]) -> Iterator[Claim]:
    """Every relation in these formulas, with these letters."""
    names = frozenset(known) | names_of(blocks)
    for block in blocks:
        yield from chains_of(block, style, names)


def alone(block: Block, style: Style, known: Collection[str]) -> Node | None:
    """All of a block as one calculation with letters."""
    names = frozenset(known) | names_of([block])
    tokens = [token for token in tokens_of(block, style) if token.kind != "stop"]
    node = whole(lettered(tokens, block, names), names) if tokens else None
    return node if node is not None and letters(node) and not isinstance(node, Letter) else None
