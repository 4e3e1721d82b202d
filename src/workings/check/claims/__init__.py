"""What sentences, tables and code say of the figures in them, rule by rule.

A rule takes the whole page and yields claims. Only what a reader cannot take otherwise is called
wrong; a claim that holds says where a figure comes from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from workings.check.claims.comparatives import comparatives
from workings.check.claims.durations import durations
from workings.check.claims.meshes import meshes
from workings.check.claims.page import Page
from workings.check.claims.precisions import precisions
from workings.check.claims.printed import printed
from workings.check.claims.range_totals import range_totals
from workings.check.claims.ratios import ratios
from workings.check.claims.shares import shares
from workings.check.claims.spelled_figures import spelled_figures
from workings.check.claims.tied_columns import tied_columns
from workings.check.sentences import Claim

RULES: tuple[Callable[[Page], Iterator[Claim]], ...] = (
    ratios,
    shares,
    meshes,
    precisions,
    tied_columns,
    comparatives,
    printed,
    range_totals,
    spelled_figures,
    durations,
)


def claims_of(page: Page) -> Iterator[Claim]:
    """The claims of every rule; a rule that fails on a page says no more of it."""
    for rule in RULES:
        try:
            yield from rule(page)
        except Exception:  # noqa: S112 - a document from outside must not stop on one line
            continue


__all__ = ["RULES", "Page", "claims_of"]
