"""The exact reading of a plan at several layouts of one job.

The same values as `exact.exactly`, which evaluates one layout and any formula: here what layouts
share is evaluated once, and whole numbers stay Python's, which are many times faster than fractions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from operator import itemgetter
from typing import Any, TypeAlias

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
from workings.formula.interval import rational
from workings.planning.exact_operations import (
    NUMBERS,
    Number,
    Part,
    Reader,
    added,
    largest,
    multiplied,
    rounded,
    simplest,
)
from workings.planning.letters import LAYOUT
from workings.planning.statement import Plan
from workings.units import parse_unit

# A letter, its function, what of the layout its value rests on, and its values so far by that.
Remembered: TypeAlias = tuple[str, Reader, Callable[[Mapping[str, Number]], Any], dict[Any, Number]]


class ExactLayouts:
    """Some letters of a plan, layout after layout. Raises DoesNotEvaluateError as `at` does."""

    def __init__(self, plan: Plan, given: Mapping[str, Fraction], wanted: Iterable[str]) -> None:
        self.wanted = tuple(wanted)
        self.given = {name: simplest(value) for name, value in given.items()}
        readers = _Readers(plan, self.given)
        for letter in self.wanted:
            readers.letter(letter)
        self.given |= readers.known
        self._steps = readers.steps

    def at(self, layout: Mapping[str, Fraction | int]) -> dict[str, Fraction]:
        """The values of the wanted letters. Raises DoesNotEvaluateError where one has none."""
        values = {**self.given, **{name: simplest(value) for name, value in layout.items()}}
        try:
            for letter, read, key_of, memo in self._steps:
                key = key_of(values)
                if key not in memo:
                    memo[key] = read(values)
                values[letter] = memo[key]
            return {name: Fraction(values[name]) for name in self.wanted}
        except KeyError as error:
            raise DoesNotEvaluateError(f"no value for the letter {error.args[0]}") from error
        except ZeroDivisionError as error:
            raise DoesNotEvaluateError(f"{letter}: division by zero") from error


class _Readers:
    """Letters of a plan as functions of the layout's, in an order in which they can be evaluated.

    `known` are those that no layout changes.
    """

    def __init__(self, plan: Plan, given: Mapping[str, Number]) -> None:
        self.statements = plan.by_letter
        self.known = {name: value for name, value in given.items() if name not in LAYOUT}
        self.steps: list[Remembered] = []
        self._rests: dict[str, set[str]] = {name: {name} for name in LAYOUT}
        self._names = set[str]()  # of the layout, in the statement at hand

    def letter(self, letter: str) -> Part:
        """The value of a letter, or where to find it."""
        if letter not in self._rests:
            if letter in self.statements:
                self._state(letter)
            elif letter not in self.known:
                self._rests[letter] = {letter}  # the layout's, or missing
        if letter in self.known:
            return self.known[letter]
        self._names |= self._rests[letter]
        return itemgetter(letter)

    def _state(self, letter: str) -> None:
        outside, self._names = self._names, set()
        try:
            read = self.part(self.statements[letter].formula)
        except ZeroDivisionError as error:
            raise DoesNotEvaluateError(f"{letter}: division by zero") from error
        self._rests[letter] = names = self._names
        self._names = outside
        if isinstance(read, NUMBERS):
            self.known[letter] = read
        else:
            self.known.pop(letter, None)
            self.steps.append((letter, read, itemgetter(*sorted(names)), {}))

    def part(self, node: Expr) -> Part:
        """A formula as a function of letters, or its value."""
        if isinstance(node, Name):  # half of all
            return self.letter(node.id)
        match node:
            case Num(value, unit):
                return simplest(value * parse_unit(unit).scale if unit else value)
            case Product(first, rest):
                return self.product((("*", first), *rest))
            case Add(first, rest):
                terms = [(1 if sign == "+" else -1, self.part(term)) for sign, term in rest]
                return added([(1, self.part(first)), *terms])
            case Negative(operand):
                return added([(-1, self.part(operand))])
            case Call("max" | "min" as function, args):
                return largest(max if function == "max" else min, map(self.part, args))
            case Call("floor" | "ceil" as function, (arg,)):
                return rounded(function == "ceil", self.part(arg))
        return self.other(node)

    def product(self, factors: Iterable[tuple[str, Expr]]) -> Part:
        """Factors and divisors; nothing is read behind a 0, such as all of experts in a dense model."""
        read: list[tuple[bool, Part]] = []
        for sign, factor in factors:
            part = self.part(factor)
            if sign == "*" and isinstance(part, NUMBERS) and not part:
                return part
            read.append((sign == "*", part))
        return multiplied(read)

    def other(self, node: Expr) -> Part:
        """A function that has no reader of its own."""
        parts = [self.letter(name) for name in names_in(node)]
        if all(isinstance(part, NUMBERS) for part in parts):
            return simplest(rational(evaluate(node, self.known)))
        return lambda values: simplest(rational(evaluate(node, values)))
