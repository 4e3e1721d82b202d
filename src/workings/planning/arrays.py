"""The NumPy reading of a plan: its statements over all layouts of a space, as one function.

Statements of few letters are evaluated once for each combination of these letters; the others for
a block of meshes at a time, small enough for the processor's cache. Values are float64 and agree
with the exact reading to about 1e-15 for each operation; ceilings and floors of whole letters do
not suffer from rounding.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from workings.planning.arrays_points import Points
from workings.planning.arrays_program import OPERATIONS, Program
from workings.planning.graph import Graph
from workings.planning.lowering import Lowering
from workings.planning.nodes import Linear
from workings.planning.statement import Plan
from workings.planning.tape import Instruction, Tape

if TYPE_CHECKING:
    from workings.planning.arrays_points import Floats, Ints

BLOCK = 1 << 15  # values in an array of a block: what the second cache holds several of


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
        self.tape = Tape(self.graph, self._snap, points.all_tied)
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
        if tied and 2 * self.points.size(tied) > self.points.count:
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
        few = [step for step in self.tape.steps if not self._of_block(step.slot)]
        last = {slot: step.slot for step in few for slot in step.operands}
        for step in self.tape.steps:
            if self._of_block(step.slot):
                last |= dict.fromkeys(step.operands, -1)
        last |= dict.fromkeys(self.slots.values(), -1)
        for step in few:
            self.values[step.slot] = self._done(step)
            for slot in step.operands:
                if last[slot] == step.slot:  # its memory is quicker to take again than new memory
                    self.values[slot] = None

    def _of_block(self, slot: int) -> bool:
        every = self.points.all_tied
        return bool(every) and self.tape.masks[slot] & every == every

    def _letter(self, slot: int, letter: str, rows: Ints | slice | None) -> Floats:
        for axis in self.points.space.free:
            if letter in axis.letters:
                return self.points.along(axis, letter).astype(np.float64)
        part = self.points.part(self.tape.masks[slot] & self.points.all_tied)
        at = part.first if rows is None else rows
        column = self.points.column(letter, at).astype(np.float64)
        return column.reshape(*(1 for _ in self.points.shape), -1)

    def _done(self, step: Instruction) -> Any:
        if step.operation == "spread":
            into = self.points.part(self.tape.masks[step.slot] & self.points.all_tied)
            return self.values[step.a].take(self.points.part(step.b).of[into.first], -1)
        operate, a = OPERATIONS[step.operation], self.values[step.a]
        return operate(a) if step.b < 0 else operate(a, self.values[step.b])

    def _shape(self, mask: int) -> tuple[int, ...]:
        """The lengths of the free axes, 1 where they are none of a mask's."""
        bits = self.points.free.values()
        return tuple(n if mask & bit else 1 for n, bit in zip(self.points.shape, bits, strict=True))

    # Evaluating

    def block(self, rows: Ints | slice, letters: tuple[str, ...]) -> list[Any]:
        """Some wanted letters at some rows, over the free axes and the rows.

        The arrays are written over when the same letters are next evaluated.
        """
        if letters not in self._programs:
            slots = tuple(self.slots[letter] for letter in letters)
            self._programs[letters] = Program(self.tape, slots, self._of_block, self._shape)
        program, values = self._programs[letters], list(self.values)
        for slot, letter in program.axes:
            values[slot] = self._letter(slot, letter, rows)
        count = rows.stop - rows.start if isinstance(rows, slice) else len(rows)
        program.run(values, count, {mask: self.points.part(mask).of[rows] for mask in program.parts})
        return [self._spread(values[slot], slot, rows) for slot in program.slots]

    def _spread(self, value: Any, slot: int, rows: Ints | slice) -> Any:
        """A wanted value at some rows, in an array of its own."""
        if self._of_block(slot):
            return value
        tied = self.tape.masks[slot] & self.points.all_tied
        return np.take(value, self.points.part(tied).of[rows], axis=-1) if tied else np.array(value)

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
