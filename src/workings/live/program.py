"""A page as a program: what each of its numbers is made of, down to the scenario's own figures, as JSON.

`templates/html/live/page.js` runs it. What it cannot follow stays as it is printed.
"""

from __future__ import annotations

import json

from workings.document.blocks import Document
from workings.document.made_of import Drawn, Source
from workings.document.quantity import Desk
from workings.errors import UserError
from workings.formula.readings.javascript import Json
from workings.live.displays import Displays
from workings.live.figures import Keys, StaysError
from workings.live.inputs import LETTERS, input_of, letter_of, presets_of, units_of_inputs
from workings.live.nodes import NONE, Nodes
from workings.live.walk import sources_of
from workings.units import UNITS
from workings.values.javascript import tables


class Program:
    """The program of a page; numbers are added as they are written."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.displays: list[Json] = []
        self.keys: Keys = NONE
        self._nodes = Nodes(desk)
        self._showing = Displays(self._nodes, self.follow)
        self._shown: dict[str, int] = {}

    def follow(self, source: Source | Drawn | None) -> int | None:
        """The number of what is shown here among all that follows; None for what stays as it is."""
        if source is None:
            return None
        try:
            display, keys = self._showing.of(source)
        except (StaysError, UserError):
            return None
        if not keys:
            return None
        self.keys |= keys
        if (text := json.dumps(display)) not in self._shown:
            self._shown[text] = len(self.displays)
            self.displays.append(display)
        return self._shown[text]

    def as_json(self) -> Json:
        """The whole program."""
        scenario, nodes, showing = self.desk.scenario({}), self._nodes, self._showing
        keys = sorted(key for key in self.keys if not key.startswith(LETTERS)) if scenario else []
        letters = [letter_of(name, *found) for name, found in sorted(nodes.letters.items())]
        figures = nodes.figures.as_json()
        figures["given"] |= {name: str(value) for name, (value, _) in nodes.letters.items()}
        return {
            "scenario": scenario.name if scenario else "",
            "inputs": letters + [input_of(key, scenario) for key in keys if scenario],
            "presets": presets_of(keys, scenario) if scenario else [],
            **figures,
            "entries": nodes.entries.found,
            "nodes": nodes.found,
            "styles": showing.styles,
            "displays": self.displays,
            "tables": tables([*UNITS.values(), *units_of_inputs(), *showing.units.values()]),
        }


def moves(document: Document, key: str) -> bool:
    """Whether a number of the page is known to follow a key of its scenario, or a preset of a section."""
    if document.desk is None:
        return False
    program = Program(document.desk)
    for source in sources_of(document):
        program.follow(source)
    return any(key in (one, one.partition(".")[0]) for one in program.keys)
