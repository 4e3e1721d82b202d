"""Whether what a match says of its source is the formula of the list, where our grammar reads that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce

from covering.lists import Listed
from covering.points import At
from covering.sides import same
from workings.errors import UserError
from workings.formula import Add, Expr, Relations, evaluate, names_in, parse_formula
from workings.formula.interval import rational


def transcribed(listed: Listed, points: Sequence[At]) -> bool | None:
    """Whether a side of the list's formula has the source's value at every point.

    A list writes `a = b`, and `a; b; a + b` where a source adds up what stands in several places. None
    where the grammar does not read it, or it has other letters.
    """
    letters = set(points[0].point)
    sides = [side for side in _sides(listed.formula) if set(names_in(side)) <= letters]
    return any(_equal(side, points) for side in sides) if sides else None


def _sides(text: str) -> Iterator[Expr]:
    """The sides of each part of a formula, and the sum of the parts."""
    parts: list[Expr] = []
    for part in text.split(";"):
        try:
            found = parse_formula(part.strip())
        except UserError:
            continue
        if isinstance(found, Relations):
            yield from (found.first, *(side for _, side in found.rest))
            parts.append(found.rest[-1][1])
        else:
            yield found
            parts.append(found)
    if len(parts) > 1:
        yield reduce(lambda one, other: Add(one, (("+", other),)), parts)


def _equal(side: Expr, points: Sequence[At]) -> bool:
    try:
        return all(same(rational(evaluate(side, at.point)), at.theirs) for at in points)
    except UserError:
        return False
