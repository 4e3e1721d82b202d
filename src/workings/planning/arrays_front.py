"""The layouts that no other beats in both memory and time, found block by block."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from workings.planning.arrays_points import Bools, Floats, Ints


class Front:
    """The front so far: memory rising, value falling, each with its row and place."""

    def __init__(self) -> None:
        self.memory = np.empty(0)
        self.value = np.empty(0)
        self.row = np.empty(0, dtype=np.int64)
        self.place = np.empty(0, dtype=np.int64)  # along the free axes, flattened

    def take(self, value: Floats, memory: Floats, rows: Ints) -> None:
        """Points of a block, free axes by rows; those that do not fit have the value infinity."""
        least = np.where(np.isinf(value), np.inf, memory).min(axis=0)
        fastest = value.min(axis=0)
        columns = np.flatnonzero(self._new(least, fastest))
        if not len(columns):
            return
        places = value[:, columns].argmin(axis=0)  # the fastest of each row cuts most of the others
        self._merge(fastest[columns], memory[places, columns], rows[columns], places)
        columns = columns[self._new(least[columns], fastest[columns])]
        places, at = np.nonzero(np.isfinite(value[:, columns]))
        columns = columns[at]
        self._merge(value[places, columns], memory[places, columns], rows[columns], places)

    def _new(self, memory: Floats, value: Floats) -> Bools:
        """Which points the front does not beat."""
        if not len(self.memory):
            return np.ones(len(memory), dtype=bool)
        below = np.searchsorted(self.memory, memory, side="right") - 1
        return (below < 0) | (value < self.value[np.maximum(below, 0)])

    def _merge(self, value: Floats, memory: Floats, rows: Ints, places: Ints) -> None:
        new = self._new(memory, value)
        values, memories = (np.concatenate(x) for x in ((self.value, value[new]), (self.memory, memory[new])))
        row, place = (np.concatenate(x) for x in ((self.row, rows[new]), (self.place, places[new])))
        order = np.lexsort((place, row, values, memories))
        before = np.concatenate(([np.inf], np.minimum.accumulate(values[order])[:-1]))
        kept = order[values[order] < before]
        self.value, self.memory, self.row, self.place = values[kept], memories[kept], row[kept], place[kept]
