"""What the relations between the cells of a page's grids say, once more without those found wrong."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from workings.claims.claim import Finding
from workings.claims.columns import followers
from workings.claims.constants import Constants, Stated
from workings.claims.grids import Grid, Key
from workings.claims.head_formulas import stated_formulas
from workings.claims.sums import totals
from workings.claims.ties import Tie, findings_of

if TYPE_CHECKING:
    from workings.claims.page import Page

MOST_PASSES = 3  # a table with more slips than that is of another kind


def tied(page: Page) -> Iterator[Finding]:
    """What ties say of the cells of a page.

    Two slips in one table hide each other: what is found wrong is left out, and the rest looked at again.
    """
    stated = Stated(page.document.blocks, page.tokens)
    grids = [(grid, stated.beside(grid)) for grid in page.grids]
    said = [tie for grid in page.grids for tie in (*totals(grid), *stated_formulas(grid, page))]
    wrong: set[Key] = set()
    for _ in range(MOST_PASSES):
        ties = [tie for tie in (*said, *_followers(grids, wrong)) if not wrong & tie.cells.keys()]
        found = list(findings_of(ties, page.elsewhere, lambda: page.refuted))
        accused = [finding for finding in found if finding.word == "wrong"]
        yield from accused
        if not accused:
            break
        wrong |= {(id(finding.block), finding.start, finding.end) for finding in accused}
    yield from (finding for finding in found if finding.word != "wrong")


def _followers(grids: Collection[tuple[Grid, Constants]], wrong: set[Key]) -> Iterator[Tie]:
    for grid, constants in grids:
        yield from followers(grid, constants, wrong)
