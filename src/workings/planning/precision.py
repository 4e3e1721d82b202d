"""At which precision a job multiplies, as far as it says: runs at another are no evidence for it."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache

from workings.planning.generations import generation
from workings.planning.job import Job, Noted
from workings.scenario.presets import layers, preset_names
from workings.units import parse_quantity

EIGHT, SIXTEEN, THIRTY_TWO = "8-bit", "16-bit", "32-bit"
_FEWER = re.compile(r"fp8|fp4|float8|float4|int8", re.IGNORECASE)
BEYOND = Fraction(6, 5)  # times the 16-bit peak, from which a device must multiply fewer bits


def asked_for(noted: Noted) -> bool:
    """Whether a key asks for less than 16 bits, which the plan does not follow."""
    said = f"{noted.key} {noted.text}" if noted.key.endswith("converters") else noted.key
    return noted.remark == "ignored" and bool(_FEWER.search(said.partition(":")[0]))


def precision(job: Job) -> str:
    """`16-bit`, `8-bit` where the launch asks for it or the peak is beyond that of 16 bits, `32-bit`."""
    asked = any(asked_for(noted) for noted in job.noted)
    return EIGHT if asked else timed_at(job.device, job.figures["C"].value, job.figures["a"].value)


def timed_at(device: str, compute: Fraction, width: Fraction) -> str:
    """The precision of the peak that a device's products are timed at, of values of so many bytes."""
    if narrower(device, compute) != 1:
        return EIGHT
    return THIRTY_TWO if width == 4 else SIXTEEN


def narrower(device: str, compute: Fraction) -> Fraction:
    """A device's 16-bit peak over a peak that is beyond it, of fewer bits; 1 of any other."""
    peak = peaks().get(generation(device))
    return peak / compute if peak is not None and compute > BEYOND * peak else Fraction(1)


@cache
def peaks() -> dict[str, Fraction]:
    """The 16-bit peak of each generation that a preset has: that of its fastest device."""
    found: dict[str, Fraction] = {}
    for name in preset_names("hardware"):
        (_, data), *narrower = layers("hardware", name)
        if narrower:  # the peak of fewer bits, over that of the same device
            continue
        peak = parse_quantity(str(data["compute"]["value"])).value
        which = generation(str(data["name"]))
        found[which] = max(peak, found.get(which, peak))
    return found
