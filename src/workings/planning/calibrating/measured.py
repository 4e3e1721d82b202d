"""A file of measurements: results of a run, and assumptions that were measured by themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from workings.planning.inputs.assumptions import ASSUMABLE, assumption
from workings.planning.inputs.files import toml_of
from workings.planning.inputs.given import Entry, Reader, entries, quantity, refused, wrong
from workings.planning.job import Figure, JobError
from workings.units import BYTE, FLOP, ONE, SECOND, Dimension

# What can be measured of a run: the letter of the cost model, its unit, and an example.
RESULTS: Mapping[str, tuple[str, Dimension, str]] = {
    "step_time": ("T_step", SECOND, "10.2 s"),
    "peak_memory": ("M", BYTE, "61 GB"),
    "mfu": ("u", ONE, "41 %"),
    "tokens_per_second": ("R_s", ONE / SECOND, "400,000"),
    "flops_per_device": ("C_u", FLOP / SECOND, "400 TFLOP/s"),
}


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured: results by name, assumptions by letter, and by name as the file has them."""

    file: str
    results: Mapping[str, Fraction]
    figures: Mapping[str, Figure]
    tables: Mapping[str, Mapping[str, object]]


def measured_of(path: Path) -> Measured:
    """Measurements from a TOML file. Raises JobError for a key that is neither."""
    reader = Reader(path.parent, path.name)
    raw = toml_of(reader, path)
    if not raw:
        raise JobError(f"{reader.file}: found nothing, expected a measured result such as step_time")
    results, tables = {}, {}
    for name, value in raw.items():
        if name in RESULTS:
            results[name] = _result(entries(reader, "", {name: value})[name], name)
        elif name in ASSUMABLE:
            own = value if isinstance(value, Mapping) else {"value": value}
            tables[name] = {"source": f"measured: {reader.file}", **own, "measured": True}
        else:
            known = ", ".join([*RESULTS, *sorted(ASSUMABLE)])
            raise wrong(reader.file, name, name, f"a result or an assumption: one of {known}")
    figures = {}
    for name, table in tables.items():
        entry = Entry(table, "measured", str(table["source"]), reader.file, name)
        figures[ASSUMABLE[name]] = assumption(reader, entry, name)
    return Measured(reader.file, results, figures, tables)


def _result(entry: Entry, name: str) -> Fraction:
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
