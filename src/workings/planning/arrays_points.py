"""The layouts of a space as columns of indices, and what they come to on fewer letters.

Constraints tie the letters of a mesh to each other, so most of the product of their axes is no
layout. The valid ones are listed, and a formula of few letters is evaluated once for each
combination of these letters that occurs among them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from workings.planning.constraint import Constraint
from workings.planning.job import JobError
from workings.planning.space import Axis, Space

if TYPE_CHECKING:  # what annotations need is slow to load
    import numpy.typing as npt

    Ints: TypeAlias = npt.NDArray[np.int64]
    Floats: TypeAlias = npt.NDArray[np.float64]
    Bools: TypeAlias = npt.NDArray[np.bool_]

MOST_ROWS = 5_000_000
MOST_CODES = 1 << 22  # a table of codes larger than this costs more than sorting them


class Part(NamedTuple):
    """The combinations of some letters: of each a layout that has it, and of each layout its own."""

    first: Ints
    of: Ints


class Points:
    """The valid combinations of tied letters (`rows`), times the free axes."""

    def __init__(self, space: Space) -> None:
        rows, self.joined = _joined(space)
        self.rows: dict[str, Ints] = {}
        tied = [self._used(axis, rows[axis.name]) for axis in space.tied]
        self.space = space._replace(tied=tuple(tied))
        self.count = len(next(iter(self.rows.values())))
        varied = [axis for axis in tied if len(axis.values) > 1]
        self.tied = {axis.name: 1 << i for i, axis in enumerate(varied)}
        free = [axis for axis in space.free if len(axis.values) > 1]
        self.free = {axis.name: 1 << (len(varied) + i) for i, axis in enumerate(free)}
        self.all_tied = (1 << len(varied)) - 1
        self.shape = tuple(len(axis.values) for axis in free)
        self._parts: dict[int, Part] = {}
        self._sizes: dict[int, int] = {}

    def _used(self, axis: Axis, column: Ints) -> Axis:
        """The axis with the values that some layout has."""
        there = np.bincount(column, minlength=len(axis.values)) > 0
        self.rows[axis.name] = (np.cumsum(there) - 1)[column]
        return axis.only(np.flatnonzero(there).tolist())

    def values(self, axis: Axis, letter: str) -> Ints:
        """A letter's value along its axis."""
        place = axis.letters.index(letter)
        return np.array([value[place] for value in axis.values], dtype=np.int64)

    def column(self, letter: str, rows: Ints | slice = slice(None)) -> Ints:
        """A tied letter's value at every row."""
        axis = next(axis for axis in self.space.tied if axis.name == letter)
        return self.values(axis, letter)[self.rows[letter][rows]]

    def layout(self, row: int, places: Sequence[int]) -> dict[str, int]:
        """The letters of one layout, by its row and its place along each free axis that varies."""
        found = {axis.name: int(axis.values[self.rows[axis.name][row]][0]) for axis in self.space.tied}
        chosen = dict(zip(self.free, places, strict=True))
        for axis in self.space.free:
            found |= zip(axis.letters, axis.values[chosen.get(axis.name, 0)], strict=True)
        return found

    def size(self, mask: int) -> int:
        """At how many points something of these axes is evaluated."""
        if mask not in self._sizes:
            tied = mask & self.all_tied
            number = len(self.part(tied).first) if tied else 1
            for length, bit in zip(self.shape, self.free.values(), strict=True):
                number *= length if mask & bit else 1
            self._sizes[mask] = number
        return self._sizes[mask]

    def part(self, mask: int) -> Part:
        """The combinations of the tied letters in a mask."""
        if mask not in self._parts:
            if mask == self.all_tied:
                every = np.arange(self.count)
                self._parts[mask] = Part(every, every)
            else:
                self._parts[mask] = self._projected(mask)
        return self._parts[mask]

    def _projected(self, mask: int) -> Part:
        code, codes = np.zeros(self.count, dtype=np.int64), 1
        for axis in self.space.tied:
            if mask & self.tied.get(axis.name, 0):
                code = code * len(axis.values) + self.rows[axis.name]
                codes *= len(axis.values)
        if codes > MOST_CODES:
            _, of = np.unique(code, return_inverse=True)
            number = int(of.max(initial=-1)) + 1
        else:
            there = np.zeros(codes, dtype=bool)
            there[code] = True
            found = np.flatnonzero(there)
            number = len(found)
            place = np.empty(codes, dtype=np.int64)
            place[found] = np.arange(number)
            of = place[code]
        first = np.empty(number, dtype=np.int64)
        first[of] = np.arange(self.count)
        return Part(first, of)

    def allowed(self, constraint: Constraint, rows: Ints | slice) -> Bools:
        """Where a switch may be at what it is, over the free axes and these rows."""
        at: dict[str, int | Ints] = dict(self.space.given)
        for axis in self.space.tied:
            if axis.name in constraint.letters:
                at[axis.name] = self.column(axis.name, rows)
        for axis in self.space.free:
            for letter in set(axis.letters) & set(constraint.letters):
                at[letter] = self.along(axis, letter)
        return np.asarray(constraint.holds(*(at[name] for name in constraint.letters)), dtype=bool)

    def along(self, axis: Axis, letter: str) -> Ints:
        """A letter of a free axis, in the direction of its axis."""
        shape = [1] * (len(self.shape) + 1)
        if axis.name in self.free:
            shape[list(self.free).index(axis.name)] = -1
        return self.values(axis, letter).reshape(shape)


def _joined(space: Space) -> tuple[dict[str, Ints], int]:
    """Every valid combination, one axis after the other, and how many were looked at."""
    rows: dict[str, Ints] = {}
    at: dict[str, Ints] = {}
    waiting, looked, count = list(space.constraints), 0, 1
    for axis in space.tied:
        looked += count * len(axis.values)
        if count * len(axis.values) > MOST_ROWS:
            raise JobError(f"the space has more than {MOST_ROWS:,} meshes, expected fewer: fix an axis")
        known = {axis.name, *at, *space.given}
        ready = [c for c in waiting if known.issuperset(c.letters)]
        waiting = [c for c in waiting if c not in ready]
        values = np.array([value[0] for value in axis.values])
        before, here = _extended(axis, values, at, space.given, ready)
        rows = {name: column[before] for name, column in rows.items()} | {axis.name: here}
        at = {name: column[before] for name, column in at.items()} | {axis.name: values[here]}
        count = len(here)
    return rows, looked


def _extended(
    axis: Axis,
    values: Ints,
    at: Mapping[str, Ints],
    given: Mapping[str, int],
    constraints: Sequence[Constraint],
) -> tuple[Ints, Ints]:
    """The combinations so far that go with some value of an axis, and that value's place."""
    count = len(next(iter(at.values()))) if at else 1
    before, here = np.repeat(np.arange(count), len(values)), np.tile(np.arange(len(values)), count)
    for constraint in constraints:
        letters: dict[str, int | Ints] = {axis.name: values[here], **given}
        letters |= {name: at[name][before] for name in constraint.letters if name in at}
        held = constraint.holds(*(letters[name] for name in constraint.letters))
        kept = np.flatnonzero(np.broadcast_to(held, here.shape))
        if len(kept) < len(here):
            before, here = before[kept], here[kept]
    return before, here
