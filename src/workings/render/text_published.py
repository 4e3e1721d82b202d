"""Formulas of published sources on a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from textwrap import wrap

from workings.catalogue.published import Listed, Publication

WIDTH = 98


def likeliest_text(found: Sequence[Listed]) -> str:
    """The formulas that a question may be about, the likeliest first, whatever source each is of."""
    several = len({one.source.name for one in found}) > 1
    heads = [] if several else _head(found[0].source)
    return "\n".join([*heads, *(line for one in found for line in _lines(one, named=several))])


def published_text(found: Sequence[Listed]) -> str:
    """Each formula with its place, its words and the ids that have it, under the name of its source."""
    parts = []
    for _, own in groupby(found, lambda one: one.source.name):
        formulas = list(own)
        source = formulas[0].source
        rest = (
            [f"  {source.without} more have no entry: reports/coverage says why."]
            if source.without
            else []
        )
        lines = (line for one in formulas for line in _lines(one))
        parts.append("\n".join([*_head(source), *lines, *rest]))
    return "\n\n".join(parts)


def _head(source: Publication) -> list[str]:
    return wrap(f"{source.authors}: {source.title} ({source.year}), {source.where}", WIDTH)


def _lines(one: Listed, *, named: bool = False) -> list[str]:
    place = f"{one.source.name}: {one.formula.place}" if named else one.formula.place
    words = wrap(f"{place}: {one.formula.words}", WIDTH - 2, subsequent_indent="  ")
    wrong = (
        wrap(f"not right as it is printed: {one.formula.wrong}", WIDTH - 6) if one.formula.wrong else []
    )
    below = (" and ".join(one.formula.ids), *wrong)
    return [*(f"  {line}" for line in words), *(f"      {line}" for line in below)]
