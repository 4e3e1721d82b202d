"""The NumPy reading of a plan: its statements over all layouts of a space, as one function.

Statements of few letters are evaluated once for each combination of these letters; the others for
a block of meshes at a time, small enough for the processor's cache. Values are float64 and agree
with the exact reading to about 1e-15 for each operation; ceilings and floors of whole letters do
not suffer from rounding.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from workings.planning.arrays_points import Points
from workings.planning.graph import Graph, Linear
from workings.planning.lowering import NEARLY, Lowering
from workings.planning.statement import Plan
from workings.planning.tape import COMMUTE, Step, Tape

if TYPE_CHECKING:
    from workings.planning.arrays_points import Floats, Ints

BLOCK = 1 << 15  # values in an array of a block: what the second cache holds several of


def _whole(values: Floats) -> Floats:
    """The values, those that are whole but for rounding made whole."""
    near = np.rint(values)
    return np.where(np.abs(values - near) <= NEARLY * np.maximum(1, np.abs(near)), near, values)


OPERATIONS: Mapping[str, Any] = {
    "add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": np.divide,
    "maximum": np.maximum, "minimum": np.minimum, "negative": np.negative, "sqrt": np.sqrt,
    "log2": np.log2, "floor": lambda x: np.floor(_whole(x)), "ceil": lambda x: np.ceil(_whole(x)),
}  # fmt: skip
INTO = {"add", "subtract", "multiply", "divide", "maximum", "minimum"}


class Program(NamedTuple):
    """What a block does for some letters: their slots, letters to fill in, and steps to take."""

    slots: tuple[int, ...]
    axes: list[tuple[int, str]]
    steps: list[tuple[Any, int, int, int, bool]]


class Reading:
    """Some letters of a plan at every layout of a space."""

    def __init__(
        self, plan: Plan, given: Mapping[str, Fraction], points: Points, wanted: Sequence[str]
    ) -> None:
        self.points = points
        self.graph = Graph(points.size)
        searched = dict(self._searched())
        fixed = {name: value for name, value in given.items() if name not in searched}
        values = Lowering(plan, self.graph, searched, fixed).wanted(wanted)
        self.tape = Tape(self.graph, self._snap)
        self.tape.graph_tied = points.all_tied
        self.slots = {letter: self.tape.value(values[letter]) for letter in wanted}
        self._programs: dict[tuple[str, ...], Program] = {}
        self._prepare()

    def _searched(self) -> Iterator[tuple[str, Linear]]:
        points = self.points
        masks = {**points.tied, **points.free}
        for axis in (*points.space.tied, *points.space.free):
            for place, letter in enumerate(axis.letters):
                if axis.name in masks:
                    values = [value[place] for value in axis.values]
                    yield letter, self.graph.axis(letter, masks[axis.name], values)
                else:
                    index = int(points.rows[axis.name][0]) if axis.name in points.rows else 0
                    yield letter, Linear(float(axis.values[index][place]))

    def _snap(self, mask: int) -> int:
        """Axes of more than half of the meshes are all axes."""
        tied = mask & self.points.all_tied
        if tied and 2 * len(self.points.part(tied).first) > self.points.count:
            return mask | self.points.all_tied
        return mask

    # Compiling

    def _prepare(self) -> None:
        """Evaluate what few meshes need."""
        every = self.points.all_tied
        self.values: list[Any] = [None] * len(self.tape.masks)
        for slot, number in self.tape.numbers.items():
            self.values[slot] = number
        for slot, letter in self.tape.axes.items():
            if self.tape.masks[slot] & every != every or not every:
                self.values[slot] = self._letter(slot, letter, None)
        for step in self.tape.steps:
            if not self._of_block(step.slot):
                self.values[step.slot] = self._done(step)

    def _of_block(self, slot: int) -> bool:
        every = self.points.all_tied
        return bool(every) and self.tape.masks[slot] & every == every

    def _letter(self, slot: int, letter: str, rows: Ints | slice | None) -> Floats:
        for axis in self.points.space.free:
            if letter in axis.letters:
                return self.points.along(axis, letter).astype(np.float64)
        part = self.points.part(self.tape.masks[slot] & self.points.all_tied)
        at = part.first if rows is None else rows
        return self.points.column(letter, at).astype(np.float64)

    def _done(self, step: Step) -> Any:
        if step.operation == "spread":
            into = self.points.part(self.tape.masks[step.slot] & self.points.all_tied)
            of = self.points.part(step.b).of[into.first]
            return np.take(self.values[step.a], of, axis=-1)
        return OPERATIONS[step.operation](*(self.values[slot] for slot in step.operands))

    def _program(self, letters: tuple[str, ...]) -> Program:
        """The steps of a block that some letters need, and those whose first operand ends there."""
        slots = [self.slots[letter] for letter in letters]
        steps = list(self._needed(slots))
        last = {slot: place for place, step in enumerate(steps) for slot in step.operands}
        last |= dict.fromkeys(slots, len(steps))
        axes = [(slot, letter) for slot, letter in self.tape.axes.items()
                if self._of_block(slot) and slot in last]  # fmt: skip
        program = Program(tuple(slots), axes, [])
        for place, step in enumerate(steps):
            a, b = step.a, step.b
            if step.operation in COMMUTE and self._ends(b, step, last[b] == place):
                a, b = b, a
            into = step.operation in INTO and self._ends(a, step, last[a] == place)
            program.steps.append((OPERATIONS.get(step.operation), step.slot, a, b, into))
        return program

    def _needed(self, slots: Sequence[int]) -> Iterator[Step]:
        needed, found = set(slots), list[Step]()
        for step in reversed(self.tape.steps):
            if step.slot in needed and self._of_block(step.slot):
                needed.update(step.operands)
                found.append(step)
        return reversed(found)

    def _ends(self, slot: int, step: Step, last: bool) -> bool:
        """Whether a step may write over an operand: nobody needs it later, and it is as large."""
        alike = self.tape.masks[slot] == self.tape.masks[step.slot]
        return alike and last and slot not in self.tape.axes

    # Evaluating

    def block(self, rows: Ints | slice, letters: tuple[str, ...]) -> list[Any]:
        """Some wanted letters at some rows, over the free axes and the rows."""
        if letters not in self._programs:
            self._programs[letters] = self._program(letters)
        program, values = self._programs[letters], list(self.values)
        for slot, letter in program.axes:
            values[slot] = self._letter(slot, letter, rows)
        for function, slot, a, b, into in program.steps:
            if function is None:
                values[slot] = values[a].take(self.points.part(b).of[rows], axis=-1)
            elif b < 0:
                values[slot] = function(values[a])
            elif into:
                values[slot] = function(values[a], values[b], out=values[a])
            else:
                values[slot] = function(values[a], values[b])
        return [self._spread(values[slot], slot, rows) for slot in program.slots]

    def _spread(self, value: Any, slot: int, rows: Ints | slice) -> Any:
        tied = self.tape.masks[slot] & self.points.all_tied
        if tied and tied != self.points.all_tied:
            value = np.take(value, self.points.part(tied).of[rows], axis=-1)
        return value

    def blocks(self) -> Iterator[slice]:
        """All rows, a block at a time."""
        per_row = int(np.prod(self.points.shape))
        step = max(1, BLOCK // per_row)
        for start in range(0, self.points.count, step):
            yield slice(start, min(self.points.count, start + step))


def over(
    plan: Plan, given: Mapping[str, Fraction], points: Points, wanted: Iterable[str]
) -> dict[str, Floats]:
    """The values of letters at every layout, over the free axes and the rows of a space."""
    letters = tuple(wanted)
    reading = Reading(plan, given, points, letters)
    shape = (*points.shape, points.count)
    found = {letter: np.empty(shape) for letter in letters}
    for rows in reading.blocks():
        for letter, value in zip(letters, reading.block(rows, letters), strict=True):
            found[letter][..., rows] = value
    return found
