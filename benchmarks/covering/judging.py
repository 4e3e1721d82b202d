"""Whether the verdicts of a file of matches are what is computed, and what its examples come to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from covering.compared import Compared, compared
from covering.lists import HAS, OPEN, Match, Source
from covering.worked import Worked, worked
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


class Found(NamedTuple):
    """A match, what comparing its sides gave, and its examples."""

    match: Match
    compared: Compared
    worked: Worked


@dataclass(frozen=True)
class Judged:
    """A list and its matches, judged; `found` are the matches by the ids of their formulas."""

    source: Source
    found: Mapping[str, Found]
    faults: tuple[Fault, ...]

    def verdict(self, id_: str) -> str:
        """The verdict of a formula; `OPEN` where there is none, or something is wrong with it."""
        if id_ not in self.found or any(fault.id == id_ for fault in self.faults):
            return OPEN
        return self.found[id_].match.verdict


def judged(source: Source, matches: tuple[Match, ...]) -> Judged:
    """Judge the matches of a list: ids first, then each match and its examples."""
    listed = {one.id: one for one in source.formulas}
    told = {match.need for match in matches if match.needs}
    faults, found = [*_ids(source, matches)], {}
    for match in matches:
        if of := listed.get(match.formula):
            one = Found(match, compared(f"{source.name} {of.id}", of, match), worked(of, match))
            found[of.id] = one
            said = (*_words(match, told), *one.compared.faults, *one.worked.faults)
            faults += [Fault(of.id, says) for says in said]
    return Judged(source, found, tuple(faults))


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
