"""What stands where on a page: nothing below a heading, a ledger under the same heading as its chain."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from markdown_it.token import Token

from workings.document.blocks import Block, Heading, Solution, Text
from workings.document.directive import directive_of
from workings.document.page import Page


class Headings:
    """The headings below which nothing has stood yet."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.bare: list[tuple[Heading, int]] = []

    def met(self, blocks: Sequence[Block], line: int) -> None:
        """Note what comes next. Raises DocumentError for a heading that it leaves with nothing."""
        for block in blocks:
            if not isinstance(block, Heading):
                self.bare.clear()
                continue
            self._refuse([one for one in self.bare if one[0].level >= block.level])
            self.bare.append((block, line))

    def end(self) -> None:
        """Nothing comes next. Raises DocumentError for a heading that is left with nothing."""
        self._refuse(self.bare)

    def _refuse(self, bare: Sequence[tuple[Heading, int]]) -> None:
        for heading, line in bare:
            words = "".join(piece.text for piece in heading.line if isinstance(piece, Text))
            raise self.page.source.fail(
                line, f"the heading {words[:60]!r} has nothing below it, expected text, a formula or a "
                "table before the next heading or the end",
            )  # fmt: skip


def asked(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """What a question sheet keeps: neither solutions nor headings that only they stand below."""
    kept: list[Block] = []
    for block in blocks:
        if isinstance(block, Heading):
            _drop_bare(kept, block.level)
        if not isinstance(block, Solution):
            kept.append(block)
    _drop_bare(kept, 0)
    return tuple(kept)


def _drop_bare(kept: list[Block], level: int) -> None:
    """Drop the headings at the end of what is kept, down to those that the next one may stand below."""
    while kept and isinstance(last := kept[-1], Heading) and last.level >= level:
        kept.pop()


def accounts_below(tokens: Sequence[Token], start: int) -> frozenset[str]:
    """The entries whose ledger stands between this token and the next heading."""
    here = takewhile(lambda token: token.type != "heading_open", tokens[start:])
    fences = (directive_of(one.info, one.content, 0) for one in here if one.type == "fence")
    return frozenset(one.argument.partition(" ")[0] for one in fences if one and one.name == "ledger")
