"""The worked examples of a formula: ours at what goes in, beside what the source prints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from covering.lists import Listed, Match, Tried
from covering.printed import Result, result_of, stands_in
from covering.sides import Sides, apart, number, short
from workings.errors import UserError


@dataclass(frozen=True)
class Worked:
    """Sentences on what is wrong, and the verdicts that are confirmed, by the number of the example."""

    faults: tuple[str, ...]
    verdicts: Mapping[int, str]


def worked(listed: Listed, match: Match) -> Worked:
    """Work out the examples of a formula that its match does not leave out."""
    count, numbers = len(listed.examples), [one.number for one in match.examples]
    faults = [
        f"found example {k} {numbers.count(k)} times, expected each of 1 to {count} once at most"
        for k in dict.fromkeys(numbers)
        if not 1 <= k <= count or numbers.count(k) > 1
    ]
    verdicts: dict[int, str] = {}
    for k in range(1, count + 1):
        if (tried := match.tried(k)) is not None:
            try:
                verdicts[k] = _verdict(listed, match, tried)
            except UserError as error:
                faults.append(f"example {k}: {error}")
    return Worked(tuple(faults), verdicts)


def _verdict(listed: Listed, match: Match, tried: Tried) -> str:
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
    ours = _ours(Sides(match, listed.known), {**given.inputs, **tried.at})
    agrees = printed.has(ours)
    near = _within(ours, printed, number(tried.within, "within")) if tried.within else agrees
    if near == (verdict == "source wrong") or (agrees and verdict == "approximates"):
        words = f"the source prints {tried.printed or given.result!r} and ours is {short(ours)}"
        raise UserError(f"stated {verdict}, but {words}")
    return verdict if agrees or verdict == "source wrong" else "approximates"


def _ours(sides: Sides, given: Mapping[str, Any]) -> Fraction:
    """Our side with the letters that it needs. Raises UserError."""
    for name in sides.letters_of_ours:
        if name not in given:
            raise UserError(f"found no value of {name}, expected it in at, or left out and why")
    return sides.catalogue({name: number(given[name], name) for name in sides.letters_of_ours})


def _within(value: Fraction, printed: Result, within: Fraction) -> bool:
    return any(apart((low + high) / 2, value) <= within for low, high in printed.intervals)
