"""A page as a program: what each of its numbers is made of, down to the scenario's own figures, as JSON.

`templates/html/live/page.js` runs it. What it cannot follow stays as it is printed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from workings import catalogue
from workings.derivation import Derivation
from workings.derivation.pins import form_of
from workings.document import made_of
from workings.document.asked import Called, Formed, figure_named, read_formula, read_quantity
from workings.document.blocks import Document
from workings.document.quantity import PLACE, Desk
from workings.errors import UserError
from workings.formula import Expr, Relations, dimension_of, names_in
from workings.formula.readings.javascript import Json, expression
from workings.live.entries import Entries, Given, letters_in
from workings.live.figures import Figures, Followed, Keys, StaysError
from workings.live.inputs import LETTERS, input_of, letter_of, presets_of, units_of_inputs
from workings.live.walk import sources_of
from workings.scenario import Scenario
from workings.scenario.derived import short
from workings.scenario.names import key_named
from workings.units import UNITS, Dimension, Format, Unit, parse_quantity, parse_unit
from workings.values.binding import Binding, bind
from workings.values.counted import Read
from workings.values.javascript import style_json, tables
from workings.vocabulary import concept_named
from workings.vocabulary.concept import Concept
from workings.vocabulary.kinds import Kind

_NONE: Keys = frozenset()


@dataclass(frozen=True, slots=True)
class _Node:
    """A value of the program: its place there, its dimension, and the inputs that it follows from."""

    place: int
    dimension: Dimension
    keys: Keys


@dataclass(frozen=True, slots=True)
class _Bound:
    """A derivation at a place of the program, its letters and what is given below it by their sources."""

    what: Derivation
    bound: Binding
    given: Given
    letters: Callable[[str], Followed]
    keys: Keys
    guards: Keys


class Program:
    """The program of a page; numbers are added as they are written."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.figures = Figures(desk.scenario({}))
        self.entries = Entries()
        self.nodes: list[Json] = []
        self.displays: list[Json] = []
        self.styles: list[Json] = []
        self.units: dict[str, Unit] = {}
        self.keys: Keys = _NONE
        self.letters: dict[str, tuple[Fraction, Concept]] = {}
        self._known: dict[str, _Node] = {}
        self._shown: dict[str, int] = {}

    def follow(self, source: made_of.Source | made_of.Drawn | None) -> int | None:
        """The number of what is shown here among all that follows; None for what stays as it is."""
        if source is None:
            return None
        try:
            display, keys = _DISPLAYS[type(source)](self, source)
        except (StaysError, UserError):
            return None
        if not keys:
            return None
        self.keys |= keys
        display = _without_nothing(display)
        if (text := json.dumps(display)) not in self._shown:
            self._shown[text] = len(self.displays)
            self.displays.append(display)
        return self._shown[text]

    def as_json(self) -> Json:
        """The whole program."""
        scenario = self.desk.scenario({})
        keys = sorted(key for key in self.keys if not key.startswith(LETTERS)) if scenario else []
        letters = [letter_of(name, *found) for name, found in sorted(self.letters.items())]
        figures = self.figures.as_json()
        figures["given"] |= {name: str(value) for name, (value, _) in self.letters.items()}
        return {
            "scenario": scenario.name if scenario else "",
            "inputs": letters + [input_of(key, scenario) for key in keys if scenario],
            "presets": presets_of(keys, scenario) if scenario else [],
            **figures,
            "entries": self.entries.found,
            "nodes": self.nodes,
            "styles": self.styles,
            "displays": self.displays,
            "tables": tables([*UNITS.values(), *units_of_inputs(), *self.units.values()]),
        }

    # --- what is shown ------------------------------------------------------------------------

    def amount(self, source: made_of.Amount) -> tuple[Json, Keys]:
        """A quantity as a number with its unit."""
        asked = read_quantity(source.text)
        node = self._quantity(source.text, source.settings)
        decimals = source.style.decimals if asked.decimals is None else asked.decimals
        style = Format(source.style.units, asked.digits or source.style.digits, decimals)
        figure = figure_named(asked.what.id) if isinstance(asked.what, Called) else None
        unit = source.unit or asked.unit or (figure[1] if figure else None)
        limit, of_limit = self._limit(source.limit, source.settings)
        return {
            "kind": "amount", "node": node.place, "style": self.style(style),
            "unit": self.unit(parse_unit(unit) if unit else style.unit_for(node.dimension)),
            "limit": limit, "otherwise": source.otherwise,
        }, node.keys | of_limit  # fmt: skip

    def test(self, source: made_of.Test) -> tuple[Json, Keys]:
        """Whether a quantity keeps to a limit."""
        node = self._quantity(source.text, source.settings)
        limit, of_limit = self._limit(source.limit, source.settings)
        return {
            "kind": "test", "node": node.place, "relation": source.relation,
            "limit": limit, "otherwise": source.otherwise,
        }, node.keys | of_limit  # fmt: skip

    def setting(self, source: made_of.Setting) -> tuple[Json, Keys]:
        """A setting that was worked out, as a whole number."""
        node = self._formula(read_formula(source.text), {})
        return {"kind": "setting", "node": node.place, "text": source.text}, node.keys

    def entered(self, source: made_of.Entered) -> tuple[Json, Keys]:
        """A figure of the scenario."""
        concept, style = source.concept, source.style
        if text := self.desk.letters.get(concept.name):
            value, keys = self._letter(concept.name, parse_quantity(text).value, concept)
        else:
            value, keys = self.figures.value(0, self.desk.scenario({}), concept)
        unit = parse_unit(concept.shown_in) if concept.shown_in else style.unit_for(concept.dimension)
        return {
            "kind": "entered", "value": value, "style": self.style(style), "unit": self.unit(unit),
        }, keys  # fmt: skip

    def in_numbers(self, source: made_of.InNumbers) -> tuple[Json, Keys]:
        """A formula with numbers in place of letters, and its value."""
        what, style = catalogue.get(source.id), source.style
        at = self._bound(what, source.settings, {})
        node = self._called(at)
        letters = []
        form = form_of(what, at.bound.pinned)
        for name in names_in(form):
            concept = what.letters.get(name)
            dimension = concept.dimension if concept else what.uses[name].derivation.unit
            own = concept.shown_in if concept else None
            unit = parse_unit(own) if own else style.unit_for(dimension)
            letters.append([name, self.unit(unit)])
        return {
            "kind": "in_numbers", "node": node.place, "letters": letters, "style": self.style(style),
            "unit": self.unit(style.unit_for(what.unit)), "symbolic": source.symbolic,
            "between": what.fractional if "`" not in what.fractional else "",
            "head": "=" if what.head or isinstance(form, Relations) else what.condition.rest[0][0],
        }, node.keys  # fmt: skip

    def share(self, source: made_of.Share) -> tuple[Json, Keys]:
        """An amount of an account."""
        what = catalogue.get(source.id)
        node = self._called(self._bound(what, source.settings, {}), source.formula)
        return {
            "kind": "amount", "node": node.place, "style": self.style(source.style),
            "unit": self.unit(source.style.unit_for(what.unit)), "limit": None, "otherwise": None,
        }, node.keys  # fmt: skip

    def drawn(self, source: made_of.Drawn) -> tuple[Json, Keys]:
        """A figure of bars."""
        limit, keys = self._limit(source.limit, {})
        bars = []
        for name, parts in source.bars:
            made = []
            for part, amount in parts:
                node = self._quantity(amount.text, amount.settings)
                keys |= node.keys
                made.append([part, node.place])
            called: list[Json] = []
            for piece in name:
                shown, follows = (piece, _NONE) if isinstance(piece, str) else self.amount(piece)
                called.append(_without_nothing(shown))
                keys |= follows
            bars.append([called, made])
        return {
            "kind": "bars", "bars": bars, "unit": self.unit(parse_unit(source.unit)),
            "limit": limit, "named": source.named, "style": self.style(source.style),
            "alternative": source.alternative,
        }, keys  # fmt: skip

    def style(self, style: Format) -> int:
        """The number of a style."""
        if (made := style_json(style)) not in self.styles:
            self.styles.append(made)
            for unit in style.units:
                self.unit(parse_unit(unit))
        return self.styles.index(made)

    def unit(self, unit: Unit) -> str:
        """A unit by its text, kept for the table of units."""
        self.units[unit.text] = unit
        return unit.text

    # --- what it is worked out from -----------------------------------------------------------

    def _limit(self, text: str | None, shared: Mapping[str, str]) -> tuple[Json, Keys]:
        """A limit: a value of the program by its number, or a fraction as text."""
        if text is None or "{" not in text:
            return text and str(parse_quantity(text).value), _NONE
        node = self._formula(read_formula(text), shared)
        return node.place, node.keys

    def _quantity(self, text: str, shared: Mapping[str, str]) -> _Node:
        what = read_quantity(text).what
        if isinstance(what, Formed):
            return self._formula(what, shared)
        return self._call(what, shared)

    def _call(self, call: Called, shared: Mapping[str, str]) -> _Node:
        if found := figure_named(call.id):
            return self._figure(found[0], {**shared, **call.settings})
        return self._called(self._bound(catalogue.get(call.id), call.settings, shared))

    def _figure(self, key: str, written: Mapping[str, str]) -> _Node:
        """A figure of the scenario, with settings over it."""
        if PLACE in written:
            raise StaysError("it is of another scenario")
        scenario, _ = self.desk.placed(self.desk.resolve(written))
        if scenario is None or key not in scenario.values:
            raise StaysError("the scenario does not say it")
        place = self.figures.place(scenario, self._over(scenario, written))
        source = self.figures.source(["key", place, short(key)])
        rests = self.figures.rests[place].get(short(key), _NONE)
        return self._node({"figure": source}, scenario.values[key].dimension, rests)

    def _formula(self, what: Formed, shared: Mapping[str, str]) -> _Node:
        nodes = [self._call(call, shared) for call in what.calls]
        letters = {f"q_{n}": node.dimension for n, node in enumerate(nodes)}
        made = {"form": expression(what.formula), "of": [node.place for node in nodes]}
        keys = _NONE.union(*(node.keys for node in nodes))
        return self._node(made, dimension_of(what.formula, letters), keys)

    def _bound(self, what: Derivation, own: Mapping[str, str], shared: Mapping[str, str]) -> _Bound:
        """A derivation at settings as the source has them, bound as the page binds it."""
        written = {**shared, **own}
        if PLACE in written:
            raise StaysError("it is of another scenario")
        resolved = self.desk.resolve(written)
        scenario, _ = self.desk.placed(resolved)
        bound = bind(
            what, scenario, {n: t for n, t in resolved.items() if n in own},
            {n: t for n, t in resolved.items() if n not in own},
        )  # fmt: skip
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
        return _Bound(what, bound, given, letter, frozenset(keys), self._guards(what, scenario))

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
            return self._letter(name, value, concept)
        if "{" not in text:
            return Followed(self.figures.source(str(value)))
        node = self._formula(read_formula(text), {})
        return Followed(self.figures.source(["whole", node.place, f"{name}={text}"]), node.keys)

    def _letter(self, name: str, value: Fraction, concept: Concept) -> Followed:
        """A concept to which the page itself gives a value: an input that no scenario has."""
        self.letters[name] = value, concept
        return Followed(self.figures.source(["key", 0, name]), frozenset({f"{LETTERS}{name}"}))

    def _called(self, at: _Bound, formula: Expr | None = None) -> _Node:
        """A derivation, or another formula of its letters, as a value of the program."""
        keys, letters = set(at.keys), {}
        for name in letters_in(at.what, at.bound.pinned, formula):
            letters[name], follows = at.letters(name)
            keys |= follows
        made = {"entry": self.entries.entry(at.what, at.given, formula), "letters": letters}
        if guards := sorted(map(short, at.guards)):
            made["while"] = guards  # of these keys it depends what the formula is for
        return self._node(made, at.what.unit, frozenset(keys))

    def _guards(self, what: Derivation, scenario: Scenario | None) -> Keys:
        """The inputs that say whether the model or the network is of the kinds that formulas are for."""
        if scenario is None:
            return _NONE
        figures = Read(scenario.values)
        for kind in _kinds_below(what):
            kind.shown_by(figures)
        return frozenset(figures.keys_read & self.figures.inputs)

    def _node(self, made: Json, dimension: Dimension, keys: Keys) -> _Node:
        text = json.dumps(made)
        if text not in self._known:
            self._known[text] = _Node(len(self.nodes), dimension, keys)
            self.nodes.append(made)
        return self._known[text]


def _without_nothing(display: Json) -> Json:
    """What is shown, without the keys that say nothing."""
    if isinstance(display, str):
        return display
    return {name: part for name, part in display.items() if part is not None}


def _kinds_below(what: Derivation) -> set[Kind]:
    """The kinds of model and network that a derivation or one that it uses is for."""
    found = set(what.kinds)
    for use in what.uses.values():
        found |= _kinds_below(use.derivation)
    return found


_DISPLAYS: Mapping[type, Callable[[Program, Any], tuple[Json, Keys]]] = {
    made_of.Amount: Program.amount,
    made_of.Test: Program.test,
    made_of.Setting: Program.setting,
    made_of.Entered: Program.entered,
    made_of.InNumbers: Program.in_numbers,
    made_of.Share: Program.share,
    made_of.Drawn: Program.drawn,
}


def moves(document: Document, key: str) -> bool:
    """Whether a number of the page is known to follow a key of its scenario, or a preset of a section."""
    if document.desk is None:
        return False
    program = Program(document.desk)
    for source in sources_of(document):
        program.follow(source)
    return any(key in (one, one.partition(".")[0]) for one in program.keys)
