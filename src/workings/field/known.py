"""The entries that have slips, with their formulas read: as trees, and as products where they can be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from workings import catalogue
from workings.derivation import Derivation
from workings.derivation.evaluation import unfolded
from workings.errors import UserError
from workings.field.forms import Form, form_of
from workings.field.patterns import Pattern, slots_of
from workings.field.slips import Slip, Slips, slips
from workings.formula import Expr, names_in, parse_expression
from workings.vocabulary import concept_named


@dataclass(frozen=True)
class Written:
    """A formula as a tree, as a product if it is one, and the concepts of its letters."""

    tree: Expr
    form: Form | None
    concepts: Mapping[str, str]


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
    return Written(tree, form_of(tree), {name: letters.get(name, name) for name in names_in(tree)})


@cache
def every_product() -> tuple[tuple[str, Written], ...]:
    """Every formula of the catalogue that is a product, with its entry's name."""
    return tuple(_products())


def _products() -> Iterator[tuple[str, Written]]:
    for what in catalogue.every():
        tree = _tree(what)
        written = tree and _written(tree, {name: concept.name for name, concept in what.letters.items()})
        if written and written.form is not None and len(written.form.parts) > 1:
            yield what.id, written


def _tree(what: Derivation) -> Expr | None:
    try:
        return unfolded(what)
    except UserError:
        return None  # a condition, which is no formula


def unknown_letters(one: Known) -> Iterator[str]:
    """The letters of slips that are neither the entry's nor a concept's name."""
    for written in (*one.right, *(written for _, written in one.wrong)):
        yield from (name for name, of in written.concepts.items() if concept_named(of) is None)
