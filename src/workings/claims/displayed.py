"""Whether what a page calculates is a formula of the catalogue, in whatever letters or numbers.

Each leaf of the calculation is taken for a concept of the formula or for itself; where both come to the
same at awkward values of all concepts, they are one formula.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from workings.claims.meant import Leaf, leaves_of, names_of
from workings.field.known import POINTS, Written, probe
from workings.marks.quantity import Printed
from workings.marks.tree import Node, Number, Operation

if TYPE_CHECKING:
    from workings.claims.page import Page
    from workings.reading.blocks import Block

MOST_LEAVES = 14
LARGEST = 10**40  # of a number that people calculate with
LEAST_NUMBERS = 3  # of a calculation in numbers: what two come to is by chance something else, too
TEN, MOST_POWER = 10, 40
MOST_WAYS = 24  # in which the leaves may be concepts of a formula
CLOSE = 1e-9
# Factors that only change a unit: seconds to days, powers of a thousand.
UNITS = frozenset(Fraction(n) for n in (24, 60, 100, 365, 3600, 86400, 1024, 1024**2, 1024**3)) | {
    Fraction(10) ** n for n in (3, 6, 9, 12, 15, 18)
}
_SIGNS: Mapping[str, Callable[..., float]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "^": operator.pow,
    "neg": operator.neg, "sqrt": math.sqrt, "log": math.log, "log2": math.log2, "max": max, "min": min,
    "ceil": math.ceil, "floor": math.floor,
}  # fmt: skip

# A concept with what is taken from it, or nothing: then the leaf is itself, or left aside.
Meaning = tuple[str, int]
ITSELF, ASIDE = ("", 0), ("", 1)


@dataclass(frozen=True)
class Display:
    """A calculation of a page."""

    page: Page
    node: Node
    leaves: tuple[Leaf, ...]

    @cached_property
    def may_be(self) -> frozenset[str]:
        """Every concept that one of its leaves may be."""
        return frozenset().union(*(leaf.concepts | leaf.less for leaf in self.leaves))

    def is_written(self, of: Written, times: Sequence[str] = ()) -> bool:
        """Whether it is a formula, multiplied or divided by values of `times` or not."""
        named = {concept: names_of(concept, self.page) for concept in of.concepts.values()}
        if len(self.leaves) < LEAST_NUMBERS and not any(leaf.name for leaf in self.leaves):
            return False
        if not named or any(names.isdisjoint(self.may_be) for names in named.values()):
            return False
        beside = frozenset(name for one in times for name in names_of(one, self.page))
        options = [list(_options(leaf, named, beside)) for leaf in self.leaves]
        ways = _ways(options, frozenset(named), self.leaves)
        return any(self._comes_to(of, way) for way in islice(ways, MOST_WAYS))

    def _comes_to(self, of: Written, way: Sequence[Meaning]) -> bool:
        for point in range(POINTS):
            values = {
                leaf.start: _value(leaf, meaning, point)
                for leaf, meaning in zip(self.leaves, way, strict=True)
            }
            made, wanted = worth(self.node, values), of.at[point]
            if made is None or wanted is None or not math.isclose(made, wanted, rel_tol=CLOSE):
                return False
        return True


def display_of(page: Page, block: Block, node: Node) -> Display | None:
    """A calculation with what its leaves may mean; None where it is none, too long or too large."""
    if not isinstance(node, Operation):
        return None
    node = _folded(node)
    leaves = leaves_of(page, block, node)
    large = any(leaf.value is not None and abs(leaf.value) > LARGEST for leaf in leaves)
    return Display(page, node, leaves) if len(leaves) <= MOST_LEAVES and not large else None


def _folded(node: Node) -> Node:
    """With each power of ten as one number, `10¹²` tokens, and `d // h` as a division."""
    if not isinstance(node, Operation):
        return node
    match node.parts:
        case (Operation("/") as quotient,) if node.sign == "floor":
            return _folded(quotient)
        case (Number() as base, Number() as power) if node.sign == "^" and base.printed[0].value == TEN:
            exponent = power.printed[0].value
            if exponent.denominator == 1 and 0 < exponent < MOST_POWER:
                value = Fraction(TEN) ** int(exponent)
                return replace(base, printed=(Printed(value, Fraction(0)),), end=power.end)
    return Operation(node.sign, tuple(map(_folded, node.parts)))


def _options(
    leaf: Leaf, named: Mapping[str, frozenset[str]], beside: frozenset[str]
) -> Iterator[Meaning]:
    """What a leaf may be in a formula: the likeliest first."""
    for concept, names in named.items():
        if names & leaf.concepts:
            yield concept, 0
        if names & leaf.less:
            yield concept, 1
    if leaf.factor and (leaf.concepts & beside or (leaf.value in UNITS and not leaf.said)):
        yield ASIDE
    if not leaf.said:
        yield ITSELF


def _ways(
    options: Sequence[Sequence[Meaning]], wanted: frozenset[str], leaves: Sequence[Leaf]
) -> Iterator[tuple[Meaning, ...]]:
    """Every way to take the leaves in which all concepts are met, and each letter is one of its own."""
    later = [frozenset[str]()]
    for some in reversed(options):
        later.append(later[-1] | {concept for concept, _ in some})
    later.reverse()

    def go_on(
        place: int, missing: frozenset[str], letters: Mapping[str, Meaning]
    ) -> Iterator[tuple[Meaning, ...]]:
        if not missing <= later[place]:
            return
        if place == len(options):
            yield ()
            return
        name = leaves[place].name
        for one in options[place]:
            taken = letters.get(name)
            if name and (one != taken if taken else one in letters.values() and one != ASIDE):
                continue
            known = {**letters, name: one} if name else letters
            for rest in go_on(place + 1, missing - {one[0]}, known):
                yield (one, *rest)

    yield from go_on(0, wanted, {})


def _value(leaf: Leaf, meaning: Meaning, point: int) -> float:
    if meaning == ITSELF:
        return float(leaf.value or 0)
    return 1.0 if meaning == ASIDE else float(probe(meaning[0], point)) - meaning[1]


def worth(node: Node, values: Mapping[int, float]) -> float | None:
    """What a calculation comes to where its leaves, by where they begin, have these values."""
    if not isinstance(node, Operation):
        return values[node.start]
    parts = [worth(part, values) for part in node.parts]
    made = _SIGNS.get(node.sign)
    if made is None or None in parts:
        return None
    try:
        result = made(*parts)
    except (ArithmeticError, ValueError, TypeError):
        return None
    return result if isinstance(result, int | float) else None
