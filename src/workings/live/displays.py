"""What a page shows of the values of its program: each number, word, line or figure by its record."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from workings import catalogue
from workings.derivation import Derivation
from workings.derivation.pins import form_of
from workings.document import made_of
from workings.formula import Formula, Relations, names_in
from workings.formula.readings.javascript import Json
from workings.live.figures import Keys, StaysError
from workings.live.nodes import NONE, Bound, Node, Nodes
from workings.units import Dimension, Format, Unit, parse_quantity, parse_unit
from workings.values.asked import read_formula, read_quantity
from workings.values.javascript import style_json

# The number of what is shown by a record, among all that follows; None for what stays.
Follow: TypeAlias = Callable[[made_of.Source], int | None]


class Displays:
    """What is shown, with the styles and units in which it is written; `follow` shows another record."""

    def __init__(self, nodes: Nodes, follow: Follow) -> None:
        self.nodes, self.follow = nodes, follow
        self.styles: list[Json] = []
        self.units: dict[str, Unit] = {}

    def of(self, source: made_of.Source | made_of.Drawn) -> tuple[Json, Keys]:
        """What is shown by a record, and the inputs that it follows from. Raises StaysError."""
        made, keys = _DISPLAYS[type(source)](self, source)
        return {name: part for name, part in made.items() if part is not None}, keys

    def amount(self, source: made_of.Amount) -> tuple[Json, Keys]:
        """A quantity as a number with its unit."""
        what, unit, style = source.shown()
        node = self.nodes.quantity(what, source.settings)
        limit, of_limit = self.nodes.limit(source.limit, source.settings)
        return {
            "kind": "amount", "node": node.place, "style": self.style(style),
            "unit": self.unit(parse_unit(unit) if unit else style.unit_for(node.dimension)),
            "limit": limit, "otherwise": source.otherwise,
        }, node.keys | of_limit  # fmt: skip

    def test(self, source: made_of.Test) -> tuple[Json, Keys]:
        """Whether a quantity keeps to a limit."""
        node = self.nodes.quantity(read_quantity(source.text).what, source.settings)
        limit, of_limit = self.nodes.limit(source.limit, source.settings)
        return {
            "kind": "test", "node": node.place, "relation": source.relation,
            "limit": limit, "otherwise": source.otherwise,
        }, node.keys | of_limit  # fmt: skip

    def setting(self, source: made_of.Setting) -> tuple[Json, Keys]:
        """A setting that was worked out, as a whole number."""
        node = self.nodes.formula(read_formula(source.text), {})
        return {"kind": "setting", "node": node.place, "text": source.text}, node.keys

    def entered(self, source: made_of.Entered) -> tuple[Json, Keys]:
        """A figure of the scenario."""
        concept, style = source.concept, source.style
        if text := self.nodes.desk.letters.get(concept.name):
            value, keys = self.nodes.letter(concept.name, parse_quantity(text).value, concept)
        else:
            value, keys = self.nodes.figures.value(0, self.nodes.desk.scenario({}), concept)
        unit = parse_unit(concept.shown_in) if concept.shown_in else style.unit_for(concept.dimension)
        return {
            "kind": "entered", "value": value, "style": self.style(style), "unit": self.unit(unit),
        }, keys  # fmt: skip

    def in_numbers(self, source: made_of.InNumbers) -> tuple[Json, Keys]:
        """A formula with numbers in place of letters, and its value."""
        at = self._at(source)
        what, node, form = at.what, self.nodes.called(at), form_of(at.what, at.bound.pinned)
        return {
            **self._lines(node, form, _dimensions(what), source.style, what.noun),
            "symbolic": source.symbolic,
            "between": what.fractional if "`" not in what.fractional else "",
            "head": "=" if what.head or isinstance(form, Relations) else what.condition.rest[0][0],
        }, node.keys  # fmt: skip

    def used(self, source: made_of.Used) -> tuple[Json, Keys]:
        """A result that such a formula uses, worked out above it, with the digits that it has there."""
        by, one = source.by, source.result
        user = self.follow(by if one.user is None else replace(source, result=one.user))
        if user is None:
            raise StaysError("what uses it stays")
        at = self._at(by)
        node = self.nodes.used(at, one)
        own = {name: (used.unit, None) for name, (used, _) in one.inner.items()}
        dimensions = {**_dimensions(at.what), **own}
        lines = self._lines(node, one.done.symbolic, dimensions, by.style, one.done.derivation.noun)
        said = {"symbolic": True, "between": "", "head": "=", "user": [user, one.shown_for]}
        return {**lines, **said}, node.keys | self.nodes.called(at).keys

    def _at(self, by: made_of.InNumbers) -> Bound:
        """The derivation of a record at its settings."""
        return self.nodes.bound(catalogue.get(by.id), by.settings, by.shared)

    def _lines(
        self, node: Node, form: Formula, dimensions: Mapping[str, tuple[Dimension, str | None]],
        style: Format, noun: str | None,
    ) -> dict[str, Json]:  # fmt: skip
        """Where the lines of a formula are from, and the units of its letters and of its value.

        A rate says what is counted a second, as `Worked.rate` does.
        """
        letters = []
        for name in names_in(form):
            dimension, own = dimensions[name]
            letters.append([name, self.unit(parse_unit(own) if own else style.unit_for(dimension))])
        unit = style.unit_for(node.dimension)
        unit = unit._replace(text=f"{noun}/s") if noun and unit.text == "1/s" else unit
        return {
            "kind": "in_numbers", "node": node.place, "letters": letters, "style": self.style(style),
            "unit": self.unit(unit),
        }  # fmt: skip

    def share(self, source: made_of.Share) -> tuple[Json, Keys]:
        """An amount of an account."""
        by, at = source.by, self._at(source.by)
        node = self.nodes.called(at, source.formula)
        return {
            "kind": "amount", "node": node.place, "style": self.style(by.style),
            "unit": self.unit(by.style.unit_for(at.what.unit)), "limit": None, "otherwise": None,
        }, node.keys  # fmt: skip

    def drawn(self, source: made_of.Drawn) -> tuple[Json, Keys]:
        """A figure of bars."""
        limit, keys = self.nodes.limit(source.limit, {})
        bars = []
        for name, parts in source.bars:
            made = []
            for part, amount in parts:
                node = self.nodes.quantity(read_quantity(amount.text).what, amount.settings)
                keys |= node.keys
                made.append([part, node.place])
            called: list[Json] = []
            for piece in name:
                shown, follows = (piece, NONE) if isinstance(piece, str) else self.of(piece)
                called.append(shown)
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


def _dimensions(what: Derivation) -> dict[str, tuple[Dimension, str | None]]:
    """The dimension of each letter and used result of a derivation, and the unit that it is shown in."""
    found = {name: (one.dimension, one.shown_in) for name, one in what.letters.items()}
    return found | {name: (use.derivation.unit, None) for name, use in what.uses.items()}


_DISPLAYS: Mapping[type, Callable[[Displays, Any], tuple[Json, Keys]]] = {
    made_of.Amount: Displays.amount,
    made_of.Test: Displays.test,
    made_of.Setting: Displays.setting,
    made_of.Entered: Displays.entered,
    made_of.InNumbers: Displays.in_numbers,
    made_of.Used: Displays.used,
    made_of.Share: Displays.share,
    made_of.Drawn: Displays.drawn,
}
