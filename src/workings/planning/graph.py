"""Formulas as sums of products, each part known by the axes that it depends on.

A search evaluates a formula at very many layouts. What costs time there are the operations whose
result differs at every layout, so constants are folded, equal parts are found once, and a
sum or product is taken apart wherever its parts depend on fewer axes than the whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import inf, prod
from typing import Any

from workings.formula import DoesNotEvaluateError
from workings.planning.nodes import Linear, Node, inverse, times

MANY = 2_000  # points from which it pays to look for what an operation could do without
ROUNDING = 1e-14  # a difference of coefficients below this share is none
MOST_EXACT = 2.0**53  # whole numbers up to this have a float of their own
NOTHING = Linear()


class Graph:
    """The nodes of some formulas; `size` says at how many points a set of axes is evaluated."""

    def __init__(self, size: Callable[[int], int]) -> None:
        self.nodes: list[Node] = []
        self.size = size
        self._ids: dict[tuple[str, tuple[Any, ...]], int] = {}

    def node(self, kind: str, parts: tuple[Any, ...], build: Callable[[], Node]) -> int:
        """The number of a node; an equal one is not made twice."""
        key = (kind, parts)
        found = self._ids.get(key)
        if found is None:
            self.nodes.append(build())
            found = self._ids[key] = len(self.nodes) - 1
        return found

    def axis(self, letter: str, mask: int, values: Sequence[int]) -> Linear:
        """A letter that is searched."""
        low, high = float(min(values)), float(max(values))
        return _one(self.node("axis", (letter,), lambda: Node("axis", (letter,), mask, True, low, high)))

    def mask(self, value: Linear) -> int:
        """The axes of a sum."""
        found = 0
        for node, _ in value.terms:
            found |= self.nodes[node].mask
        return found

    def counts(self, value: Linear) -> bool:
        """Whether only whole letters stand in a sum."""
        return all(self.nodes[node].counts for node, _ in value.terms)

    def bounds(self, value: Linear) -> tuple[float, float]:
        """Bounds of a sum, each term for itself."""
        low = high = value.constant
        for number, factor in value.terms:
            node = self.nodes[number]
            low += factor * (node.low if factor > 0 else node.high)
            high += factor * (node.high if factor > 0 else node.low)
        return low, high

    def opens(self, value: Linear) -> bool:
        """Whether the terms span far fewer points than their sum, so that it pays to add them late."""
        masks = [self.nodes[node].mask for node, _ in value.terms]
        return _pays(self.size, _grouped(masks), self.mask(value))

    # Sums

    def add(self, values: Iterable[tuple[float, Linear]]) -> Linear:
        """A sum of multiples."""
        constant, terms = 0.0, dict[int, float]()
        for factor, value in values:
            constant += factor * value.constant
            for node, coefficient in value.terms:
                terms[node] = terms.get(node, 0.0) + factor * coefficient
        return Linear(constant, tuple(sorted((n, c) for n, c in terms.items() if c)))

    def scaled(self, factor: float, value: Linear) -> Linear:
        """A multiple; a sum whose terms need all its axes is added first and multiplied once."""
        if len(value.terms) + bool(value.constant) > 1 and factor not in (0, 1) and not self.opens(value):
            return _one(self.whole(value), factor)
        return self.add([(factor, value)])

    def whole(self, value: Linear) -> int:
        """The node of a sum."""
        if not value.constant and len(value.terms) == 1 and value.terms[0][1] == 1:
            return value.terms[0][0]
        mask, counts, (low, high) = self.mask(value), self.counts(value), self.bounds(value)
        return self.node("sum", value, lambda: Node("sum", value, mask, counts, low, high))

    def referred(self, value: Linear) -> Linear:
        """A statement's value where another uses it: added once, unless it pays to add it late."""
        if len(value.terms) + bool(value.constant) < 2 or self.opens(value):
            return value
        return _one(self.whole(value))

    # Products

    def product(self, above: Sequence[Linear], below: Sequence[Linear] = ()) -> Linear:
        """Factors over divisors. Raises DoesNotEvaluateError where a divisor is nothing."""
        if NOTHING in below:
            raise DoesNotEvaluateError("division by zero")
        if NOTHING in above:
            return NOTHING
        sums = [value for value in above if len(value.terms) > 1]
        if len(sums) == 1 and self._late(sums[0], [*above, *below]):
            others = [value for value in above if value is not sums[0]]
            parts = [Linear(sums[0].constant), *(Linear(0.0, (term,)) for term in sums[0].terms)]
            return self.add((1.0, self.product([*others, part], below)) for part in parts if any(part))
        varying = [value for value in above if value.terms]
        if len(varying) == 1 and not any(value.terms for value in below):
            up, down = prod(v.constant for v in above if not v.terms), prod(v.constant for v in below)
            if down == 1 or not self.counts(varying[0]):
                return self.scaled(up / down, varying[0])
        return self._product(above, below)

    def _late(self, value: Linear, factors: Sequence[Linear]) -> bool:
        """Whether to multiply each term rather than their sum."""
        other = 0
        for factor in factors:
            other |= 0 if factor is value else self.mask(factor)
        masks = [self.nodes[node].mask | other for node, _ in value.terms]
        return _pays(self.size, _grouped(masks), self.mask(value) | other)

    def _product(self, above: Sequence[Linear], below: Sequence[Linear]) -> Linear:
        top, bottom = list[int](), list[int]()
        up = prod((self._factor(value, top, bottom) for value in above), start=1.0)
        down = prod((self._factor(value, bottom, top) for value in below), start=1.0)
        for node in tuple(top):
            if node in bottom:
                top.remove(node)
                bottom.remove(node)
        exact = all(self.nodes[node].counts for node in (*top, *bottom)) and _exact(up) and _exact(down)
        if not top and not bottom:
            return Linear(up / down)
        if not bottom and len(top) == 1 and not (exact and down != 1):
            return _one(top[0], up / down)
        inside, outside = ((up, down), 1.0) if exact else ((1.0, 1.0), up / down)
        return _one(self._product_node(inside, tuple(sorted(top)), tuple(sorted(bottom))), outside)

    def _factor(self, value: Linear, here: list[int], there: list[int]) -> float:
        """Put a factor among the others, in its parts where these depend on fewer axes."""
        if not value.terms:
            return value.constant
        single = not value.constant and len(value.terms) == 1
        number, factor = value.terms[0] if single else (self.whole(value), 1.0)
        node = self.nodes[number]
        if node.kind == "product" and not node.counts:
            _, top, bottom = node.parts
            masks = [self.nodes[n].mask for n in (*top, *bottom)]
            if _pays(self.size, _grouped(masks), node.mask):
                here += top
                there += bottom
                return factor
        here.append(number)
        return factor

    def _product_node(
        self, factor: tuple[float, float], top: tuple[int, ...], bottom: tuple[int, ...]
    ) -> int:
        nodes = [self.nodes[n] for n in (*top, *bottom)]
        parts, mask = (factor, top, bottom), 0
        low = high = factor[0] / factor[1]
        for place, part in enumerate(nodes):
            mask |= part.mask
            ends = (part.low, part.high) if place < len(top) else inverse(part.low, part.high)
            low, high = times((low, high), ends)
        counts = all(part.counts for part in nodes)
        return self.node("product", parts, lambda: Node("product", parts, mask, counts, low, high))

    # Functions

    def largest(self, kind: str, values: Sequence[Linear]) -> Linear:
        """max or min, without those that can never be the one."""
        kept = list(dict.fromkeys(part for value in values for part in self._inside(kind, value)))
        mask = 0
        for value in kept:
            mask |= self.mask(value)
        if self.size(mask) >= MANY or not mask:
            kept = self._contenders(kept, 1.0 if kind == "max" else -1.0)
        if len(kept) == 1:
            return kept[0]
        bounds, parts = [self.bounds(value) for value in kept], tuple(kept)
        choose: Callable[[Iterable[float]], float] = max if kind == "max" else min
        low, high = choose(b[0] for b in bounds), choose(b[1] for b in bounds)
        counts = all(self.counts(value) for value in kept)
        return _one(self.node(kind, parts, lambda: Node(kind, parts, mask, counts, low, high)))

    def _contenders(self, values: Sequence[Linear], sign: float) -> list[Linear]:
        """The values that no other one is certainly above (below, with the sign -1)."""
        kept = list(values)
        for value in values:
            if any(other != value and self._never_below(other, value, sign) for other in kept):
                kept.remove(value)
        return kept

    def _never_below(self, one: Linear, other: Linear, sign: float) -> bool:
        """Whether a value is certainly at least another, or with the sign -1 at most."""
        difference = self.add([(sign, one), (-sign, other)])
        sizes = {node: abs(factor) for node, factor in (*one.terms, *other.terms)}
        terms = tuple(term for term in difference.terms if abs(term[1]) > ROUNDING * sizes[term[0]])
        return self.bounds(Linear(difference.constant, terms))[0] >= 0

    def _inside(self, kind: str, value: Linear) -> tuple[Linear, ...]:
        if not value.constant and len(value.terms) == 1 and value.terms[0][1] == 1:
            node = self.nodes[value.terms[0][0]]
            if node.kind == kind:
                return node.parts
        return (value,)

    def applied(self, kind: str, value: Linear, function: Callable[[float], float]) -> Linear:
        """A function of one argument that never falls, such as floor or sqrt."""
        low, high = self.bounds(value)
        known = 0 < low <= high < inf  # and the function has a value there
        ends = (float(function(low)), float(function(high))) if known else (-inf, inf)
        mask, counts = self.mask(value), kind in ("floor", "ceil")
        return _one(self.node(kind, (value,), lambda: Node(kind, (value,), mask, counts, *ends)))


def _one(node: int, factor: float = 1.0) -> Linear:
    return Linear(0.0, ((node, factor),))


def _grouped(masks: Iterable[int]) -> Mapping[int, None]:
    return dict.fromkeys(masks)


def _pays(size: Callable[[int], int], groups: Mapping[int, None], mask: int) -> bool:
    """Whether each group is evaluated at no more than half of the points of all."""
    return len(groups) > 1 and 2 * max(size(group) for group in groups) <= size(mask)


def _exact(value: float) -> bool:
    return value.is_integer() and abs(value) < MOST_EXACT
