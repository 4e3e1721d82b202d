"""The letters that a scenario gives values to, for `--at` and a document's front matter."""

from __future__ import annotations

from workings.check.definitions import Definition
from workings.counted import figure_of
from workings.formula.tree import Num
from workings.scenario import load_scenario
from workings.units import ONE
from workings.vocabulary import concepts

_BASE = {"byte": "B", "FLOP": "FLOP", "s": "s", "byte/s": "B/s", "FLOP/s": "FLOP/s"}


def definitions_at(name: str) -> list[Definition]:
    """One definition a concept that the scenario supplies, under its usual letter and its name.

    A letter that two concepts share is left out: which is meant, only the document can say.
    Raises ScenarioError for an unknown or invalid scenario.
    """
    scenario = load_scenario(name)
    found: dict[str, list[Definition]] = {}
    for concept in concepts():
        figure = figure_of(scenario, concept) if concept.supplied else None
        if figure is None or concept.kin:
            continue
        unit = None if figure.dimension == ONE else _BASE.get(str(figure.dimension))
        value = Num(figure.value, unit, _text(figure.value))
        for letter in dict.fromkeys((concept.glyph, concept.name)):
            found.setdefault(letter, []).append(
                Definition(letter, value, -1, 0, -1, f"{name}: {concept.meaning}")
            )
    return [given[0] for given in found.values() if len({d.expression for d in given}) == 1]


def _text(value: object) -> str:
    return str(value)
