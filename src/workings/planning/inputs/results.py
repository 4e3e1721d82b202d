"""Results of a run: what its own run showed ([measured]), what was published of it ([published])."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from workings.planning.inputs.given import (
    MOST_TEXT,
    Entries,
    Entry,
    Reader,
    entries,
    only,
    quantity,
    refused,
    words,
)
from workings.planning.job import JobError, Results
from workings.units import BYTE, FLOP, ONE, SECOND, Dimension

# What can be measured of a run: the letter of the cost model, its unit, and an example.
RESULTS: Mapping[str, tuple[str, Dimension, str]] = {
    "step_time": ("T_step", SECOND, "10.2 s"),
    "peak_memory": ("M", BYTE, "61 GB"),
    "mfu": ("u", ONE, "41 %"),
    "tokens_per_second": ("R_s", ONE / SECOND, "400,000"),
    "flops_per_device": ("C_u", FLOP / SECOND, "400 TFLOP/s"),
}
SETTLING = ("step_time", "peak_memory")  # results of the job's own run that settle what was assumed


def measured_of_job(reader: Reader, raw: object) -> Results:
    """[measured]: the step time and the peak of memory of this very job. Raises JobError."""
    return _results(reader, "measured", raw, SETTLING)


def published_of(reader: Reader, raw: object) -> Results:
    """[published]: what a paper says of this job's run. Raises JobError."""
    return _results(reader, "published", raw, tuple(RESULTS))


def _results(reader: Reader, table: str, raw: object, allowed: tuple[str, ...]) -> Results:
    found: Entries = entries(reader, table, raw)
    only(reader, found, (*allowed, "source"))
    source = words(found.pop("source"), MOST_TEXT) if "source" in found else ""
    if not found:
        raise JobError(f"{reader.file}: {table}: found no result, expected one of {', '.join(allowed)}")
    return Results({RESULTS[name][0]: result(entry, name) for name, entry in found.items()}, source)


def result(entry: Entry, name: str) -> Fraction:
    """A result in base units. Raises JobError."""
    _, dimension, example = RESULTS[name]
    value = entry.value
    if name == "mfu":
        percent = isinstance(value, str) and value.strip().endswith("%")
        plain = replace(entry, value=value.strip()[:-1]) if percent else entry
        share = quantity(plain, ONE, example) / (100 if percent else 1)
        if share > 1:
            raise refused(entry, f"a share of at most 1, such as '{example}'")
        return share
    # Tokens have no unit, and their seconds are in the name.
    return quantity(entry, ONE if name == "tokens_per_second" else dimension, example)
