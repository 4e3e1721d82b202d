"""Pages of what the catalogue has of published formulas: an index, and a page for each source.

They are documents like all others, so that whatever a source says is escaped where pages are written.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from covering.index_page import index_blocks
from covering.judging import Judged
from covering.pieces import INDEX, words
from covering.source_page import page_blocks
from workings.document.blocks import Block, Document
from workings.render.reports import Options, printed

TITLE = "What the catalogue has of published formulas"
UNCHECKED = "it quotes formulas and figures of others, some of them wrong"


def pages(found: Sequence[Judged]) -> dict[str, str]:
    """Name of each file to its text: the index, and a page for each source."""
    made = {INDEX: document_of(TITLE, index_blocks(found))}
    made |= {one.source.name: document_of(one.source.title, page_blocks(one)) for one in found}
    options = Options(formats=("md",))
    texts = (printed(document, name, options) for name, document in made.items())
    return {file: str(text) for files in texts for file, text in files.items()}


def document_of(title: str, blocks: Iterable[Block]) -> Document:
    """A page of words of others, which our own checker does not read."""
    return Document(words(title), tuple(blocks), {}, UNCHECKED)
