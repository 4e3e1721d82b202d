"""Measure first: what to find out before the run, with what is predicted and when to stop."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import exp

from workings.document.blocks import Block, Prose, Text
from workings.planning.measure import Measurement, first_to_measure, predicted
from workings.review.desk import Cell, Desk, number, percent
from workings.review.front_page import heading
from workings.units import ONE, Dimension

RESULT = {"M": "memory", "T_step": "step time"}


def measure(desk: Desk) -> Iterator[Block]:
    """The table of checks."""
    found = first_to_measure(desk.job.figures, desk.effects)
    if not found:
        return
    yield heading("Measure first")
    yield Prose((Text(
        "The assumptions whose range moves the results most, and by how much from one end of it to the "
        "other. If a measured value lies beyond the last column, stop and review again."
    ),))  # fmt: skip
    rows = [_row(desk, one) for one in found]
    yield desk.table("measure", "Checks, the weightiest first", "lwwrrr",
                     ("moves", "run", "read", "by", "predicted", "stop at"), rows)  # fmt: skip


def _row(desk: Desk, one: Measurement) -> tuple[Cell, ...]:
    unit = ONE
    for letter in one.check.letters:
        unit = unit * desk.plan.letters[letter].dimension
    expected = predicted(one.check, desk.base)
    stop = predicted(one.check, desk.high)
    return (
        RESULT[one.result], one.check.command, one.check.reads,
        percent(Fraction(exp(one.effect) - 1).limit_denominator(10**6), 2), _shown(expected, unit),
        _shown(stop, unit),
    )  # fmt: skip


def _shown(value: Fraction, unit: Dimension) -> Cell:
    return number(value, unit, 3)
