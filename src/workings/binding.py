"""The value of every letter of a derivation: settings first, then the scenario."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from workings import catalogue
from workings.counted import figure_of
from workings.derivation import Derivation
from workings.evaluation import check_kinds, used_results
from workings.formula import Value
from workings.scenario import PRESET_SECTIONS, Scenario, ScenarioError
from workings.units import (
    ONE,
    Dimension,
    UnitError,
    parse_quantity,
)
from workings.vocabulary import concept_named
from workings.vocabulary.concept import Domain


@dataclass(frozen=True)
class Binding:
    """Values of a derivation's letters, and results of others given instead of evaluated."""

    values: Mapping[str, Value]
    pinned: Mapping[str, Value]


def bind(
    what: Derivation, scenario: Scenario | None, settings: Mapping[str, str] | None = None
) -> Binding:
    """The value of each letter of a derivation: settings first, then the scenario.

    A setting names a letter, a concept, or a used result (by its letter or its id), and is text
    such as "156" or "95 GB". Raises ScenarioError where it is unknown or has the wrong unit,
    DoesNotApplyError where the scenario's model or network is not of a kind that the formula is for.
    """
    values: dict[str, Value] = {}
    pinned: dict[str, Value] = {}
    for name, concept in what.letters.items():
        figure = figure_of(scenario, concept)
        if figure is not None:
            values[name] = figure.value
    for name, text in (settings or {}).items():
        if scenario is not None and name in PRESET_SECTIONS:
            continue
        letters = [n for n, c in what.letters.items() if name in (n, c.name)]
        letters = letters or _other_readings(what, scenario, name)
        for letter in letters:
            concept = what.letters[letter]
            values[letter] = _setting(name, text, concept.dimension, concept.domain)
        if not letters:
            used = _used_result(what, name)
            if used is not None:
                dimension = used.unit
                pinned[used.id] = _setting(name, text, dimension, Domain.NONNEGATIVE)
            elif concept_named(name) is None or scenario is None:
                known = ", ".join([*what.letters, *what.uses])
                raise ScenarioError(
                    f"--set {name}: {what.id} has no such letter, expected one of {known}"
                )
    if scenario is not None:
        check_kinds(what, scenario.values, pinned, catalogue.get)
    return Binding(values, pinned)


def _other_readings(what: Derivation, scenario: Scenario | None, name: str) -> list[str]:
    """The letters of which a concept is another reading, where no scenario makes them of it."""
    concept = concept_named(name)
    if concept is None or (scenario is not None and concept.supplied in scenario.values):
        return []
    return [letter for letter, own in what.letters.items() if own.kin == name]


def _used_result(what: Derivation, name: str) -> Derivation | None:
    """The derivation whose result a setting names, by id or by the letter it has here."""
    letters = used_results(what)
    ids = letters.get(name) or {i for found in letters.values() for i in found if i == name}
    if len(ids) > 1:
        raise ScenarioError(
            f"--set {name}: found {len(ids)} results of that letter, expected an "
            f"id, one of {', '.join(sorted(ids))}"
        )
    return _find_used(what, next(iter(ids))) if ids else None


def _find_used(what: Derivation, id_: str) -> Derivation | None:
    for use in what.uses.values():
        found = use.derivation if use.derivation.id == id_ else _find_used(use.derivation, id_)
        if found is not None:
            return found
    return None


def _setting(name: str, text: str, wanted: Dimension, domain: Domain) -> Fraction:
    try:
        quantity = parse_quantity(text)
    except UnitError as error:
        raise ScenarioError(f"--set {name}: {error}") from error
    if quantity.dimension != wanted:
        expected = "a plain number" if wanted == ONE else f"a quantity in {wanted}"
        raise ScenarioError(f"--set {name}: found {text!r}, expected {expected}")
    if not domain.allows(quantity.value):
        raise ScenarioError(f"--set {name}: found {text!r}, expected {domain.value}")
    return quantity.value
