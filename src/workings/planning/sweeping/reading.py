"""The job at a point of a sweep: with its own layout, or with none, for a search to choose.

A job is read anew at each point, so that everything in it that follows from what is swept follows:
sequences from tokens, replicas from devices, devices of a node from a preset.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from typing import TypeAlias

from workings.planning.job import Job, JobError
from workings.planning.recomputed import stated

Settings: TypeAlias = dict[str, str]
Read: TypeAlias = Callable[[Mapping[str, str]], Job]  # a job with settings put over it

_TRIED = 100  # points that may stand for a job
# One device and no layout: what is read here contradicts no layout.
_ALONE: Mapping[str, str] = {
    **dict.fromkeys(("tp", "cp", "pp", "ep", "etp", "virtual_stages", "microbatch", "replicas"), "1"),
    "recompute": "none", "sequence_parallel": "false",
}  # fmt: skip


@dataclass(frozen=True)
class Source:
    """A job to sweep: how it is read, what it is like by itself, and whether the batch grows with it.

    Under weak scaling every point has the job's own sequences for each device.
    """

    read: Read
    own: Job
    weak: bool = False

    def as_laid_out(self, settings: Settings) -> Job:
        """The job with its own layout. Raises JobError where that does not fit the point."""
        return self.read({**settings, **self._batch(settings)})

    def without_layout(self, settings: Settings) -> Job:
        """The job with no layout chosen. Raises JobError."""
        batch = Fraction(self._sequences(settings))
        devices = self._devices(settings)
        # A batch of one sequence a device goes with any number of devices; the job's own is put back.
        alone = {**_ALONE, "devices": devices, "batch": f"{devices} sequences", "zero": "0"}
        if stated(self.own.values()):  # parts that no search changes
            del alone["recompute"]
        neutral = self.read({**settings, **alone})
        return replace(neutral.with_values({"b": batch, "n_r": self._copies()}), chosen=False)

    def _devices(self, settings: Settings) -> str:
        return settings.get("devices", str(self.own.values()["n"]))

    def _copies(self) -> Fraction:
        return self.own.values()["n_r"]

    def _batch(self, settings: Settings) -> Settings:
        """The batch where the job would not say it itself: what follows from a layout stays as it is."""
        follows = self.own.figures["b"].kind == "follows" and self.own.values()["z_h"]
        if not self.weak and ("batch" in settings or not follows):
            return {}
        return {"batch": f"{self._sequences(settings)} sequences"}

    def _sequences(self, settings: Settings) -> int:
        """Sequences of a step. Raises JobError."""
        try:
            strong = self.read({**settings, **_ALONE, "zero": "0", "devices": "1"}).values()["b"]
        except JobError:
            if "batch" in settings or self.own.figures["b"].kind != "follows":
                raise
            strong = self.own.values()["b"]
        if not self.weak:
            return int(strong)
        grown = strong * Fraction(self._devices(settings)) / self.own.values()["n"]
        if grown.denominator != 1 or grown < 1:
            raise JobError(
                f"weak scaling: found {float(grown):.4g} sequences for {self._devices(settings)} "
                f"devices, expected whole ones: the job has {strong} for {self.own.values()['n']}"
            )
        return int(grown)


def source(read: Read, points: Iterable[Settings], *, weak: bool = False) -> Source:
    """A job to sweep; where it lacks what is swept, a point stands for it. Raises JobError."""
    first: JobError | None = None
    for settings in ({}, *islice(points, _TRIED)):
        try:
            return Source(read, read(settings), weak)
        except JobError as error:
            first = first or error
    raise first or JobError("found no point to read the job at, expected at least one")
