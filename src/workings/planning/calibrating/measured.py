"""A file of measurements: results of a run, and assumptions that were measured by themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from workings.planning.inputs.assumptions import ASSUMABLE, assumption
from workings.planning.inputs.files import toml_of
from workings.planning.inputs.given import Entry, Reader, entries, wrong
from workings.planning.inputs.results import RESULTS, counted_so, result
from workings.planning.job import Figure, JobError


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured: results by name, assumptions by letter, and by name as the file has them.

    `counts` is the share of attention's scores that an MFU among them counts.
    """

    file: str
    results: Mapping[str, Fraction]
    figures: Mapping[str, Figure]
    tables: Mapping[str, Mapping[str, object]]
    counts: Fraction | None = None


def measured_of(path: Path) -> Measured:
    """Measurements from a TOML file. Raises JobError for a key that is neither."""
    reader = Reader(path.parent, path.name)
    raw = toml_of(reader, path)
    if not raw:
        raise JobError(f"{reader.file}: found nothing, expected a measured result such as step_time")
    results, tables, counts = {}, {}, None
    for name, value in raw.items():
        if name in RESULTS:
            results[name] = result(entries(reader, "", {name: value})[name], name)
        elif name == "counts":
            counts = counted_so(entries(reader, "", {name: value})[name])
        elif name in ASSUMABLE:
            own = value if isinstance(value, Mapping) else {"value": value}
            tables[name] = {"source": f"measured: {reader.file}", **own, "measured": True}
        else:
            known = ", ".join([*RESULTS, "counts", *sorted(ASSUMABLE)])
            raise wrong(reader.file, name, name, f"a result or an assumption: one of {known}")
    figures = {}
    for name, table in tables.items():
        entry = Entry(table, "measured", str(table["source"]), reader.file, name)
        figures[ASSUMABLE[name]] = assumption(reader, entry, name)
    return Measured(reader.file, results, figures, tables, counts)
