"""Elasticities: how many per cent a result moves for one per cent of an input.

SymPy differentiates every statement by the letters in it, and the chain rule carries the slopes
from the inputs to the results. Two things are marked where they enter: `ceil` and `floor` are
taken for what they round, and `max` and `min` for the argument that counts here. A rounded logarithm
stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from workings.formula import Call, Expr, Num, evaluate, names_in
from workings.formula.interval import rational
from workings.formula.tree import rebuild, walk
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
    smooth, marks = _smooth(statement.formula, values)
    for letter in names_in(smooth):
        value = rational(evaluate(_derivative(smooth, letter), values))
        if value:
            yield letter, _Slope(value, marks)


def _smooth(tree: Expr, values: Mapping[str, Fraction]) -> tuple[Expr, frozenset[str]]:
    """A formula without roundings and choices, and which of them it had."""
    marks: set[str] = set()

    def visit(part: Expr) -> Expr:
        if not isinstance(part, Call) or part.function == "sqrt":
            return rebuild(part, visit)
        if part.function in ("ceil", "floor"):
            if any(isinstance(p, Call) and p.function == "log2" for p in walk(part)):
                # Its steps are too far apart to have a slope.
                return Num(rational(evaluate(part, values)))
            marks.add(RELAXED)
            return visit(part.args[0])
        if part.function in ("max", "min"):
            marks.add(BRANCH)
            chosen = max if part.function == "max" else min
            return visit(chosen(part.args, key=lambda a: rational(evaluate(a, values))))
        return rebuild(part, visit)

    return visit(tree), frozenset(marks)


@cache
def _derivative(formula: Expr, letter: str) -> Expr:
    """The derivative by one letter, by SymPy."""
    import sympy  # noqa: PLC0415 - slow to load, and only reviews need it

    from workings.formula.sympy_reading import from_sympy, to_sympy  # noqa: PLC0415 - the same

    names = names_in(formula)
    symbols: dict[str, Any] = {name: sympy.Symbol(name, positive=True) for name in names}
    return from_sympy(to_sympy(formula, symbols).diff(symbols[letter]), names)
