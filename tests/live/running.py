"""A program run by Python, as plainly as can be: what a page's script must give, typesetting apart."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from workings.formula import (
    Add,
    Call,
    Expr,
    Formula,
    Name,
    Negative,
    Num,
    Power,
    Product,
    Relations,
    Series,
    Value,
    evaluate,
    holds,
)
from workings.formula.exact import compare
from workings.formula.interval import rational
from workings.units import UNITS, Format, Unit, parse_unit, show, show_beside
from workings.units.dimension import ONE


class BrokenError(Exception):
    """A condition or a rule is violated."""


class Running:
    """A program at inputs given by their letters."""

    def __init__(self, program: Mapping[str, Any], inputs: Mapping[str, Fraction]) -> None:
        self.program = program
        self.own = {name: Fraction(text) for name, text in program["given"].items()}
        self.inputs = {**self.own, **inputs}

    def place(self, number: int) -> dict[str, Fraction]:
        place = self.program["places"][number]
        known = {n: v for n, v in self.inputs.items() if n not in place["without"]}
        known |= {name: rational(self.source(source)) for name, source in place["over"].items()}
        for rule in self.program["rules"]:
            asked = rule["without"] not in known and known.keys() >= set(rule["letters"])
            if asked and (not rule["where"] or known.get(rule["where"], 0) > 0):
                self.check(rule["holds"], known, rule["key"])
        for figure in self.program["follow"]:
            there = figure["name"] in known or known.keys() & set(figure["without"])
            if there or not known.keys() >= set(figure["letters"]):
                continue
            if figure["where"] and known.get(figure["where"], 0) <= 0:
                continue
            value = rational(evaluate(tree(figure["form"]), known))
            if not figure["whole"] or value.denominator == 1:
                known[figure["name"]] = value
        return known

    def source(self, number: int) -> Value:
        source = self.program["sources"][number]
        if isinstance(source, str):
            return Fraction(source)
        kind, first, second = source
        if kind == "key":
            return self.place(first)[second]
        if kind == "whole":
            return rational(self.node(first)[0])
        if any(self.inputs[name] != self.own[name] for name in second):
            raise BrokenError(second)
        return Fraction(first)

    def node(self, number: int) -> tuple[Value, dict[str, Value]]:
        node = self.program["nodes"][number]
        if "figure" in node:
            return self.source(node["figure"]), {}
        if "form" in node:
            values: dict[str, Value] = {
                f"q_{n}": rational(self.node(of)[0]) for n, of in enumerate(node["of"])
            }
            return evaluate(tree(node["form"]), values), values
        letters = {name: self.source(source) for name, source in node["letters"].items()}
        return self.entry(self.program["entries"][node["entry"]], letters)

    def entry(self, entry: Any, letters: Mapping[str, Value]) -> tuple[Value, dict[str, Value]]:
        values = {name: letters[name] for name in entry["letters"]}
        for name, (kind, used, *bound) in entry["uses"].items():
            if kind == "given":
                values[name] = self.source(used)
                continue
            inner = {
                letter: self.source(argument[1])
                if isinstance(argument, list) and argument[0] == "given"
                else evaluate(tree(argument), letters)
                for letter, argument in bound[0].items()
            }
            values[name] = self.entry(self.program["entries"][used], inner)[0]
        for given in entry.get("given", ()):
            self.check(given["given"], values, given["text"])
        return evaluate(tree(entry["form"]), values), values

    def check(self, given: Any, values: Mapping[str, Value], said: str) -> None:
        if given[0] == "divides":
            below, above = (evaluate(tree(part), values) for part in given[1:3])
            fine = (rational(above) / rational(below)).denominator == 1
        else:
            relations = tree(given)
            assert isinstance(relations, Relations)
            fine = holds(relations, values)
        if not fine:
            raise BrokenError(said)

    def shown(self, display: Mapping[str, Any]) -> tuple[str, str]:
        """The number and unit, or the words, that stand where a display is."""
        try:
            return self._shown(display)
        except BrokenError:
            if "otherwise" not in display:
                raise
            return display["otherwise"], "1"

    def _shown(self, display: Mapping[str, Any]) -> tuple[str, str]:
        if display["kind"] == "setting":
            return f"{int(rational(self.node(display['node'])[0])):,}", "1"
        if display["kind"] == "entered":
            value = rational(self.source(display["value"]))
        else:
            value = rational(self.node(display["node"])[0])
        if display["kind"] == "test":
            fits = compare(value, display["relation"], self.limit(display))
            return ("yes" if fits else "no"), "1"
        style, unit = self.style(display), self.unit(display["unit"])
        if "limit" in display:
            shown = show_beside(value, self.limit(display), unit, style)
        else:
            shown = show(value, unit, style)
        return shown.number, shown.unit

    def limit(self, display: Mapping[str, Any]) -> Fraction:
        limit = display["limit"]
        return rational(self.node(limit)[0]) if isinstance(limit, int) else Fraction(limit)

    def style(self, display: Mapping[str, Any]) -> Format:
        style = self.program["styles"][display["style"]]
        return Format(tuple(style["units"]), style["digits"], style["decimals"])

    def unit(self, text: str) -> Unit:
        """A unit of the program; of a rate, what is counted stands in place of 1: `tokens/s`."""
        if text == "1":
            return Unit("1", ONE, Fraction(1))
        above, _, below = text.partition("/")
        return parse_unit(text if above in UNITS or above == "1" else f"1/{below}")


def tree(node: Any) -> Expr:
    """A formula from its JSON."""
    return _tree(node)  # type: ignore[return-value]


def _tree(node: Any) -> Formula:
    if isinstance(node, str):
        return Name(node)
    kind, *parts = node
    if kind == "#":
        return Num(Fraction(parts[0]), parts[1], parts[2])
    if kind in ("+", "*", "rel"):
        rest = tuple((sign, tree(part)) for sign, part in zip(parts[1::2], parts[2::2], strict=True))
        made = {"+": Add, "*": Product, "rel": Relations}[kind]
        return made(tree(parts[0]), rest)  # type: ignore[no-any-return]
    if kind == "neg":
        return Negative(tree(parts[0]))
    if kind == "^":
        return Power(tree(parts[0]), tree(parts[1]))
    if kind == "sum":
        return Series(tree(parts[0]), parts[1], tree(parts[2]), tree(parts[3]))
    return Call(kind, tuple(map(tree, parts)))
