"""The exact reading of a plan at several layouts of one job.

The same values as `exact.exactly`, which evaluates one layout and any formula: here what layouts
share is evaluated once, and whole numbers stay Python's, which are many times faster than fractions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import TypeAlias

from workings.formula import (
    Add,
    Call,
    DoesNotEvaluateError,
    Expr,
    Name,
    Negative,
    Num,
    Product,
    evaluate,
    names_in,
)
from workings.formula.exact import rational
from workings.planning.letters import LAYOUT
from workings.planning.statement import Plan
from workings.units import parse_unit

Number: TypeAlias = int | Fraction
Reader: TypeAlias = Callable[[Mapping[str, Number]], Number]


class ExactLayouts:
    """Some letters of a plan, layout after layout."""

    def __init__(self, plan: Plan, given: Mapping[str, Fraction], wanted: Iterable[str]) -> None:
        self.wanted = tuple(wanted)
        self.given = {name: _simplest(value) for name, value in given.items()}
        self._steps: list[tuple[str, Reader, tuple[str, ...]]] = []
        rests: dict[str, set[str]] = {}  # what of the layout each letter rests on
        for statement in plan.needed_for(self.wanted):
            names = set[str]()
            read = _reader(statement.formula, names)
            own = set[str]().union(names & LAYOUT.keys(), *(rests.get(name, ()) for name in names))
            rests[statement.letter] = own
            self._steps.append((statement.letter, read, tuple(sorted(own))))
        self._memo: dict[tuple[str, tuple[Number, ...]], Number] = {}

    def at(self, layout: Mapping[str, Fraction | int]) -> dict[str, Fraction]:
        """The values of the wanted letters. Raises DoesNotEvaluateError where one has none."""
        values = {**self.given, **{name: _simplest(value) for name, value in layout.items()}}
        try:
            for letter, read, rests in self._steps:
                key = (letter, tuple(values[name] for name in rests))
                if key not in self._memo:
                    self._memo[key] = read(values)
                values[letter] = self._memo[key]
        except KeyError as error:
            raise DoesNotEvaluateError(f"no value for the letter {error.args[0]}") from error
        except ZeroDivisionError as error:
            raise DoesNotEvaluateError(f"{letter}: division by zero") from error
        return {name: Fraction(values[name]) for name in self.wanted}


def _simplest(value: Number) -> Number:
    return value.numerator if value.denominator == 1 else value


def _reader(node: Expr, names: set[str]) -> Reader:
    """A function from letters to the exact value of a formula, whose letters join `names`."""
    match node:
        case Num(value, unit):
            number = _simplest(value * parse_unit(unit).scale if unit else value)
            return lambda _: number
        case Name(letter):
            names.add(letter)
            return lambda values: values[letter]
        case Negative(operand):
            inner = _reader(operand, names)
            return lambda values: -inner(values)
        case Add(first, rest):
            return _sum(_reader(first, names), [(s == "+", _reader(part, names)) for s, part in rest])
        case Product(first, rest):
            above = [first, *(part for sign, part in rest if sign == "*")]
            below = [part for sign, part in rest if sign == "/"]
            return _ratio([_reader(p, names) for p in above], [_reader(p, names) for p in below])
        case Call("max" | "min" as function, args):
            choose, readers = max if function == "max" else min, [_reader(arg, names) for arg in args]
            return lambda values: choose(read(values) for read in readers)
        case Call("floor" | "ceil" as function, (arg,)):
            whole = _reader(arg, names)
            return lambda v: -(-whole(v) // 1) if function == "ceil" else whole(v) // 1
    names.update(names_in(node))
    return lambda values: _simplest(rational(evaluate(node, values)))


def _sum(first: Reader, rest: list[tuple[bool, Reader]]) -> Reader:
    def read(values: Mapping[str, Number]) -> Number:
        total = first(values)
        for plus, part in rest:
            total = total + part(values) if plus else total - part(values)
        return total

    return read


def _ratio(above: list[Reader], below: list[Reader]) -> Reader:
    """Factors over divisors: all multiplied first, then one division."""

    def read(values: Mapping[str, Number]) -> Number:
        top: Number = 1
        for part in above:
            top *= part(values)
        bottom: Number = 1
        for part in below:
            bottom *= part(values)
        if bottom == 1:
            return top
        if isinstance(top, int) and isinstance(bottom, int) and bottom and top % bottom == 0:
            return top // bottom
        return Fraction(top) / bottom

    return read
