"""Whether what is said of every figure is what is computed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from covering.asking import NEAR
from covering.judging import Fault
from covering.sides import Sides, number, short

from figuring.lists import ANSWERED, REPRODUCED, UNASKED, Figure, Tried
from figuring.printed import read
from workings import catalogue
from workings.catalogue.search import find
from workings.errors import UserError

WITHIN = Fraction(2, 100)  # nearly, where no other tolerance is said
_AGAIN = re.compile(r"recomputed (?P<text>[-\d.,]+)(?P<unit>[^;]*)")
_FORMULA = re.compile(r"= (?P<text>-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)(?=;|$)")
_BILLIONS = {" B": "B", " 1e14 FLOP": "e14", " 1e13 FLOP": "e13", " 1e23 FLOP": "e23"}


@dataclass(frozen=True)
class Found:
    """A figure, what was asked, and our value where there is one."""

    figure: Figure
    tried: Tried
    ours: Fraction | None

    @property
    def rank(self) -> int | None:
        """The place at which its question finds an entry asked; 0 if not near, None if none was asked."""
        right = set(self.tried.match.entries.values())
        if not right:
            return None
        found = [one.entry.id in right for one in find(self.figure.question, NEAR)]
        return found.index(True) + 1 if True in found else 0


@dataclass(frozen=True)
class Judged:
    """A list with what was asked for each of its figures, and what is wrong with that."""

    name: str
    found: tuple[Found, ...]
    faults: tuple[Fault, ...]


def judged(name: str, figures: Sequence[Figure], tried: Sequence[Tried]) -> Judged:
    """Judge what is said of the figures of a list."""
    asked: dict[str, Tried] = {one.figure: one for one in tried}
    told = {one.match.need for one in tried if one.match.needs}
    faults = [*_ids([one.id for one in figures], [one.figure for one in tried])]
    found = []
    for figure in figures:
        if (one := asked.get(figure.id)) is None:
            continue
        faults += [Fault(figure.id, says) for says in _words(one, told)]
        try:
            ours = _ours(figure, one)
            found.append(Found(figure, one, ours))
            faults += [Fault(figure.id, says) for says in _verdict(figure, one, ours)]
        except UserError as error:
            faults.append(Fault(figure.id, str(error)))
    return Judged(name, tuple(found), tuple(faults))


def _ids(listed: Sequence[str], said: Sequence[str]) -> Iterator[Fault]:
    for id_ in listed:
        if said.count(id_) != 1:
            yield Fault(id_, f"found it tried {said.count(id_)} times, expected once")
    strange = [id_ for id_ in said if id_ not in listed]
    yield from (Fault(id_, "found it tried, expected an id of the list") for id_ in strange)


def _words(one: Tried, told: set[str]) -> Iterator[str]:
    """What a verdict needs beside it, and may not have."""
    match, verdict = one.match, one.verdict
    for id_ in match.entries.values():
        try:
            catalogue.get(id_)
        except UserError as error:
            yield str(error)
    if verdict not in ("as printed", "cannot be asked", "in part") and not match.why:
        yield f"found {verdict} without why, expected a sentence"
    if verdict in UNASKED and match.entries:
        yield f"found {verdict} with an entry, expected none"
    if verdict not in UNASKED and not match.entries:
        yield f"found {verdict} without an entry, expected one"
    if (verdict in ("cannot be asked", "in part") or match.need) and match.need not in told:
        yield f"found {verdict} without need and needs, expected a slug and what entry would answer"
    if one.first and (one.first == verdict or not match.need):
        yield "found first without need, or as it is now, expected another verdict and what it needed"


def _ours(figure: Figure, one: Tried) -> Fraction | None:
    """Our value, from what goes in by the list and by what was asked. Raises UserError."""
    if one.verdict not in ANSWERED or not one.match.entries:
        return None
    given: Mapping[str, object] = {**figure.inputs, **one.match.at}
    sides = Sides(one.match, frozenset(given))
    point = {}
    for name in sides.letters_of_ours:
        if name not in given:
            raise UserError(f"found no value of {name}, expected it among the inputs or in at")
        point[name] = number(given[name], name)
    return sides.catalogue(point)


def _verdict(figure: Figure, one: Tried, ours: Fraction | None) -> Iterator[str]:
    """Where the verdict is not what is computed."""
    if ours is None:
        return
    verdict, text = one.verdict, one.printed or figure.printed
    plain, meant = read(text), read(text, one.unit)
    shows = f"the source prints {figure.printed!r} and ours is {short(ours)}"
    if verdict == "as printed" and one.unit and plain.unit:
        yield f"found the unit {one.unit!r} beside {figure.printed!r}, expected convention and which"
    if one.printed and re.search(r"(?<![A-Za-z\d])\d", figure.printed):
        yield f"found printed = {one.printed!r}, expected it only where {figure.printed!r} has no digits"
    exactness = "rounded" if verdict == "source wrong" else figure.exactness  # 9 is no "at least 5"
    if meant.fits(ours, exactness) != (verdict in ("as printed", "convention")):
        yield f"stated {verdict}, but {shows}"
    if verdict == "convention" and one.unit and plain.fits(ours, figure.exactness):
        yield f"stated convention, but without it too {shows}"
    within = number(one.within, "within") if one.within else WITHIN
    if verdict == "nearly" and meant.off(ours) > within:
        yield f"stated nearly, but {shows}, {float(100 * meant.off(ours)):.2g} % off"
    if figure.sound != (verdict in REPRODUCED):
        yield f"stated {verdict}, but the list finds the figure {'sound' if figure.sound else 'wrong'}"
    yield from _again(figure, one, ours, meant.scale)


def _again(figure: Figure, one: Tried, ours: Fraction, scale: Fraction) -> Iterator[str]:
    """Where ours is another value than the one that the reader of the source computed.

    A note says `recomputed` with a figure and its unit, or a formula with its value in the printed unit.
    """
    if (found := _AGAIN.search(figure.note)) is not None:
        unit = found["unit"].split(",")[0].rstrip()
        text = found["text"].rstrip(",") + _BILLIONS.get(unit, unit)
        again, scale = read(text), Fraction(1)
    elif (found := _FORMULA.search(figure.note)) is not None:
        text = found["text"]
        again = read(text)
    else:
        return
    if (abs(again.value * scale - ours) <= again.half * scale) == bool(one.differs):
        says = "the same" if one.differs else "another, without differs"
        yield f"the list recomputed {text} and ours is {short(ours)}, {says}"
