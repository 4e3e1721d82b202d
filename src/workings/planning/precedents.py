"""Published runs of a job's very model on such devices, and how long its step would be at their MFU."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from workings.planning.accuracy import MODEL, Run, alike, step_times
from workings.planning.exact import exactly
from workings.planning.generations import generation
from workings.planning.job import Job
from workings.planning.precision import precision
from workings.planning.statement import Plan
from workings.planning.utilization import COUNTED, HALF

PADDED = Fraction(1, 20)  # of a vocabulary, which layouts make longer so that they divide it
LAYOUT = ("n", "t", "c", "p", "e", "v", "z_3", "z_f")  # what is known of a published run's layout
TIMES = 2  # by which the batch of a published run may be larger or smaller than the job's
# Per cent that a step is off where others ran its very layout on as many devices: from what the fastest
# published MFU makes of it, from its P50, and from half-way; `python benchmarks/heldout.py --left-out`.
BY_LAYOUT = {"as published": 28, "its P50": 18, "half-way": 15}
SAME = Fraction(1, 100)  # of a batch, within which two are one: it is worked out from a rounded MFU


class Precedent(NamedTuple):
    """A published run of the job's model on as many devices, and seconds of the job's step at its MFU."""

    run: Run
    step: Fraction

    @property
    def only(self) -> Mapping[str, Sequence[int | str]]:
        """What is known of its layout, as a search is told it."""
        v = self.run.values
        degrees: dict[str, Sequence[int | str]] = {n: [int(v[n])] for n in ("t", "c", "p", "e", "v")}
        again: Sequence[str] = ["full"] if v["z_f"] else ["none", "core"]
        return {**degrees, "zero": ["3"] if v["z_3"] else ["0", "1", "2"], "recompute": again}


def of_model(values: Mapping[str, Fraction], runs: Sequence[Run]) -> list[Run]:
    """Of these runs those of a model, by a job's values; its vocabulary nearly."""
    letters = (*MODEL, "F_E" if values["E"] else "F")
    return [
        run
        for run in runs
        if all(run.values[letter] == values[letter] for letter in letters)
        and abs(run.values["V"] / values["V"] - 1) < PADDED
    ]


def as_large(values: Mapping[str, Fraction], run: Run, step: Fraction) -> bool:
    """Whether a run's batch is half to twice a job's, which takes `step` seconds at the run's MFU."""
    return Fraction(1, TIMES) - SAME <= batch_of(values, run, step) / values["b"] <= TIMES + SAME


def batch_of(values: Mapping[str, Fraction], run: Run, step: Fraction) -> Fraction:
    """The sequences of a run's step: at its MFU, on as many devices, steps are as long as batches large.

    That of the job, where it is the same but for the digits that the MFU was printed with.
    """
    times = run.figure * run.values["n"] / (step * values["n"])
    return values["b"] if abs(times - 1) < SAME else values["b"] * times


def precedents(job: Job, plan: Plan) -> Iterator[Precedent]:
    """The fastest published run of each layout that a job's model was trained in on as many devices.

    On such devices at this precision, on sequences as long, with a batch half to twice as large.
    """
    v = job.values()
    runs = of_model(v, alike(step_times(), generation(job.device), precision(job)))
    near = [
        run
        for run in runs
        if run.mfu
        and run.values["n"] == v["n"]
        and run.values["s"] == v["s"]
        and run.values["z_f"] in (0, 1)
    ]  # no search computes other parts again
    if not near:
        return
    found = exactly(plan, {**v, COUNTED: HALF}, ["T_step", "u"])
    at_peak = found["T_step"] * found["u"]
    seen = set()
    for run in sorted(near, key=lambda run: -run.mfu):
        layout = tuple(run.values[n] for n in LAYOUT)
        if layout not in seen and as_large(v, run, at_peak / run.mfu):
            seen.add(layout)
            yield Precedent(run, at_peak / run.mfu)
