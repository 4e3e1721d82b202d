"""Elasticities: how many per cent a result moves for one per cent of an input.

Every statement is differentiated at the values of its letters by the rules for sums, products and
powers, and the chain rule carries the slopes from the inputs to the results. Two things are marked where
they enter: `ceil` and `floor` are taken for what they round, and `max` and `min` for the argument that
counts here. A rounded logarithm stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from workings.formula import Add, Call, Expr, Name, Negative, Power, Product, evaluate, names_in
from workings.formula.interval import DoesNotEvaluateError, rational
from workings.formula.tree import walk
from workings.planning.statement import Plan, Statement

RELAXED, BRANCH = "relaxed", "branch"


@dataclass(frozen=True, slots=True)
class Elasticity:
    """∂ln result / ∂ln letter at a job's values, and what was smoothed on the way."""

    result: str
    letter: str
    value: Fraction
    marks: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Slope:
    value: Fraction
    marks: frozenset[str]


def elasticities(
    plan: Plan, values: Mapping[str, Fraction], result: str, letters: Iterable[str]
) -> list[Elasticity]:
    """The elasticity of a result by each letter, the largest first; `values` of all statements."""
    slopes = _slopes(plan, values, result)
    found = []
    for letter in letters:
        slope = slopes.get(letter)
        if slope is not None and slope.value and values[letter] and values[result]:
            value = slope.value * values[letter] / values[result]
            found.append(Elasticity(result, letter, value, slope.marks))
    return sorted(found, key=lambda e: (-abs(e.value), e.letter))


def _slopes(plan: Plan, values: Mapping[str, Fraction], result: str) -> dict[str, _Slope]:
    """∂ result / ∂ letter for every letter it rests on, from the result back to the inputs."""
    slopes = {result: _Slope(Fraction(1), frozenset())}
    for statement in reversed(plan.needed_for([result])):
        above = slopes.get(statement.letter)
        if above is None or not above.value or statement.switch:
            continue
        for letter, partial in _partials(statement, values):
            known = slopes.get(letter, _Slope(Fraction(0), frozenset()))
            slopes[letter] = _Slope(
                known.value + above.value * partial.value, known.marks | above.marks | partial.marks
            )
    return slopes


def _partials(statement: Statement, values: Mapping[str, Fraction]) -> Iterator[tuple[str, _Slope]]:
    """The slopes of one statement by its letters, at these values."""
    here = _Here(values)
    slopes = here.read(statement.formula).slopes
    marks = frozenset(here.marks)
    return ((letter, _Slope(slope, marks)) for letter, slope in slopes.items() if slope)


class _Point(NamedTuple):
    """The value of a part of a formula, without roundings, and its slope by each letter."""

    value: Fraction
    slopes: Mapping[str, Fraction] = {}


@dataclass
class _Here:
    """One formula at the values of its letters, and what was smoothed in it."""

    values: Mapping[str, Fraction]
    marks: set[str] = field(default_factory=set)

    def read(self, part: Expr) -> _Point:
        if isinstance(part, Name):
            return _Point(self.values[part.id], {part.id: Fraction(1)})
        if isinstance(part, Negative):
            return _sum(Fraction(-1), self.read(part.operand))
        if isinstance(part, Add):
            return self._total(part)
        if isinstance(part, Product):
            return self._product(part)
        if isinstance(part, Power):
            return self._power(part)
        if isinstance(part, Call):
            return self._call(part)
        return _Point(self._exactly(part))

    def _total(self, part: Add) -> _Point:
        found = self.read(part.first)
        for sign, term in part.rest:
            found = _sum(Fraction(1 if sign == "+" else -1), self.read(term), found)
        return found

    def _product(self, part: Product) -> _Point:
        found = self.read(part.first)
        for operation, factor in part.rest:
            other = self.read(factor)
            if operation == "/":  # by its inverse, whose slope is -1/x²
                other = _chain(1 / other.value, -1 / other.value**2, other)
            value = found.value * other.value
            found = _sum(found.value, other, _chain(Fraction(0), other.value, found))._replace(
                value=value
            )
        return found

    def _power(self, part: Power) -> _Point:
        base, exponent = self.read(part.base), self._exactly(part.exponent)
        if exponent.denominator != 1 or names_in(part.exponent):
            raise DoesNotEvaluateError("only a power by a whole number has a slope here")
        times = int(exponent)
        return _chain(base.value**times, times * base.value ** (times - 1), base)

    def _call(self, part: Call) -> _Point:
        if part.function in ("max", "min"):
            self.marks.add(BRANCH)
            return self.read((max if part.function == "max" else min)(part.args, key=self._exactly))
        if part.function in ("ceil", "floor"):
            if any(isinstance(p, Call) and p.function == "log2" for p in walk(part)):
                return _Point(self._exactly(part))  # its steps are too far apart to have a slope
            self.marks.add(RELAXED)
            return self.read(part.args[0])
        raise DoesNotEvaluateError(f"{part.function} has no slope here")

    def _exactly(self, part: Expr) -> Fraction:
        return rational(evaluate(part, self.values))


def _chain(value: Fraction, slope: Fraction, inner: _Point) -> _Point:
    """A value that moves by so much for what moves inside it."""
    return _Point(value, {letter: slope * own for letter, own in inner.slopes.items()})


def _sum(times: Fraction, added: _Point, to: _Point | None = None) -> _Point:
    """A part so many times, added to another."""
    to = to or _Point(Fraction(0))
    slopes = dict(to.slopes)
    for letter, own in added.slopes.items():
        slopes[letter] = slopes.get(letter, Fraction(0)) + times * own
    return _Point(to.value + times * added.value, slopes)
