"""Slips of entries: their letters exist, and at some values they are none of the right forms."""

from looping import each

from workings import catalogue
from workings.comparing.points import probes
from workings.field.known import Known, known, unknown_letters
from workings.field.patterns import terms_in
from workings.field.slips import SLIPS
from workings.field.topics import SHARED, chapters
from workings.formula import evaluate, names_in
from workings.formula.tree import Expr
from workings.vocabulary import concept_named

NAMED = {*chapters()[SHARED].terms, *chapters()[SLIPS].terms}


@each("one", known(), ids=lambda one: one.of.entry)
def test_slips_use_letters_terms_and_concepts_that_are_there(one: Known) -> None:
    assert not list(unknown_letters(one))
    assert not set(terms_in(one.of.about, one.of.unless)) - NAMED
    assert all(concept_named(name) for name in one.of.times)


@each("one", known(), ids=lambda one: one.of.entry)
def test_a_slip_is_none_of_the_right_forms(one: Known) -> None:
    for slip, wrong in one.wrong:
        for right in one.right:
            assert not same(wrong.tree, right.tree), f"{one.of.entry}: {slip.id}"


def same(one: Expr, other: Expr) -> bool:
    names = tuple(dict.fromkeys((*names_in(one), *names_in(other))))
    return all(evaluate(one, point) == evaluate(other, point) for point in probes(names)[:4])


def test_no_entry_has_its_slips_twice_in_the_same_words() -> None:
    names = [(one.of.entry, one.of.about) for one in known()]
    assert len(set(names)) == len(names)
    assert {entry for entry, _ in names} <= set(catalogue.ids())
