"""Where both sides of a match are compared: at the points it gives, or at points that are drawn."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction

from covering.sides import Point, Sides, number
from workings.errors import UserError

POINTS = 5
TRIES = 1500
_LARGEST = (
    (3, 1, 1),
    (6, 2, 1),
    (11, 3, 1),
)  # exponents of 2, 3 and 5: small, middling and large letters


def values_at(sides: Sides, seed: str) -> Iterator[tuple[Point, Fraction, Fraction]]:
    """Points, with the source's value and ours. Raises UserError where a given one is refused."""
    given = {n: v if isinstance(v, list) else [v] for n, v in sides.match.at.items()}
    lengths = {len(v) for v in given.values()} - {1}
    if len(lengths) > 1 or 0 in lengths:
        raise UserError("at: found lists of different lengths, expected as many values of each letter")
    count = max(lengths, default=1)
    rows = [{n: number(v[k % len(v)], f"at: {n}") for n, v in given.items()} for k in range(count)]
    if set(sides.letters) <= set(given):
        for row in rows:
            yield row, sides.source(row), sides.catalogue(row)
        return
    yield from _drawn(sides, rows, random.Random(seed))  # noqa: S311 - a lot, no secret


def _drawn(
    sides: Sides, rows: Sequence[Point], draw: random.Random
) -> Iterator[tuple[Point, Fraction, Fraction]]:
    """Points whose other letters are drawn; those that an entry's conditions refuse are drawn again."""
    letters = [n for n in sides.letters if n not in rows[0]]
    found, refusal = 0, ""
    for k in range(TRIES):
        point = {**rows[k % len(rows)], **_letters(letters, draw)}
        try:
            both = sides.source(point), sides.catalogue(point)
        except UserError as error:
            refusal = str(error)
            continue
        yield point, *both
        found += 1
        if found >= max(POINTS, len(rows)):
            return
    if not found:
        raise UserError(
            f"no point of {TRIES} drawn has a value on both sides, give some in at: {refusal}"
        )


def _letters(letters: Sequence[str], draw: random.Random) -> dict[str, Fraction]:
    """A value for each letter, all different: whole numbers with many divisors, at times a share of 1."""
    found: dict[str, Fraction] = {}
    while len(found) < len(letters):
        two, three, five = draw.choice(_LARGEST)
        value = Fraction(
            2 ** draw.randint(1, two) * 3 ** draw.randint(0, three) * 5 ** draw.randint(0, five)
        )
        if draw.random() < 1 / 8:
            value = Fraction(draw.randint(1, 9), 10)
        if value not in found.values():
            found[letters[len(found)]] = value
    return found
