"""Formulas of published sources on a terminal."""

from __future__ import annotations

from itertools import groupby
from textwrap import wrap

from workings.catalogue.published import Publication
from workings.results.published import PublishedFormula, PublishedResult

WIDTH = 98


def published_text(found: PublishedResult) -> str:
    """Each formula with its place, its words and the ids that have it, under the name of its source."""
    if found.words:  # the likeliest first, whatever source it is of
        several = len({one.source.name for one in found.formulas}) > 1
        heads = [] if several else _head(found.formulas[0].source)
        return "\n".join([*heads, *(line for one in found.formulas for line in _lines(one, named=several))])
    parts = []
    for _, own in groupby(found.formulas, lambda one: one.source.name):
        formulas = list(own)
        parts.append("\n".join([*_head(formulas[0].source), *(line for one in formulas for line in _lines(one))]))
    return "\n\n".join(parts)


def _head(source: Publication) -> list[str]:
    return wrap(f"{source.authors}: {source.title} ({source.year}), {source.where}", WIDTH)


def _lines(one: PublishedFormula, *, named: bool = False) -> list[str]:
    place = f"{one.source.name}: {one.formula.place}" if named else one.formula.place
    words = wrap(f"{place}: {one.formula.words}", WIDTH - 2, subsequent_indent="  ")
    return [*(f"  {line}" for line in words), f"      {' and '.join(one.formula.ids)}"]
