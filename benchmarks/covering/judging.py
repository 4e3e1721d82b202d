"""Whether the verdicts of a file of matches are what is computed, and what its examples come to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from covering.lists import HAS, OPEN, Listed, Match, Source, Tried
from covering.points import values_at
from covering.printed import Result, result_of, stands_in
from covering.sides import Point, Sides, number, same
from workings import catalogue
from workings.errors import UserError

_NEED_WHY = ("convention", "approximates", "source wrong", "ours wrong", "part", "left out")
_NEED_ENTRY = (*HAS, "source wrong", "ours wrong", "part")


class Fault(NamedTuple):
    """What is wrong with what is said of a formula, as a sentence."""

    id: str
    says: str

    def __str__(self) -> str:
        return f"{self.id}: {self.says}"


@dataclass(frozen=True)
class Judged:
    """A list and its matches, judged.

    `examples` holds the verdicts that are confirmed, by a formula's id and the number of its example,
    `apart` by how much of ours the two sides differ at most, where they do.
    """

    source: Source
    matches: Mapping[str, Match]
    faults: tuple[Fault, ...]
    examples: Mapping[tuple[str, int], str]
    apart: Mapping[str, Fraction]

    def verdict(self, id_: str) -> str:
        """The verdict of a formula; `OPEN` where there is none, or something is wrong with it."""
        if id_ not in self.matches or any(fault.id == id_ for fault in self.faults):
            return OPEN
        return self.matches[id_].verdict


def judged(source: Source, matches: tuple[Match, ...]) -> Judged:
    """Judge the matches of a list: ids first, then each match and its examples."""
    listed = {one.id: one for one in source.formulas}
    faults = [*_ids(source, matches)]
    examples: dict[tuple[str, int], str] = {}
    apart: dict[str, Fraction] = {}
    told = {match.need for match in matches if match.needs}
    for match in matches:
        if match.formula in listed:
            of = listed[match.formula]
            found = [*_words(match, told), *_verdict(source, of, match, apart)]
            found += _examples(of, match, examples)
            faults += [Fault(of.id, says) for says in found]
    by_id = {match.formula: match for match in matches}
    return Judged(source, by_id, tuple(faults), examples, apart)


def _ids(source: Source, matches: tuple[Match, ...]) -> Iterator[Fault]:
    """Ids of the list that no match has, that several have, and ids that are not in the list."""
    ids, seen = [one.id for one in source.formulas], [match.formula for match in matches]
    for id_ in ids:
        if seen.count(id_) != 1:
            yield Fault(id_, f"found {seen.count(id_) or 'no'} matches of it, expected one")
    yield from (
        Fault(id_, "found a match of it, expected an id of the list") for id_ in seen if id_ not in ids
    )
    known = [id_ for id_ in dict.fromkeys(seen) if id_ in ids]
    late = next((pair for pair in pairwise(known) if ids.index(pair[0]) > ids.index(pair[1])), None)
    if late is not None:
        yield Fault(late[1], f"found it after {late[0]}, expected the order of the list")


def _words(match: Match, told: set[str]) -> Iterator[str]:
    """What a verdict needs beside it; `told` are the needs that some match says in words."""
    verdict = match.verdict
    for id_ in match.entries.values():
        try:
            catalogue.get(id_)
        except UserError as error:
            yield str(error)
    if verdict in _NEED_WHY and not match.why:
        yield f"found {verdict} without why, expected a sentence"
    if verdict in _NEED_ENTRY and not match.entries:
        yield f"found {verdict} without an entry, expected one"
    if verdict in (*HAS, "source wrong", "ours wrong") and not match.says:
        yield f"found {verdict} without says, expected the source's formula"
    if (verdict == "missing" or match.need) and match.need not in told:
        yield f"found {verdict} without need and needs, expected a slug and what entry would have it"
    if verdict in ("missing", "left out") and match.entries:
        yield f"found {verdict} with an entry, expected none"
    if verdict == "approximates" and not match.within:
        yield "found approximates without within, expected the relative difference at its points"
    if match.within and not match.why:
        yield "found within without why, expected a sentence"


def _verdict(source: Source, listed: Listed, match: Match, far: dict[str, Fraction]) -> Iterator[str]:
    """Where the two sides are not as the verdict says; `far` takes how far apart they are at most."""
    if not match.compared or match.verdict in ("missing", "left out"):
        return
    try:
        points = list(values_at(Sides(match, listed.known), f"{source.name} {match.formula}"))
        within = number(match.within, "within") if match.within else Fraction(0)
    except UserError as error:
        yield str(error)
        return
    apart = [point for point in points if not same(*point[1:])]
    if match.verdict in ("agrees", "convention"):
        for point in apart[:1]:
            yield f"stated {match.verdict}, but {_said(*point)}"
        return
    if not apart:
        yield f"stated {match.verdict}, but both sides are equal at each of {len(points)} points"
        return
    furthest = max(apart, key=lambda point: _apart(*point[1:]))
    far[listed.id] = _apart(*furthest[1:])
    if match.verdict == "approximates" and match.within and far[listed.id] > within:
        yield f"stated within {match.within}, but {_said(*furthest)}, {_short(far[listed.id])} apart"


def _examples(listed: Listed, match: Match, confirmed: dict[tuple[str, int], str]) -> Iterator[str]:
    """What is wrong with what is said of its examples; verdicts that are right are `confirmed`."""
    numbers = [one.number for one in match.examples]
    for k in dict.fromkeys(numbers):
        if not 1 <= k <= len(listed.examples) or numbers.count(k) > 1:
            most = len(listed.examples)
            yield f"found example {k} {numbers.count(k)} times, expected each of 1 to {most} once at most"
    for k in range(1, len(listed.examples) + 1):
        if (tried := match.tried(k)) is None:
            continue
        try:
            confirmed[listed.id, k] = _example(listed, match, tried)
        except UserError as error:
            yield f"example {k}: {error}"


def _example(listed: Listed, match: Match, tried: Tried) -> str:
    """The verdict of an example. Raises UserError where it is another than is stated."""
    verdict = tried.verdict
    if (verdict != "agrees" or tried.within) and not tried.why:
        raise UserError(f"found {verdict} or within without why, expected a sentence")
    if verdict == "left out":
        return verdict
    if not match.entries:
        raise UserError(f"found {verdict} without an entry of the formula, expected left out")
    if verdict == "approximates" and not tried.within:
        raise UserError("found approximates without within, expected the relative difference")
    given = listed.examples[tried.number - 1]
    printed = result_of(tried.printed or given.result)
    if not (tried.why or stands_in(given.result, printed)):
        raise UserError(
            f"found printed {tried.printed!r}, which {given.result!r} does not say, without why"
        )
    ours = _at(Sides(match, listed.known), {**given.inputs, **tried.at})
    agrees = printed.has(ours)
    near = agrees if not tried.within else _within(ours, printed, number(tried.within, "within"))
    if near == (verdict == "source wrong") or (agrees and verdict == "approximates"):
        words = f"the source prints {tried.printed or given.result!r} and ours is {_short(ours)}"
        raise UserError(f"stated {verdict}, but {words}")
    return verdict if agrees or verdict == "source wrong" else "approximates"


def _at(sides: Sides, given: dict[str, object]) -> Fraction:
    """Our side with the letters that it needs. Raises UserError."""
    point: dict[str, Fraction] = {}
    for name in sides.letters_of_ours:
        if name not in given:
            raise UserError(f"found no value of {name}, expected it in at, or left out and why")
        point[name] = number(given[name], name)
    return sides.catalogue(point)


def _within(value: Fraction, printed: Result, within: Fraction) -> bool:
    return any(_apart((low + high) / 2, value) <= within for low, high in printed.intervals)


def _apart(theirs: Fraction, ours: Fraction) -> Fraction:
    """The relative difference, of ours; 1 where ours is nothing."""
    return abs(theirs - ours) / abs(ours) if ours else Fraction(1)


def _said(point: Point, theirs: Fraction, ours: Fraction) -> str:
    where = ", ".join(f"{name} = {_short(value)}" for name, value in sorted(point.items()))
    return f"{f'at {where} ' if where else ''}the source has {_short(theirs)} and ours is {_short(ours)}"


def _short(value: Fraction) -> str:
    """A value for a sentence: whole as it is, others to six digits."""
    if value.denominator == 1 and abs(value) < 10**15:
        return f"{value.numerator:,}"
    return f"{float(value):.6g}"
