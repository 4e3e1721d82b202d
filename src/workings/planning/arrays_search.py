"""Goes through all layouts of a space, a block at a time: memory first, then time where it fits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from operator import add
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workings.planning.arrays import Reading
from workings.planning.arrays_front import Front
from workings.planning.arrays_points import Points
from workings.planning.pareto import figures

if TYPE_CHECKING:
    from workings.planning.arrays_points import Bools, Floats, Ints

MOST_KEPT = 0.9  # where more of a block's meshes fit, leaving out the others costs more than it saves
EQUAL = 1e-9  # values that differ by less than this share are equal here: rounding is far below it

Progress = Callable[[int, int], None]


class Scored(NamedTuple):
    """A layout: its row, its place along every free axis, and what it comes to, as floats."""

    row: int
    places: tuple[int, ...]
    value: float
    memory: float


class Tally(NamedTuple):
    """How many layouts fulfil the constraints, fit, and had memory and time both evaluated.

    `pruned` ones have no time, because nothing of their mesh fits.
    """

    valid: int = 0
    fitting: int = 0
    evaluated: int = 0
    pruned: int = 0


class Sweep:
    """One pass over a space, for M and the letter `value`; the least of `value` is the best.

    With `by_memory` the least of M is, and `value` decides between equals. Layouts fit whose M is
    `limit` at most, and count whose `value` is `slowest` at most. `late` is what values of layouts with
    whole and with sharded gradients are multiplied with before they are compared.
    """

    def __init__(
        self, reading: Reading, value: str, limit: float, *, slowest: float = np.inf,
        by_memory: bool = False, late: Sequence[Fraction] = (Fraction(1), Fraction(1)),
    ) -> None:  # fmt: skip
        self.reading, self.value, self.by_memory = reading, value, by_memory
        self.points: Points = reading.points
        self.limit, self.slowest = limit * (1 + EQUAL), slowest * (1 + EQUAL)
        self.tally, self.front = Tally(), Front()
        self._late = self._by_sharding(*map(float, late))
        self._rows: list[Ints] = []
        self._least: list[Floats] = []

    def run(self, progress: Progress | None = None) -> bool:
        """Go through all blocks; False where Ctrl-C ended it early."""
        try:
            for rows in self.reading.blocks():
                self._block(rows)
                if progress is not None:
                    progress(rows.stop, self.points.count)
        except KeyboardInterrupt:
            return False
        return True

    def _block(self, rows: slice) -> None:
        allowed, memory = self._memory(rows, rows.stop - rows.start)
        fits = allowed & (memory <= self.limit)
        kept = np.flatnonzero(fits.any(axis=0))
        self._count(allowed, fits, kept)
        if not len(kept):
            return
        if len(kept) < MOST_KEPT * (rows.stop - rows.start):
            fits, memory, chosen = fits[:, kept], memory[:, kept], kept + rows.start
        else:
            chosen = np.arange(rows.start, rows.stop)
        value = self._value(chosen)
        fits &= value <= self.slowest
        value[~fits] = np.inf
        least = np.where(fits, memory, np.inf) if self.by_memory else value * self._late
        self._rows.append(chosen)
        self._least.append(least.min(axis=0))
        self.front.take(value, memory, chosen)

    def _memory(self, rows: Ints | slice, count: int) -> tuple[Bools, Floats]:
        """Where the switches may be at what they are, and M; the free axes in one."""
        shape = (*self.points.shape, count)
        allowed = np.ones(shape, dtype=bool)
        for constraint in self.points.space.switches:
            allowed &= self.points.allowed(constraint, rows)
        memory = np.broadcast_to(self.reading.block(rows, ("M",))[0], shape)
        return allowed.reshape(-1, count), memory.reshape(-1, count)

    def _value(self, rows: Ints) -> Floats:
        """The value at some rows, the free axes in one; ours to write on until the next block."""
        shape = (*self.points.shape, len(rows))
        found: Floats = self.reading.block(rows, (self.value,))[0]
        if np.shape(found) != shape:
            found = np.broadcast_to(found, shape).copy()
        return found.reshape(-1, len(rows))

    def _by_sharding(self, whole: float, sharded: float) -> Floats:
        """One of two factors for each place of the free axes, as a column."""
        points = self.points
        axis = next(axis for axis in points.space.free if "z_2" in axis.letters)
        factors = np.where(points.along(axis, "z_2"), sharded, whole)
        return np.broadcast_to(factors, (*points.shape, 1)).reshape(-1, 1)

    def _count(self, allowed: Bools, fits: Bools, kept: Ints) -> None:
        by_row = np.count_nonzero(allowed, axis=0)
        valid, evaluated = int(by_row.sum()), int(by_row[kept].sum())
        counts = valid, int(np.count_nonzero(fits)), evaluated, valid - evaluated
        self.tally = Tally(*map(add, self.tally, counts))

    # What was found

    def best(self, number: int, alike: Sequence[str]) -> list[Scored]:
        """The best layouts, one for each combination of the letters in `alike`; all, if it is empty.

        Equal ones come in the order of memory (or `value`), then of the axes.
        """
        if not self._rows:
            return []
        rows, least = np.concatenate(self._rows), np.concatenate(self._least)
        kinds = self._kinds(rows, alike)
        at_best = np.full(int(kinds.max()) + 1, np.inf)
        np.minimum.at(at_best, kinds, least)
        place = min(number, len(at_best)) - 1
        last = float(np.partition(at_best, place)[place]) * (1 + EQUAL)
        own = at_best[kinds] if alike else last
        near = np.flatnonzero((least <= own * (1 + EQUAL)) & (least <= last))
        found: dict[object, Scored] = {}
        for one in sorted(self._places(rows[near], last), key=self._order):
            kind = kinds[np.searchsorted(rows, one.row)] if alike else one[:2]
            found.setdefault(kind, one)
        return list(found.values())[:number]

    def _kinds(self, rows: Ints, alike: Sequence[str]) -> Ints:
        mask = 0
        for letter in alike:
            mask |= self.points.tied.get(letter, 0)
        if not alike:
            return np.arange(len(rows))
        return self.points.part(mask).of[rows] if mask else np.zeros(len(rows), dtype=np.int64)

    def _places(self, rows: Ints, last: float) -> Iterator[Scored]:
        """The layouts of some rows that are no worse than the last one wanted."""
        allowed, memory = self._memory(rows, len(rows))
        value = self._value(rows)
        fits = allowed & (memory <= self.limit) & (value <= self.slowest)
        value = value * self._late
        near = fits & ((memory if self.by_memory else value) <= last)
        for place, i in np.argwhere(near):
            yield Scored(
                int(rows[i]), self._unfolded(place), float(value[place, i]), float(memory[place, i])
            )

    def _unfolded(self, place: int) -> tuple[int, ...]:
        shape = self.points.shape
        return tuple(int(i) for i in np.unravel_index(int(place), shape)) if shape else ()

    def _order(self, place: Scored) -> tuple[float, float, int, tuple[int, ...]]:
        """What is to be least and the other, both to nine figures, then the order of the axes."""
        both = (figures(place.value), figures(place.memory))
        first, second = both[::-1] if self.by_memory else both
        return first, second, place.row, place.places

    def front_layouts(self) -> Iterator[tuple[dict[str, int], float, float]]:
        """The layouts of the front, with memory and value."""
        front = self.front
        for row, place, *both in zip(front.row, front.place, front.memory, front.value, strict=True):
            memory, value = map(float, both)
            yield self.points.layout(int(row), self._unfolded(int(place))), memory, value
