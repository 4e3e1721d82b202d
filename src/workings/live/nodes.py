"""What numbers are worked out from, down to the scenario's own figures: values of a page's program."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from workings import catalogue
from workings.derivation import Derivation
from workings.formula import Expr, dimension_of
from workings.formula.readings.javascript import Json, expression
from workings.live.entries import Entries, Given, letters_in
from workings.live.figures import Figures, Followed, Keys, Source, StaysError
from workings.live.inputs import LETTERS
from workings.scenario import Scenario
from workings.scenario.derived import short
from workings.scenario.names import key_named
from workings.units import Dimension, parse_quantity
from workings.values.asked import Called, Formed, figure_named, read_formula
from workings.values.binding import Binding
from workings.values.counted import Read
from workings.values.desk import PLACE, Desk
from workings.values.unfolded import Unfolded
from workings.vocabulary import concept_named
from workings.vocabulary.concept import Concept
from workings.vocabulary.kinds import Kind

NONE: Keys = frozenset()


@dataclass(frozen=True, slots=True)
class Node:
    """A value of the program: its place there, its dimension, and the inputs that it follows from."""

    place: int
    dimension: Dimension
    keys: Keys


@dataclass(frozen=True, slots=True)
class Bound:
    """A derivation at a place of the program, its letters and what is given below it by their sources."""

    what: Derivation
    bound: Binding
    given: Given
    letters: Callable[[str], Followed]
    keys: Keys
    guards: Keys


class Nodes:
    """The values of a program: numbers are added as they are asked for."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.figures = Figures(desk.scenario({}))
        self.entries = Entries()
        self.found: list[Json] = []
        self.letters: dict[str, tuple[Fraction, Concept]] = {}
        self._known: dict[str, Node] = {}

    def limit(self, text: str | None, shared: Mapping[str, str]) -> tuple[Json, Keys]:
        """A limit: a value of the program by its number, or a fraction as text."""
        if text is None or "{" not in text:
            return text and str(parse_quantity(text).value), NONE
        node = self.formula(read_formula(text), shared)
        return node.place, node.keys

    def quantity(self, what: Called | Formed, shared: Mapping[str, str]) -> Node:
        """A quantity of the source."""
        if isinstance(what, Formed):
            return self.formula(what, shared)
        return self._call(what, shared)

    def _call(self, call: Called, shared: Mapping[str, str]) -> Node:
        if found := figure_named(call.id):
            return self._figure(found[0], {**shared, **call.settings})
        return self.called(self.bound(catalogue.get(call.id), call.settings, shared))

    def _figure(self, key: str, written: Mapping[str, str]) -> Node:
        """A figure of the scenario, with settings over it."""
        if PLACE in written:
            raise StaysError("it is of another scenario")
        scenario, _ = self.desk.placed(self.desk.resolve(written))
        if scenario is None or key not in scenario.values:
            raise StaysError("the scenario does not say it")
        place = self.figures.place(scenario, self._over(scenario, written))
        source = self.figures.source(["key", place, short(key)])
        rests = self.figures.rests[place].get(short(key), NONE)
        return self._node({"figure": source}, scenario.values[key].dimension, rests)

    def formula(self, what: Formed, shared: Mapping[str, str]) -> Node:
        """A formula of values of the program."""
        nodes = [self._call(call, shared) for call in what.calls]
        letters = {f"q_{n}": node.dimension for n, node in enumerate(nodes)}
        made = {"form": expression(what.formula), "of": [node.place for node in nodes]}
        keys = NONE.union(*(node.keys for node in nodes))
        return self._node(made, dimension_of(what.formula, letters), keys)

    def bound(self, what: Derivation, own: Mapping[str, str], shared: Mapping[str, str]) -> Bound:
        """A derivation at settings as the source has them, bound as the page binds it."""
        written = {**shared, **own}
        if PLACE in written:
            raise StaysError("it is of another scenario")
        bound = self.desk.bound(what, own, shared)
        scenario, _ = self.desk.placed(self.desk.resolve(written))
        place = self.figures.place(scenario, self._over(scenario, written))
        keys: set[str] = set()

        def letter(name: str) -> Followed:
            if name in bound.said:
                said = bound.said[name]  # what a page without a scenario assumes is not written
                return self._said(written.get(said, ""), bound.values[name], said)
            return self.figures.value(place, scenario, what.letters[name])

        sources = {}
        for spot, value in bound.pinned.items():
            name = bound.said[spot]
            sources[spot], follows = self._said(written.get(name, ""), value, name)
            keys |= follows
        given = Given(bound.pinned, sources)
        return Bound(what, bound, given, letter, frozenset(keys), self._guards(what, scenario))

    def _over(self, scenario: Scenario | None, written: Mapping[str, str]) -> dict[str, Followed]:
        """The keys of the scenario that settings replace."""
        if scenario is None:
            return {}
        named = {name: key_named(name) for name in written if name in scenario.settings}
        return {
            key: self._said(written[name], scenario.values[key].value, name)
            for name, key in named.items() if key in scenario.values
        }  # fmt: skip

    def _said(self, text: str, value: Any, name: str) -> Followed:
        """A setting's value: as it is, or worked out and then a whole number."""
        concept = concept_named(name)
        if concept is not None and self.desk.letters.get(name) == text:
            return self.letter(name, value, concept)
        if "{" not in text:
            return Followed(self.figures.source(str(value)))
        node = self.formula(read_formula(text), {})
        return Followed(self.figures.source(["whole", node.place, f"{name}={text}"]), node.keys)

    def letter(self, name: str, value: Fraction, concept: Concept) -> Followed:
        """A concept to which the page itself gives a value: an input that no scenario has."""
        self.letters[name] = value, concept
        return Followed(self.figures.source(["key", 0, name]), frozenset({f"{LETTERS}{name}"}))

    def called(self, at: Bound, formula: Expr | None = None) -> Node:
        """A derivation, or another formula of its letters, as a value of the program."""
        letters, keys = _letters(at, letters_in(at.what, at.bound.pinned, formula))
        made = {"entry": self.entries.entry(at.what, at.given, formula), "letters": letters}
        if guards := sorted(map(short, at.guards)):
            made["while"] = guards  # of these keys it depends what the formula is for
        return self._node(made, at.what.unit, keys)

    def used(self, at: Bound, one: Unfolded) -> Node:
        """A result that a derivation uses, in the letters of that derivation."""
        entry, names = self.entries.used(one, at.given)
        letters, keys = _letters(at, names)
        return self._node({"entry": entry, "letters": letters}, one.done.derivation.unit, keys)

    def _guards(self, what: Derivation, scenario: Scenario | None) -> Keys:
        """The inputs that say whether the model or the network is of the kinds that formulas are for."""
        if scenario is None:
            return NONE
        figures = Read(scenario.values)
        for kind in _kinds_below(what):
            kind.shown_by(figures)
        return frozenset(figures.keys_read & self.figures.inputs)

    def _node(self, made: Json, dimension: Dimension, keys: Keys) -> Node:
        text = json.dumps(made)
        if text not in self._known:
            self._known[text] = Node(len(self.found), dimension, keys)
            self.found.append(made)
        return self._known[text]


def _letters(at: Bound, names: Iterable[str]) -> tuple[dict[str, Source], Keys]:
    """Where letters of a derivation are from, and the inputs that they and what is given follow from."""
    found = {name: at.letters(name) for name in names}
    keys = at.keys.union(*(one.keys for one in found.values()))
    return {name: one.source for name, one in found.items()}, keys


def _kinds_below(what: Derivation) -> set[Kind]:
    """The kinds of model and network that a derivation or one that it uses is for."""
    found = set(what.kinds)
    for use in what.uses.values():
        found |= _kinds_below(use.derivation)
    return found
