"""The values of an answer key, worked out by the catalogue at its scenario."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Literal

from workings import catalogue
from workings.derivation import Derivation
from workings.derivation.evaluation import value_of
from workings.derivation.pins import Spot
from workings.errors import UserError
from workings.formula import Expr, dimension_of, evaluate, parse_expression
from workings.formula.interval import rational
from workings.grade.file import Answer, AnswerKeyError, KeyFile, Part, Reading, find_key, read_key
from workings.scenario import Scenario, load_scenario
from workings.units import ONE, Dimension, Unit, UnitError, parse_unit
from workings.values.binding import Binding, bind

Kind = Literal["right", "accepted", "known wrong"]

_ID = re.compile(r"\{([a-z0-9-]{1,80})\}")
_PLAIN = Unit("1", ONE, Fraction(1))
_TOLERANCE = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,6})?) ?%")


@dataclass(frozen=True)
class Formula:
    """One derivation that a value is made of, and what its letters are here."""

    derivation: Derivation
    binding: Binding = field(repr=False)


@dataclass(frozen=True)
class Target:
    """A value somebody may arrive at: exact, in base units, with the share of marks it earns."""

    words: str
    kind: Kind
    share: float
    value: Fraction
    dimension: Dimension
    near: tuple[str, ...]
    hint: str
    expression: Expr = field(repr=False)
    formulas: Mapping[str, Formula] = field(repr=False)

    def value_with(self, id_: str, binding: Binding) -> Fraction:
        """The value if one of its derivations has other letters. Raises UserError."""
        values = {}
        for name, formula in self.formulas.items():
            what = formula.derivation
            values[name] = rational(value_of(what, *_of(binding if what.id == id_ else formula.binding)))
        return _evaluated(self.expression, values)


@dataclass(frozen=True)
class Asked:
    """One thing asked for, with everything that may be answered; the first target is the right one."""

    answer: Answer
    targets: tuple[Target, ...]
    unit: Unit
    tolerance: Fraction | None = None  # None: to the digits printed


@dataclass(frozen=True)
class AskedPart:
    """One part with what it asks."""

    part: Part
    asked: tuple[Asked, ...]

    @property
    def marks(self) -> float:
        """The marks of all its answers."""
        return sum(asked.answer.marks for asked in self.asked)


@dataclass(frozen=True)
class Key:
    """An answer key with its values."""

    name: str
    title: str
    follow_through: float
    parts: tuple[AskedPart, ...]

    @property
    def marks(self) -> float:
        """The marks of all parts."""
        return sum(part.marks for part in self.parts)


def load_key(where: str | Path) -> Key:
    """Read a key by name or path and work out its values. Raises UserError in one sentence."""
    path = find_key(where)
    given = read_key(path)
    parts = tuple(
        AskedPart(part, tuple(_asked(path, given, part, a) for a in part.answer)) for part in given.part
    )
    return Key(path.name, given.title, given.follow_through, parts)


def _asked(path: Path, key: KeyFile, part: Part, answer: Answer) -> Asked:
    place = f"{path.name}: part {part.id}, answer {answer.id}"
    try:
        unit = parse_unit(answer.unit) if answer.unit else _PLAIN
        tolerance = _tolerance(answer.within)
        found = [_target(key, answer, answer, "right", 1.0)]
        found += [_target(key, answer, r, "accepted", 1.0) for r in answer.accept]
        found += [_target(key, answer, r, "known wrong", 0.0) for r in answer.wrong]
    except UserError as error:
        raise AnswerKeyError(f"{place}: {error.args[0] if error.args else error}") from error
    _check_units(place, found, unit)
    return Asked(answer, tuple(found), unit, tolerance)


def _check_units(place: str, targets: list[Target], unit: Unit) -> None:
    for target in targets:
        if target.dimension != targets[0].dimension:
            raise AnswerKeyError(f"{place}, {target.words!r}: found a value in {target.dimension}, "
                            f"expected {targets[0].dimension}")  # fmt: skip
    if unit.dimension != targets[0].dimension:
        raise AnswerKeyError(
            f"{place}: unit: found {unit.text!r}, expected a unit of {targets[0].dimension}"
        )


def _tolerance(text: str) -> Fraction | None:
    if text == "printed":
        return None
    if text == "exact":
        return Fraction(0)
    match = _TOLERANCE.fullmatch(text.strip())
    if match is None:
        raise AnswerKeyError(
            f"within: found {text!r}, expected 'printed', 'exact' or a tolerance such as '1 %'"
        )
    return Fraction(match[1]) / 100


def _target(key: KeyFile, answer: Answer, reading: Answer | Reading, kind: Kind, share: float) -> Target:
    """The value of an answer or of another reading of it, which may have a scenario of its own."""
    at = reading.at or answer.at or key.scenario
    scenario = load_scenario(at, reading.set) if at else None
    expression, ids = _parsed(reading.value or f"{{{reading.derivation}}}")
    formulas = {name: _formula(id_, scenario, reading.set) for name, id_ in ids.items()}
    values = {n: rational(value_of(f.derivation, *_of(f.binding))) for n, f in formulas.items()}
    given = reading.share if isinstance(reading, Reading) else None
    return Target(
        reading.words, kind, share if given is None else given, _evaluated(expression, values),
        dimension_of(expression, {n: f.derivation.unit for n, f in formulas.items()}),
        reading.near or answer.near, getattr(reading, "hint", ""), expression, formulas,
    )  # fmt: skip


def _formula(id_: str, scenario: Scenario | None, settings: Mapping[str, str]) -> Formula:
    what = catalogue.get(id_)
    return Formula(what, bind(what, scenario, settings))


def _parsed(text: str) -> tuple[Expr, dict[str, str]]:
    """An expression with a letter `r1`, `r2` … in place of each `{id}`, and the ids by letter."""
    ids: dict[str, str] = {}

    def letter(match: re.Match[str]) -> str:
        name = next((n for n, id_ in ids.items() if id_ == match[1]), f"r{len(ids) + 1}")
        ids[name] = match[1]
        return f" {name} "

    expression = parse_expression(_ID.sub(letter, text))
    if not ids:
        raise UnitError(f"value: found {text!r}, expected a derivation in it, such as {{fsdp-memory}}")
    return expression, ids


def _evaluated(expression: Expr, values: Mapping[str, Fraction]) -> Fraction:
    return rational(evaluate(expression, values))


def _of(binding: Binding) -> tuple[Mapping[str, Fraction], Mapping[Spot, Fraction]]:
    return ({n: rational(v) for n, v in binding.values.items()},
            {n: rational(v) for n, v in binding.pinned.items()})  # fmt: skip
