"""The layouts that no other beats in both memory and time, found block by block."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from workings.planning.arrays_points import Bools, Floats, Ints

BINS = 1024  # of memory, in the table that cuts most points
NARROW = 1e-9  # a range of memory below this share of it is none


class Front:
    """The front so far: memory rising, value falling, each with its row and place."""

    def __init__(self) -> None:
        self.memory = np.empty(0)
        self.value = np.empty(0)
        self.row = np.empty(0, dtype=np.int64)
        self.place = np.empty(0, dtype=np.int64)  # along the free axes, flattened

    def take(self, value: Floats, memory: Floats, rows: Ints) -> None:
        """Points of a block, free axes by rows; those that do not fit have the value infinity."""
        if not len(self.memory):  # the fastest of each row alone cut most of the others
            places = value.argmin(axis=0)
            columns = np.flatnonzero(np.isfinite(value.min(axis=0)))
            places = places[columns]
            self._merge(value[places, columns], memory[places, columns], rows[columns], places)
        if len(self.memory):  # most are slower than all of the front, and not smaller
            near = np.flatnonzero((value < self.value[0]) | (memory < self.memory[0]))
            some, sizes = value.take(near), memory.take(near)
            new = np.flatnonzero(some < self._ceiling(sizes))
            places, columns = np.divmod(near[new], len(rows))
            self._merge(some[new], sizes[new], rows[columns], places)

    def _ceiling(self, memory: Floats) -> Floats:
        """At least what the front's value is at some memory, looked up in a coarse table.

        A memory between two edges gets the value at the edge before them, so that rounding, which
        may put it beside its bin, does not matter.
        """
        low, high = self.memory[0], self.memory[-1]
        if high - low <= NARROW * high:
            return np.full(memory.shape, np.inf)
        edges = np.linspace(low, high, BINS)
        below = np.searchsorted(self.memory, edges, side="right") - 1
        table = np.concatenate(([np.inf, np.inf], self.value[np.maximum(below, 0)]))
        place: Floats = (memory - low) * ((BINS - 1) / (high - low)) + 1
        np.clip(place, 0, BINS, out=place)
        return table[place.astype(np.intp)]

    def _new(self, memory: Floats, value: Floats) -> Bools:
        """Which points the front does not beat."""
        if not len(self.memory):
            return np.ones(len(memory), dtype=bool)
        below = np.searchsorted(self.memory, memory, side="right") - 1
        return (below < 0) | (value < self.value[np.maximum(below, 0)])

    def _merge(self, value: Floats, memory: Floats, rows: Ints, places: Ints) -> None:
        new = self._new(memory, value)
        value, memory = np.append(self.value, value[new]), np.append(self.memory, memory[new])
        row, place = np.append(self.row, rows[new]), np.append(self.place, places[new])
        order = np.lexsort((place, row, value, memory))
        before = np.append(np.inf, np.minimum.accumulate(value[order])[:-1])
        kept = order[value[order] < before]
        self.value, self.memory, self.row, self.place = value[kept], memory[kept], row[kept], place[kept]
