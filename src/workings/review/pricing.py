"""Whose device it is, and what it costs: the job's own, or one that is named with or without a price."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from workings.planning.job import Job
from workings.planning.prices import OTHER
from workings.planning.prices import price as offered_at
from workings.scenario.presets import preset_names, read_preset


def is_own(job: Job, name: str) -> bool:
    """Whether a device is the job's own."""
    return not name or read_preset("hardware", name)["name"] == job.device


def priced(job: Job, own: Job, price: Fraction | None) -> Job:
    """The job at the device's price: as named with it, else its own, else what such devices cost.

    Where nobody is known to offer them it is the price of the job's device.
    """
    figure, theirs = job.figures["c_d"], own.figures["c_d"]
    if price is not None:
        figure = replace(figure, value=price, kind="given", low=None, high=None)
    elif figure.kind == "assumed" and theirs.kind != "assumed" and offered_at(job.device) is OTHER:
        figure = replace(theirs, kind="assumed", source="the price of the job's own device")
    return replace(job, figures={**job.figures, "c_d": figure})


def own_name(job: Job) -> str:
    """The preset of the job's device, or what the device is called."""
    for name in preset_names("hardware"):
        if read_preset("hardware", name)["name"] == job.device:
            return name
    return job.device or "the job's device"
