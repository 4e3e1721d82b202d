"""Where a letter's value is from: a figure of the page's scenario, as it is or with settings over it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from workings.formula import parse_expression
from workings.formula.readings.javascript import Json, expression
from workings.proof.setting import parse_given
from workings.scenario import Scenario
from workings.scenario.derived import FIGURES, RULES, Figure, Rule, names, parsed, short
from workings.scenario.names import keys
from workings.values.counted import COUNTED, UNSAID, counted_from, figure_of
from workings.values.javascript import given_json
from workings.vocabulary.concept import Concept
from workings.vocabulary.state import ZERO

# Where a value is from: the number of a source of the program.
Source: TypeAlias = int
Keys: TypeAlias = frozenset[str]


class Followed(NamedTuple):
    """Where a value is from, and the inputs of the page that it follows from."""

    source: Source
    keys: Keys = frozenset()


class StaysError(Exception):
    """A number that does not follow: it stays as it is printed, for the page's own values."""


class Figures:
    """The figures of a page's scenario, the keys that each rests on, and the places where some are set.

    A place is the scenario with some of its figures replaced, as a quantity of the page asks for it.
    """

    def __init__(self, scenario: Scenario | None) -> None:
        self.scenario = scenario
        self.said = _said(scenario)
        self.inputs = frozenset(self.said) & frozenset(keys().values())
        self.sources: list[Json] = []
        self.places: list[Json] = [{"over": {}, "without": []}]
        self.rests = [self._rests(scenario, {})]

    def place(self, scenario: Scenario | None, over: Mapping[str, Followed]) -> int:
        """The number of a place: what `over` gives by key, and what else is not as on the page."""
        there = _said(scenario)
        differ = (key for key, value in there.items() if self.said.get(key) != value)
        put = {key: Followed(self.source(str(there[key]))) for key in differ}
        put |= {key: found for key, found in over.items() if key in there}
        place = {
            "over": {short(key): found.source for key, found in put.items()},
            "without": sorted(map(short, self.said.keys() - there.keys())),
        }
        if place not in self.places:
            self.places.append(place)
            self.rests.append(self._rests(scenario, put))
        return self.places.index(place)

    def _rests(self, scenario: Scenario | None, over: Mapping[str, Followed]) -> dict[str, Keys]:
        """Which of the page's inputs each figure of a place follows from, by the figure's letter."""
        own = {key: frozenset({key}) & self.inputs for key in _said(scenario)}
        own |= {key: found.keys for key, found in over.items()}
        found = {short(key): rests for key, rests in own.items()}
        for figure in FIGURES:
            if scenario is not None and figure.key in scenario.followed:
                letters = names(parsed(parse_expression, figure.formula))
                found[short(figure.key)] = frozenset().union(*(found.get(n, ()) for n in letters))
        return found

    def value(self, place: int, scenario: Scenario | None, concept: Concept) -> Followed:
        """What a place gives a concept. Raises StaysError."""
        figure = figure_of(scenario, concept)
        if figure is None:
            raise StaysError(f"{concept.name} has no value")
        key = concept.supplied or ""
        if scenario is not None and key in scenario.values:
            return Followed(self.source(["key", place, short(key)]), self.rests[place][short(key)])
        if scenario is not None and key.partition(ZERO)[0] in COUNTED:
            rests, read = self.rests[place], counted_from(scenario, concept)
            asked = sorted({short(key) for one in read for key in rests.get(short(one), ())})
            return Followed(self.source(["counted", str(figure.value), asked]))
        assert key in UNSAID  # noqa: S101 - nothing else gives a concept a value
        return Followed(self.source(str(figure.value)))

    def source(self, source: Json) -> Source:
        """The number of a source: a fraction as text, or a list that begins with what it is."""
        if source not in self.sources:
            self.sources.append(source)
        return self.sources.index(source)

    def as_json(self) -> dict[str, Json]:
        """The figures that the scenario says, those that follow in their order, and the rules."""
        return {
            "given": {short(key): str(value) for key, value in self.said.items()},
            "follow": [_figure(one) for one in FIGURES],
            "rules": [_rule(one) for one in RULES],
            "places": self.places,
            "sources": self.sources,
        }


def _said(scenario: Scenario | None) -> dict[str, Fraction]:
    """The figures that a scenario says itself."""
    if scenario is None:
        return {}
    return {key: q.value for key, q in scenario.values.items() if key not in scenario.followed}


def _rule(rule: Rule) -> Json:
    given = parsed(parse_given, rule.holds)
    return {
        "key": rule.key, "holds": given_json(given), "letters": list(names(given)),
        "expected": list(_pieces(rule.expected)), "where": rule.where, "without": rule.without,
    }  # fmt: skip


def _figure(figure: Figure) -> Json:
    formula = parsed(parse_expression, figure.formula)
    return {
        "name": short(figure.key), "form": expression(formula), "letters": list(names(formula)),
        "where": figure.where, "without": list(figure.without), "whole": figure.whole,
    }  # fmt: skip


def _pieces(text: str) -> Iterator[Json]:
    """Words and, at odd places, the formulas of the numbers between them."""
    for place, part in enumerate(text.replace("{", "}").split("}")):
        yield expression(parsed(parse_expression, part)) if place % 2 else part
