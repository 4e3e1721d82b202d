"""The entries that have slips, with their formulas read and worked out at awkward values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from zlib import crc32

from workings import catalogue
from workings.derivation import Derivation
from workings.derivation.evaluation import unfolded
from workings.errors import UserError
from workings.field.patterns import Pattern, slots_of
from workings.field.slips import Slip, Slips, slips
from workings.formula import DoesNotEvaluateError, Expr, evaluate, names_in, parse_expression
from workings.formula.interval import rational
from workings.formula.tree import Add, Call, Power
from workings.vocabulary import concept_named

POINTS = 3  # at which formulas are compared
_SPREAD = 97


def probe(concept: str, point: int) -> Fraction:
    """An awkward value of a concept: a whole number from 3 on, at the last point one below 1."""
    value = 3 + crc32(f"{point} {concept}".encode()) % _SPREAD
    return Fraction(value, _SPREAD + 10) if point == POINTS - 1 else Fraction(value)


@dataclass(frozen=True)
class Written:
    """A formula as a tree, and the concepts of its letters."""

    tree: Expr
    concepts: Mapping[str, str]

    @property
    def tells(self) -> bool:
        """Whether it is more than a number times one concept, which much is."""
        return len(self.concepts) > 1 or isinstance(self.tree, Add | Power | Call)

    @cached_property
    def at(self) -> tuple[float | None, ...]:
        """What it comes to where each concept has its awkward value, point by point."""
        return tuple(self._at(point) for point in range(POINTS))

    def _at(self, point: int) -> float | None:
        values = {name: probe(concept, point) for name, concept in self.concepts.items()}
        try:
            return float(rational(evaluate(self.tree, values)))
        except (DoesNotEvaluateError, ArithmeticError, ValueError, TypeError):
            return None


@dataclass(frozen=True)
class Known:
    """An entry with what is right, conventions among it, and what people make of it."""

    of: Slips
    about: Pattern
    unless: Pattern | None
    dimension: tuple[Fraction, Fraction, Fraction, Fraction]  # of byte, FLOP, second and currency
    right: tuple[Written, ...]
    wrong: tuple[tuple[Slip, Written], ...]


@cache
def known() -> tuple[Known, ...]:
    """Every entry with slips."""
    return tuple(_known(one) for one in slips())


def _known(of: Slips) -> Known:
    what = catalogue.get(of.entry)
    letters = {name: concept.name for name, concept in what.letters.items()}
    right = (unfolded(what), *map(parse_expression, of.right))
    wrong = ((slip, parse_expression(slip.form)) for slip in of.slip)
    return Known(
        of, slots_of(of.about), slots_of(of.unless) if of.unless else None,
        what.unit.exponents,
        tuple(_written(tree, letters) for tree in right),
        tuple((slip, _written(tree, letters)) for slip, tree in wrong),
    )  # fmt: skip


def _written(tree: Expr, letters: Mapping[str, str]) -> Written:
    return Written(tree, {name: letters.get(name, name) for name in names_in(tree)})


@cache
def every_formula() -> tuple[tuple[str, Written], ...]:
    """Every formula of the catalogue of two letters or more, with its entry's name."""
    found = ((what.id, _of_entry(what)) for what in catalogue.every())
    return tuple((name, written) for name, written in found if written and len(written.concepts) > 1)


def _of_entry(what: Derivation) -> Written | None:
    tree = _tree(what)
    return (
        None
        if tree is None
        else _written(tree, {name: concept.name for name, concept in what.letters.items()})
    )


def _tree(what: Derivation) -> Expr | None:
    try:
        return unfolded(what)
    except UserError:
        return None  # a condition, which is no formula


def unknown_letters(one: Known) -> Iterator[str]:
    """The letters of slips that are neither the entry's nor a concept's name."""
    for written in (*one.right, *(written for _, written in one.wrong)):
        yield from (name for name, of in written.concepts.items() if concept_named(of) is None)
