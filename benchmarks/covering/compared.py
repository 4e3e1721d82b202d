"""The two sides of a match beside each other, at its points: where they are not as its verdict says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from covering.lists import Listed, Match
from covering.points import At, values_at
from covering.sides import Sides, number, short
from covering.transcribed import transcribed
from workings.errors import UserError


@dataclass(frozen=True)
class Compared:
    """What comparing gave: sentences on what is wrong, and by how much of ours the sides differ at most.

    `read`: the program itself found the list's formula to be what is compared.
    """

    faults: tuple[str, ...] = ()
    apart: Fraction = Fraction(0)
    read: bool = False


def compared(seed: str, listed: Listed, match: Match) -> Compared:
    """Compare both sides, where there are two; `seed` draws the points that a match does not give."""
    if not (match.entries and match.says):
        return Compared()
    try:
        points = list(values_at(Sides(match, listed.known), seed))
        within = number(match.within, "within") if match.within else Fraction(0)
    except UserError as error:
        return Compared((str(error),))
    read = transcribed(listed, points)
    faults = [*_verdict(match, points, within)]
    if read is False and not match.why:
        faults.append(
            f"found says {match.says!r}, which the list does not say ({listed.formula}), without why"
        )
    return Compared(tuple(faults), max(at.apart for at in points), bool(read))


def _verdict(match: Match, points: Sequence[At], within: Fraction) -> Iterator[str]:
    """Where the two sides are not as the verdict says."""
    furthest = max(points, key=lambda at: at.apart)
    if match.verdict in ("agrees", "convention"):
        if furthest.apart:
            yield f"stated {match.verdict}, but {furthest}"
        elif len(points) == 1 and points[0].point:
            yield f"found one point to compare at, {furthest}, expected two or more"
    elif not furthest.apart:
        yield f"stated {match.verdict}, but both sides are equal at each of {len(points)} points"
    elif match.verdict == "approximates" and match.within and furthest.apart > within:
        yield f"stated within {match.within}, but {furthest}, {short(furthest.apart)} apart"
