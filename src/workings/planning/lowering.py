"""The statements of a plan as a graph over the axes that a search varies."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from math import ceil, floor, log2, sqrt

from workings.errors import UserError
from workings.formula import (
    Add,
    Call,
    DoesNotEvaluateError,
    Expr,
    Name,
    Negative,
    Num,
    Power,
    Product,
)
from workings.planning.graph import Graph
from workings.planning.nodes import Linear
from workings.planning.statement import Plan
from workings.units import parse_unit

NEARLY = 1e-9  # how near a number must be to a whole one to be taken for it
FUNCTIONS: Mapping[str, Callable[[float], float]] = {
    "floor": lambda x: floor(whole_if_near(x)), "ceil": lambda x: ceil(whole_if_near(x)),
    "sqrt": sqrt, "log2": log2,
}  # fmt: skip
MOST_FACTORS = 4  # a power of at most this is multiplied out


class NotAnArrayError(UserError):
    """A formula that has no reading over arrays."""


class Lowering:
    """Statements to graph; `searched` are the letters with axes, `given` all others."""

    def __init__(
        self, plan: Plan, graph: Graph, searched: Mapping[str, Linear], given: Mapping[str, Fraction]
    ) -> None:
        self.statements, self.graph, self.given = plan.by_letter, graph, given
        self.values: dict[str, Linear] = dict(searched)

    def wanted(self, letters: Iterable[str]) -> dict[str, Linear]:
        """The values of these letters. Raises DoesNotEvaluateError where one is missing."""
        return {letter: self.letter(letter) for letter in letters}

    def letter(self, letter: str) -> Linear:
        """The value of a letter: an axis, a constant, or what its statement says."""
        if letter not in self.values:
            if letter in self.given:
                found = Linear(float(self.given[letter]))
            elif letter in self.statements:
                found = self.graph.referred(self.tree(self.statements[letter].formula))
            else:
                raise DoesNotEvaluateError(f"no value for the letter {letter}")
            self.values[letter] = found
        return self.values[letter]

    def tree(self, node: Expr) -> Linear:
        """The value of a formula."""
        if isinstance(node, Name):  # half of all
            return self.letter(node.id)
        match node:
            case Num(value, unit):
                return Linear(float(value * parse_unit(unit).scale if unit else value))
            case Product(first, rest):
                return self.product((("*", first), *rest))
            case Add(first, rest):
                signed = ((1.0 if sign == "+" else -1.0, self.tree(part)) for sign, part in rest)
                return self.graph.add([(1.0, self.tree(first)), *signed])
            case Negative(operand):
                return self.graph.scaled(-1.0, self.tree(operand))
            case Power(base, exponent):
                return self.power(self.tree(base), self.tree(exponent))
            case Call(function, args):
                return self.call(function, [self.tree(arg) for arg in args])
        raise NotAnArrayError("a sum over an index has no reading over arrays")

    def product(self, factors: Iterable[tuple[str, Expr]]) -> Linear:
        """Factors and divisors; nothing is read behind a 0, such as all of experts in a dense model."""
        sides: dict[str, list[Linear]] = {"*": [], "/": []}
        for sign, factor in factors:
            value = self.tree(factor)
            if sign == "*" and not value.terms and not value.constant:
                return Linear(0.0)
            sides[sign].append(value)
        return self.graph.product(sides["*"], sides["/"])

    def power(self, base: Linear, exponent: Linear) -> Linear:
        """A constant, or a whole power multiplied out."""
        if not base.terms and not exponent.terms:
            return Linear(base.constant**exponent.constant)
        times = exponent.constant
        if exponent.terms or not times.is_integer() or abs(times) > MOST_FACTORS:
            raise NotAnArrayError("a power of a searched letter is at most its fourth")
        factors = [base] * abs(int(times))
        if not factors:
            return Linear(1.0)
        return self.graph.product(factors) if times > 0 else self.graph.product([Linear(1.0)], factors)

    def call(self, function: str, args: list[Linear]) -> Linear:
        """A function of its arguments."""
        if function in ("max", "min"):
            return self.graph.largest(function, args)
        (arg,) = args
        if not arg.terms:
            return Linear(float(FUNCTIONS[function](arg.constant)))
        return self.graph.applied(function, arg, FUNCTIONS[function])


def whole_if_near(value: float) -> float:
    """A number that is whole but for rounding, made whole."""
    near = float(round(value))
    return near if abs(value - near) <= NEARLY * max(1, abs(near)) else value
