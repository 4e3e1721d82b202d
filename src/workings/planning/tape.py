"""A graph as a list of operations on two values each, those of few points first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from workings.planning.graph import Graph
from workings.planning.nodes import Linear

COMMUTE = {"add", "multiply", "maximum", "minimum"}
EXTREMES = {"max": "maximum", "min": "minimum"}


class Instruction(NamedTuple):
    """`slot = operation(a, b)`; `b` is -1 where there is one operand, or the mask to spread to."""

    operation: str
    slot: int
    a: int
    b: int

    @property
    def operands(self) -> tuple[int, ...]:
        """The slots that it reads."""
        return (self.a,) if self.b < 0 or self.operation == "spread" else (self.a, self.b)


class Item(NamedTuple):
    """A partial result: its slot, its axes, and whether it is subtracted or divided by."""

    slot: int
    mask: int
    inverse: bool = False


class Tape:
    """Operations in an order in which they can be done.

    `snap` gives the axes at which something of some axes is really evaluated: a formula that needs
    more than half of all meshes is evaluated at all of them. `tied` are the axes of meshes.
    """

    def __init__(self, graph: Graph, snap: Callable[[int], int], tied: int) -> None:
        self.graph, self.snap, self.tied = graph, snap, tied
        self.steps: list[Instruction] = []
        self.masks: list[int] = []
        self.numbers: dict[int, float] = {}  # slots that hold a constant
        self.axes: dict[int, str] = {}  # slots that hold a letter
        self._slots: dict[object, int] = {}

    def value(self, value: Linear) -> int:
        """The slot of a sum, evaluated group by group."""
        return self._kept(value, lambda: self._sum(value))

    def _kept(self, key: object, build: Callable[[], int]) -> int:
        if key not in self._slots:
            self._slots[key] = build()
        return self._slots[key]

    def _new(self, mask: int) -> int:
        self.masks.append(mask)
        return len(self.masks) - 1

    def number(self, value: float) -> int:
        """The slot of a constant."""

        def build() -> int:
            slot = self._new(0)
            self.numbers[slot] = value
            return slot

        return self._kept(value, build)

    def step(self, operation: str, a: int, b: int = -1) -> int:
        """Do an operation once, at the axes of both of its operands."""
        mask = self.snap(self.masks[a] | (self.masks[b] if b >= 0 else 0))
        a, b = self._spread(a, mask), b if b < 0 else self._spread(b, mask)
        if operation in COMMUTE and a > b:
            a, b = b, a
        key = (operation, a, b)
        if key not in self._slots:
            self._slots[key] = slot = self._new(mask)
            self.steps.append(Instruction(operation, slot, a, b))
        return self._slots[key]

    def _spread(self, slot: int, mask: int) -> int:
        """The same values at the meshes of a larger set of axes."""
        tied, own = self.tied & mask, self.tied & self.masks[slot]
        if not own or own == tied:
            return slot

        def build() -> int:
            spread = self._new(tied | self.masks[slot])
            self.steps.append(Instruction("spread", spread, slot, own))
            return spread

        return self._kept(("spread", slot, tied), build)

    def node(self, number: int, factor: float = 1.0) -> int:
        """The slot of a node, times a positive factor."""
        return self._kept((number, factor), lambda: self._node(number, factor))

    def _node(self, number: int, factor: float) -> int:
        node = self.graph.nodes[number]
        if node.kind == "product" and not node.counts:
            return self._product(number, factor)
        if factor != 1:
            return self.step("multiply", self.node(number), self.number(factor))
        match node.kind:
            case "axis":
                slot = self._new(node.mask)
                self.axes[slot] = node.parts[0]
                return slot
            case "sum":
                return self.value(Linear(*node.parts))
            case "product":
                return self._ratio(number)
            case "max" | "min":
                operation = EXTREMES[node.kind]
                items = [Item(slot, self.masks[slot]) for slot in map(self.value, node.parts)]
                return self._paired(
                    items, lambda x, y: self._at(self.step(operation, x.slot, y.slot))
                ).slot
        return self.step(node.kind, self.value(node.parts[0]))

    # Sums: terms of the same axes and coefficient first, then what spans the fewest points.

    def _sum(self, value: Linear) -> int:
        alike: dict[tuple[int, float], list[tuple[int, bool]]] = {}
        for node, factor in value.terms:
            kind = self.graph.nodes[node]
            outside = abs(factor) if kind.kind != "product" or kind.counts else 1.0
            inside = abs(factor) / outside
            slot = self.node(node, inside)
            alike.setdefault((self.masks[slot], outside), []).append((slot, factor < 0))
        items = [self._alike(factor, members) for (_, factor), members in alike.items()]
        if value.constant:
            items.append(Item(self.number(abs(value.constant)), 0, value.constant < 0))
        if not items:
            return self.number(0.0)
        found = self._paired(items, self._added)
        return self.step("negative", found.slot) if found.inverse else found.slot

    def _alike(self, factor: float, members: Sequence[tuple[int, bool]]) -> Item:
        found = self._paired([Item(s, self.masks[s], minus) for s, minus in members], self._added)
        if factor == 1:
            return found
        slot = self.step("multiply", found.slot, self.number(factor))
        return Item(slot, self.masks[slot], found.inverse)

    def _added(self, x: Item, y: Item) -> Item:
        if x.inverse == y.inverse:
            return Item(self.step("add", x.slot, y.slot), 0, x.inverse)
        plus, minus = (y, x) if x.inverse else (x, y)
        return Item(self.step("subtract", plus.slot, minus.slot), 0)

    # Products

    def _product(self, number: int, factor: float) -> int:
        _, top, bottom = self.graph.nodes[number].parts
        items = [self._item(n, False) for n in top] + [self._item(n, True) for n in bottom]
        if factor != 1:  # where it meets the fewest points
            smallest = min(items, key=lambda item: self.graph.size(item.mask))
            items[items.index(smallest)] = self._multiplied(Item(self.number(factor), 0), smallest)
        found = self._paired(items, self._multiplied)
        one = Item(self.number(1.0), 0)
        return self._multiplied(one, found).slot if found.inverse else found.slot

    def _item(self, number: int, inverse: bool) -> Item:
        slot = self.node(number)
        return Item(slot, self.masks[slot], inverse)

    def _multiplied(self, x: Item, y: Item) -> Item:
        if x.inverse == y.inverse:
            return self._at(self.step("multiply", x.slot, y.slot), x.inverse)
        above, below = (y, x) if x.inverse else (x, y)
        return self._at(self.step("divide", above.slot, below.slot))

    def _at(self, slot: int, inverse: bool = False) -> Item:
        return Item(slot, self.masks[slot], inverse)

    def _ratio(self, number: int) -> int:
        """Whole numbers over whole numbers, divided once, so that a whole result is exact."""
        factor, top, bottom = self.graph.nodes[number].parts
        sides = []
        for nodes, constant in ((top, factor[0]), (bottom, factor[1])):
            items = [self._item(n, False) for n in nodes]
            if constant != 1 or not items:
                items.append(Item(self.number(constant), 0))
            sides.append(self._paired(items, self._multiplied).slot)
        above, below = sides
        return above if self.numbers.get(below) == 1 else self.step("divide", above, below)

    def _paired(self, items: Sequence[Item], join: Callable[[Item, Item], Item]) -> Item:
        """Join two at a time, those first that together span the fewest points."""
        if len(items) == 1:
            return items[0]
        left = list(items)
        while len(left) > 2:
            pairs = ((i, j) for j in range(len(left)) for i in range(j))
            i, j = min(pairs, key=lambda ij: self.graph.size(left[ij[0]].mask | left[ij[1]].mask))
            right = left.pop(j)
            joined = join(left.pop(i), right)
            left.append(joined._replace(mask=self.masks[joined.slot]))
        return join(*left)
