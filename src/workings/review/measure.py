"""Measure first: what to find out before the run, with what is predicted and when to stop."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from math import exp

from workings.document.blocks import Block, Prose, Text
from workings.planning.job import Job
from workings.planning.measure import Measurement, first_to_measure, predicted
from workings.review.desk import Cell, Desk
from workings.review.front_page import heading
from workings.review.numbers import number, percent
from workings.units import ONE, Dimension

PRESETS = "presets/hardware/"
RESULT = {"M": "memory", "T_step": "step time"}


def measure(desk: Desk) -> Iterator[Block]:
    """The table of checks."""
    found = checks(desk)
    if not found:
        return
    yield heading("Measure first")
    yield Prose((Text(
        "The assumptions whose range moves the results most, and by how much from one end of it to the "
        "other. If a measured value lies beyond the last column, stop and review again; – where the plan "
        "already takes the end that costs most."
    ),))  # fmt: skip
    rows = [_row(desk, one) for one in found]
    yield desk.table("measure", "Checks, the weightiest first", "lwwrrr",
                     ("moves", "run", "read", "by", "predicted", "stop at"), rows)  # fmt: skip


def checks(desk: Desk) -> tuple[Measurement, ...]:
    """The checks worth making, on TPUs with JAX's commands."""
    return first_to_measure(desk.job.figures, desk.effects, desk.base, cuda=not on_tpus(desk.job))


def on_tpus(job: Job) -> bool:
    """Whether the devices are TPUs: as the preset of the hardware says, else as the cluster is called.

    A job is called after its cluster where it has no name of its own: `Llama 3 8B on 16 × TPU v5p`.
    """
    presets = [name for name in job.files if name.startswith(PRESETS)]
    if presets:
        return any(name.startswith(f"{PRESETS}tpu-") for name in presets)
    return re.search(r" on [\d,]+ (?:× )?TPU\b", job.name) is not None


def _row(desk: Desk, one: Measurement) -> tuple[Cell, ...]:
    unit = ONE
    for letter in one.check.letters:
        unit = unit * desk.plan.letters[letter].dimension
    expected = predicted(one.check, desk.base)
    stop = predicted(one.check, desk.high)
    return (
        RESULT[one.result], one.check.command, one.check.reads,
        percent(Fraction(exp(one.effect) - 1).limit_denominator(10**6), 2), _shown(expected, unit),
        _shown(stop, unit) if stop != expected else "–",
    )  # fmt: skip


def _shown(value: Fraction, unit: Dimension) -> Cell:
    return number(value, unit, 3)
