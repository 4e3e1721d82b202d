"""The operations of a block of meshes, each with the array that it writes to.

A block's arrays are used again and again: asking for fresh memory at every operation costs more than
the operations themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from workings.planning.lowering import NEARLY
from workings.planning.tape import Instruction, Tape

if TYPE_CHECKING:
    from workings.planning.arrays_points import Floats, Ints


def _whole(values: Floats) -> Floats:
    """The values, those that are whole but for rounding made whole."""
    near = np.rint(values)
    return np.where(np.abs(values - near) <= NEARLY * np.maximum(1, np.abs(near)), near, values)


OPERATIONS: Mapping[str, Any] = {
    "add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": np.divide,
    "maximum": np.maximum, "minimum": np.minimum, "negative": np.negative, "sqrt": np.sqrt,
    "log2": np.log2,
    "floor": lambda values, out=None: np.floor(_whole(values), out=out),
    "ceil": lambda values, out=None: np.ceil(_whole(values), out=out),
}  # fmt: skip


class Program:
    """What a block does for the slots of some letters: letters to fill in, and steps to take."""

    def __init__(
        self,
        tape: Tape,
        slots: tuple[int, ...],
        of_block: Callable[[int], bool],
        shape: Callable[[int], tuple[int, ...]],
    ) -> None:
        self.slots = slots
        steps = list(_needed(tape.steps, slots, of_block))
        self.parts = {step.b for step in steps if step.operation == "spread"}
        read = {slot for step in steps for slot in step.operands} | set(slots)
        self.axes = [
            (slot, letter) for slot, letter in tape.axes.items() if of_block(slot) and slot in read
        ]
        self._shapes: list[tuple[int, ...]] = []
        self._steps = list(self._placed(steps, [shape(tape.masks[step.slot]) for step in steps]))
        self._memory: list[Floats] = []
        self._buffers: list[Floats] = []
        self._count = -1

    def run(self, values: list[Any], count: int, of: Mapping[int, Ints]) -> None:
        """Do the steps for so many rows; `of` says where these are in the parts of the space."""
        buffers = self._at(count)
        for function, slot, a, b, place in self._steps:
            if function is None:
                values[slot] = values[a].take(of[b], -1, buffers[place], "clip")
            elif b < 0:
                values[slot] = function(values[a], out=buffers[place])
            else:
                values[slot] = function(values[a], values[b], out=buffers[place])

    def _placed(
        self, steps: Sequence[Instruction], shapes: Sequence[tuple[int, ...]]
    ) -> Iterator[tuple[Any, int, int, int, int]]:
        """Every step with its function and its array: one that holds nothing needed any more."""
        last = {slot: place for place, step in enumerate(steps) for slot in step.operands}
        last |= dict.fromkeys(self.slots, len(steps))
        held, free = dict[int, int](), dict[tuple[int, ...], list[int]]()
        for place, (step, shape) in enumerate(zip(steps, shapes, strict=True)):
            done = [slot for slot in set(step.operands) if slot in held and last[slot] == place]
            late = step.operation in ("spread", "floor", "ceil")  # these do not read as they write
            if not late:
                _release(done, held, free, self._shapes)
            if not free.get(shape):
                self._shapes.append(shape)
                free[shape] = [len(self._shapes) - 1]
            held[step.slot] = free[shape].pop()
            if late:
                _release(done, held, free, self._shapes)
            function = OPERATIONS.get(step.operation)
            yield function, step.slot, step.a, step.b, held[step.slot]

    def _at(self, count: int) -> list[Floats]:
        """The arrays for so many rows."""
        if count != self._count:
            sizes = [prod(shape) * count for shape in self._shapes]
            if not self._memory or len(self._memory[0]) < sizes[0]:
                self._memory = [np.empty(size) for size in sizes]
            self._buffers = [
                memory[:size].reshape(*shape, count)
                for memory, size, shape in zip(self._memory, sizes, self._shapes, strict=True)
            ]
            self._count = count
        return self._buffers


def _needed(
    steps: Sequence[Instruction], slots: Sequence[int], of_block: Callable[[int], bool]
) -> Iterator[Instruction]:
    """The steps of a block that some slots rest on, in order."""
    needed, found = set(slots), list[Instruction]()
    for step in reversed(steps):
        if step.slot in needed and of_block(step.slot):
            needed.update(step.operands)
            found.append(step)
    return reversed(found)


def _release(
    slots: Sequence[int],
    held: dict[int, int],
    free: dict[tuple[int, ...], list[int]],
    shapes: Sequence[tuple[int, ...]],
) -> None:
    """Give back the arrays of slots that nothing needs any more."""
    for slot in slots:
        buffer = held.pop(slot)
        free.setdefault(shapes[buffer], []).append(buffer)
