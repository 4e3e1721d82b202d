"""The value of every letter of a derivation: settings first, then the scenario."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from workings import catalogue
from workings.derivation import Derivation
from workings.derivation.evaluation import check_kinds, needed_letters
from workings.derivation.pins import Pinned, Spot
from workings.formula import Value
from workings.scenario import PRESET_SECTIONS, Scenario, ScenarioError
from workings.scenario.names import key_named
from workings.scenario.order import without_scenario
from workings.units import Dimension
from workings.values.counted import figure_of
from workings.values.settings import below, counts, named, quantity
from workings.values.taken import takes
from workings.vocabulary import concept_named
from workings.vocabulary.concept import Domain


@dataclass(frozen=True)
class Binding:
    """Values of a derivation's letters, and what is given further down instead of evaluated.

    `idle` are the settings that this derivation does not know or that change nothing here; only
    settings shared by several derivations may be idle. `said` names the setting that gives each letter
    or result that is not the scenario's.
    """

    values: Mapping[str, Value]
    pinned: Pinned = field(default_factory=dict)
    idle: frozenset[str] = frozenset()
    said: Mapping[str | Spot, str] = field(default_factory=dict)


def bind(
    what: Derivation,
    scenario: Scenario | None,
    settings: Mapping[str, str] | None = None,
    shared: Mapping[str, str] | None = None,
) -> Binding:
    """The value of each letter of a derivation: settings first, then the scenario.

    A setting names a letter, a concept or a result, here or further down (see `settings`), and is text
    such as "156" or "95 GB". `shared` settings are meant for several derivations, of which this
    one need not know all. Raises ScenarioError where a setting is unknown, has the wrong unit or changes
    nothing, DoesNotApplyError where the scenario's model or network is not of a kind that the formula
    is for.
    """
    values = {n: figure.value for n, c in what.letters.items()
              if (figure := figure_of(scenario, c)) is not None}  # fmt: skip
    if scenario is None:
        shared, settings = without_scenario(shared), without_scenario(settings)
    given = {**(shared or {}), **(settings or {})}
    places: dict[str, Place] = {}
    for name in given:
        try:
            found = place_of(what, name, scenario, known=name not in (settings or {}))
        except ScenarioError:  # that another entry answers for this model is told first
            if scenario is not None:
                check_kinds(what, scenario.values, None, catalogue.get)
            raise
        if found is not None:
            places[name] = found
    _refuse_twice({name: place for name, place in places.items() if name in (settings or {})})
    pinned: dict[Spot, Value] = {}
    said: dict[str | Spot, str] = {}
    for name, place in places.items():
        value = quantity(name, given[name], place.dimension, place.domain, place.thousand)
        values |= dict.fromkeys(place.letters, value)
        pinned |= dict.fromkeys(place.spots, value)
        said |= dict.fromkeys([*place.letters, *place.spots], name)
    if scenario is not None:
        check_kinds(what, scenario.values, pinned, catalogue.get)
    idle = {name for name in given if not (
        (name in places and _heard(what, name, places[name], values, pinned))
        or (scenario is not None and _moves(what, name, scenario, pinned))
    )}  # fmt: skip
    own = sorted(idle & set(settings or {}))
    if scenario is not None and scenario.alone:  # its model and hardware are where the question is asked
        own = [name for name in own if name not in PRESET_SECTIONS]
    if own:
        known = takes(what, own[0], needed_letters(what, pinned))
        raise ScenarioError(f"--set {own[0]}: it changes nothing in {what.id}: {known}")
    return Binding(values, pinned, frozenset(idle), said)


@dataclass(frozen=True)
class Place:
    """Where a setting puts its value: in letters of the derivation itself, or below it."""

    dimension: Dimension
    domain: Domain
    thousand: int
    letters: tuple[str, ...] = ()
    spots: tuple[Spot, ...] = ()


def place_of(what: Derivation, name: str, scenario: Scenario | None, *, known: bool) -> Place | None:
    """What a setting names here; None for a key of the scenario, or (`known`) a name elsewhere."""
    own = tuple(n for n, c in what.letters.items() if name in (n, c.name))
    own = own or _other_readings(what, scenario, name) or _of_key(what, name)
    if own:
        concept = what.letters[own[0]]
        return Place(concept.dimension, concept.domain, concept.thousand, letters=own)
    try:
        found = named(what, name)
    except ScenarioError:
        if known or (scenario is not None and name in scenario.settings):
            return None
        raise
    return Place(found.dimension, found.domain, found.thousand, spots=found.spots)


def _of_key(what: Derivation, name: str) -> tuple[str, ...]:
    """The letters whose value is the key of a scenario that a name stands for."""
    key = key_named(name)
    return tuple(letter for letter, own in what.letters.items() if key and own.supplied == key)


def _other_readings(what: Derivation, scenario: Scenario | None, name: str) -> tuple[str, ...]:
    """The letters of which a concept is another reading, where no scenario makes them of it."""
    concept = concept_named(name)
    if concept is None or (scenario is not None and concept.supplied in scenario.values):
        return ()
    return tuple(letter for letter, own in what.letters.items() if own.kin == name)


def _refuse_twice(places: Mapping[str, Place]) -> None:
    """Raise ScenarioError where two settings give one thing a value."""
    taken: dict[str | Spot, str] = {}
    for name, place in places.items():
        places_of: list[str | Spot] = [*place.letters, *place.spots]
        for where in places_of:
            if taken.setdefault(where, name) != name:
                raise ScenarioError(f"--set {name}: found {taken[where]} set too, expected one of the "
                                    f"two, since both are {where}")  # fmt: skip


def _heard(
    what: Derivation, name: str, place: Place, values: Mapping[str, Value], pinned: Pinned
) -> bool:
    """Whether a setting reaches the value. Raises ScenarioError where it may mean several things."""
    if place.letters:
        return not set(place.letters).isdisjoint(needed_letters(what, pinned))
    try:
        return counts(what, place.spots, values, pinned)
    except ScenarioError as error:
        raise ScenarioError(f"--set {name}: {error}") from error


def _moves(what: Derivation, name: str, scenario: Scenario, pinned: Pinned) -> bool:
    """Whether a key of the scenario changes a letter that counts, or only says what was so before."""
    if name not in scenario.settings:
        return False
    before = scenario.without(name)
    if before is None or before.values == scenario.values:
        return True
    letters = [what.letters[n] for n in needed_letters(what, pinned)]
    if any(figure_of(scenario, concept) != figure_of(before, concept) for concept in letters):
        return True
    kinds = {kind for entry in (what, *below(what).values()) for kind in entry.kinds}
    return any(kind.shown_by(scenario.values) != kind.shown_by(before.values) for kind in kinds)
