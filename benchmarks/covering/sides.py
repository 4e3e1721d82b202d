"""Both sides of a match at a point: the source's formula, and the entries of the catalogue that have it.

A point gives the source's letters exact values. Settings of an entry are expressions of these letters,
in base units, or text that `workings value --set` takes (`95 GB`, the name of a preset).
"""

from __future__ import annotations

import decimal
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

from covering.lists import Match
from workings import catalogue
from workings.derivation import Derivation
from workings.derivation.evaluation import value_of
from workings.errors import UserError
from workings.formula import Expr, FormulaError, evaluate, names_in, parse_expression
from workings.formula.interval import rational
from workings.units import ONE, Dimension, UnitError, parse_quantity
from workings.values.binding import bind, place_of

Point: TypeAlias = Mapping[str, Fraction]
SAME = Fraction(1, 10**50)  # logarithms and roots are known to 60 digits
_DIGITS = decimal.Context(prec=60)


def number(given: Any, where: str) -> Fraction:
    """A value as lists give it: a number, or text such as "1.5e9", "275e12 * 6144", "33 GB", "56 %"."""
    text = str(given).strip()
    if isinstance(given, bool) or not isinstance(given, str | int | float):
        raise UserError(f"{where}: found {given!r}, expected a number")
    try:
        return rational(evaluate(parse_expression(text), {}))
    except UserError:
        pass
    try:
        return parse_quantity(text).value
    except UnitError:
        raise UserError(f"{where}: found {text[:60]!r}, expected a number or a quantity") from None


def same(one: Fraction, other: Fraction) -> bool:
    """Whether two values are equal, as far as roots and logarithms are known."""
    return abs(one - other) <= SAME * abs(other)


@dataclass(frozen=True)
class Entry:
    """An entry as a match uses it: what is set to an expression, and what to a text."""

    what: Derivation
    settings: Mapping[str, Expr | str]
    shared: Mapping[str, Expr | str]

    def value(self, point: Point) -> tuple[Fraction, frozenset[str]]:
        """Its value, and which shared settings did nothing. Raises UserError where it has none."""
        both = {**self.shared, **self.settings}
        exact = {n: rational(evaluate(t, point)) for n, t in both.items() if not isinstance(t, str)}
        text = {n: t if isinstance(t, str) else self._text(n, exact[n]) for n, t in both.items()}
        own, shared = ({n: text[n] for n in given} for given in (self.settings, self.shared))
        bound = bind(self.what, None, own, shared)
        told = {place: exact[name] for place, name in bound.said.items() if name in exact}
        values = {**bound.values, **{place: v for place, v in told.items() if isinstance(place, str)}}
        pinned = {**bound.pinned, **{place: v for place, v in told.items() if not isinstance(place, str)}}
        return rational(value_of(self.what, values, pinned)), bound.idle

    def _text(self, name: str, value: Fraction) -> str:
        """A value as a setting is typed, in 60 digits: the exact one takes its place once it is bound."""
        place = place_of(self.what, name, None, known=name in self.shared)
        dimension = place.dimension if place is not None else ONE
        digits = _DIGITS.divide(decimal.Decimal(value.numerator), decimal.Decimal(value.denominator))
        whole = str(value.numerator) if value.denominator == 1 else f"{digits:e}"
        return f"{whole} {_unit(dimension)}".strip()


def _unit(dimension: Dimension) -> str:
    return "" if dimension == ONE else str(dimension).replace("currency", "USD")


@dataclass(frozen=True)
class Sides:
    """The two sides of a match. Raises UserError where an expression or an id cannot be read.

    `known` are the letters of the list, which settings may be expressions of.
    """

    match: Match
    known: frozenset[str] = frozenset()

    @cached_property
    def says(self) -> Expr:
        """The source's formula."""
        return _parsed(self.match.says, "says")

    @cached_property
    def ours(self) -> Expr:
        """Ours, in the names of the entries and the source's letters."""
        if not self.match.ours:
            raise UserError(
                "found several entries and no ours, expected ours, an expression of their names"
            )
        found = _parsed(self.match.ours, "ours")
        if idle := sorted(set(self.match.entries) - set(names_in(found))):
            raise UserError(f"ours: found no {idle[0]}, expected every entry in it")
        return found

    @cached_property
    def entries(self) -> Mapping[str, Entry]:
        """The entries by their names in `ours`."""
        given = self.match.set
        nested = {name: table for name, table in given.items() if isinstance(table, dict)}
        if strange := sorted(set(nested) - set(self.match.entries)):
            raise UserError(f"set: found a table {strange[0]!r}, expected the name of an entry")
        flat = self._settings({name: text for name, text in given.items() if name not in nested})
        alone = len(self.match.entries) == 1
        own = {name: self._settings(nested.get(name, {})) for name in self.match.entries}
        return {
            name: Entry(
                catalogue.get(id_), {**own[name], **flat} if alone else own[name], {} if alone else flat
            )
            for name, id_ in self.match.entries.items()
        }

    def _settings(self, given: Mapping[str, Any]) -> dict[str, Expr | str]:
        return {name: _told(name, text, self._said) for name, text in given.items()}

    @cached_property
    def _said(self) -> frozenset[str]:
        """The source's letters: of its list, its formula, ours beside the entries, and with values."""
        said = set(names_in(self.says)) if self.match.says else set()
        given = {name for one in self.match.examples for name in one.at}
        return frozenset((said | self.known | set(names_in(self.ours)) | set(self.match.at) | given)
                         - set(self.match.entries))  # fmt: skip

    @cached_property
    def letters_of_ours(self) -> tuple[str, ...]:
        """The letters that our side needs."""
        found = [n for n in names_in(self.ours) if n not in self.match.entries]
        for entry in self.entries.values():
            for told in (*entry.settings.values(), *entry.shared.values()):
                found += [] if isinstance(told, str) else names_in(told)
        return tuple(dict.fromkeys(found))

    @cached_property
    def letters(self) -> tuple[str, ...]:
        """The letters of both sides."""
        return tuple(dict.fromkeys([*names_in(self.says), *self.letters_of_ours]))

    def source(self, point: Point) -> Fraction:
        """The source's side."""
        return rational(evaluate(self.says, point))

    def catalogue(self, point: Point) -> Fraction:
        """Ours. Raises UserError where an entry has no value there, or a setting does nothing."""
        values, idle = {}, []
        for name, entry in self.entries.items():
            values[name], unheard = entry.value(point)
            idle.append(unheard)
        if nowhere := sorted(frozenset.intersection(*idle)):
            raise UserError(f"set: found {nowhere[0]}, which none of the entries takes")
        return rational(evaluate(self.ours, {**point, **values}))


def _parsed(text: str, key: str) -> Expr:
    try:
        return parse_expression(text)
    except FormulaError as error:
        raise UserError(f"{key}: {error}") from None


def _told(name: str, given: Any, letters: Iterable[str]) -> Expr | str:
    """What a setting is set to: an expression of the source's letters, or else a text as it stands."""
    if isinstance(given, bool) or not isinstance(given, str | int | float):
        raise UserError(f"set: found {name} = {given!r}, expected a text")
    text = str(given).strip()
    try:
        found = parse_expression(text)
    except FormulaError:
        return text
    return found if set(names_in(found)) <= set(letters) else text
