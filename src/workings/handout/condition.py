"""What must hold of a variant's settings: `fsdp*tp == 64`, `{fsdp-smallest-n} < 400`, `{memory} > 40 GB`.

A bare name is a key that varies; values of the catalogue and other keys of the scenario stand in braces.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from workings import catalogue
from workings.formula import dimension_of, evaluate, names_in, parse_expression
from workings.formula.interval import rational
from workings.scenario import PRESET_SECTIONS, ScenarioError
from workings.units import Quantity, UnitError, parse_quantity
from workings.values.asked import figure_named, read_formula
from workings.values.desk import Desk
from workings.vocabulary import concept_named

_SIGN = re.compile(r"(<=|>=|==|!=|<|>|=)")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_BRACED = re.compile(r"(\{(?:[^{}]|\{[^{}]*\})*\})")
_HOLDS: Mapping[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "==": operator.eq, "=": operator.eq, "!=": operator.ne,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Condition:
    """Sides with a sign between each two, as written; `line` is where it stands in the file."""

    text: str
    line: int
    sides: tuple[str, ...]
    signs: tuple[str, ...]

    @property
    def plain(self) -> bool:
        """Whether it is about the settings alone, which takes no scenario."""
        return not any("{" in side for side in self.sides)

    def holds(self, settings: Mapping[str, str], desk: Desk) -> bool:
        """Whether it holds at these settings, which the desk has over its scenario. Raises UserError."""
        found = [_value(side, settings, desk) for side in self.sides]
        for (left, right), sign in zip(pairwise(found), self.signs, strict=True):
            if left.dimension != right.dimension:
                raise ScenarioError(f"found {left.dimension} {sign} {right.dimension}, expected one unit")
            if not _HOLDS[sign](left.value, right.value):
                return False
        return True


def read_condition(text: str, line: int, keys: Iterable[str]) -> Condition:
    """Read a condition on these keys. Raises UserError."""
    parts = [part for piece in _BRACED.split(text) for part in _cut(piece)]
    sides, signs = [""], []
    for part in parts:
        if _SIGN.fullmatch(part):
            signs.append(part)
            sides.append("")
        else:
            sides[-1] += part
    if not signs or not all(side.strip() for side in sides):
        raise ScenarioError("expected a comparison such as 'fsdp*tp == 64' or '{fsdp-smallest-n} < 400'")
    known = list(keys)
    return Condition(text, line, tuple(_side(side.strip(), known) for side in sides), tuple(signs))


def _cut(piece: str) -> list[str]:
    """Words outside of braces, cut at the signs; settings in braces keep their own."""
    return [piece] if piece.startswith("{") else _SIGN.split(piece)


def _side(text: str, keys: list[str]) -> str:
    """One side, its names known. Raises UserError."""
    if _quantity(text) is not None:
        return text
    for name in names_in(parse_expression(_BRACED.sub("1", text))):
        if name in PRESET_SECTIONS:
            raise ScenarioError(f"found {name!r}, the name of a preset, expected a key that has a number")
        if name not in keys:
            known = f"a key that varies ({', '.join(keys)})"
            raise ScenarioError(f"found {name[:60]!r}, expected {known}, or a value of the catalogue or "
                                f"the scenario in braces: {{{name[:60]}}}")  # fmt: skip
    for call in read_formula(text).calls if "{" in text else ():
        if figure_named(call.id) is None:
            catalogue.get(call.id)
    return text


def _value(side: str, settings: Mapping[str, str], desk: Desk) -> Quantity:
    """The value of a side. Raises UserError."""
    if (typed := _quantity(side)) is not None:
        return typed
    if "{" in side:  # a bare name is the same key, as the scenario has it
        words = _BRACED.split(side)
        words[::2] = [
            _NAME.sub(lambda m: f"{{{m[0]}}}" if m[0] in settings else m[0], w) for w in words[::2]
        ]
        return desk.limit("".join(words), {})
    formula = parse_expression(side)
    given = {name: quantity_of(name, settings[name]) for name in names_in(formula)}
    value = rational(evaluate(formula, {name: found.value for name, found in given.items()}))
    return Quantity(
        value, dimension_of(formula, {name: found.dimension for name, found in given.items()})
    )


def quantity_of(key: str, text: str) -> Quantity:
    """What a key of the scenario is set to: 2k of a sequence are 2048. Raises UnitError."""
    concept = concept_named(key)
    return parse_quantity(text, None, concept.thousand if concept else 1000)


def _quantity(text: str) -> Quantity | None:
    """A side that is a number with its unit, such as `40 GB`."""
    try:
        return parse_quantity(text)
    except UnitError:
        return None
