"""[assume]: assumptions by the names of their concepts, over the defaults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from workings.planning.assumed import ASSUMPTIONS, FLOORS, default_of
from workings.planning.generations import generation
from workings.planning.inputs.files import beside, toml_of
from workings.planning.inputs.given import (
    MOST_TEXT,
    Entries,
    Entry,
    Reader,
    flag,
    quantity,
    ratio,
    refused,
    shown,
    tidy,
    words,
    wrong,
)
from workings.planning.inputs.results import measured_of_job
from workings.planning.job import NO_RESULTS, Figure, JobError, Kind, Results
from workings.planning.letters import ASSUMED, HARDWARE
from workings.units import ONE
from workings.vocabulary.concept import Concept

ASSUMABLE: Mapping[str, str] = {
    {"C": "compute", "allocatable": "memory"}.get(c.name, c.name): letter
    for letter, c in {**ASSUMED, **HARDWARE}.items()
}  # as [cluster] calls them
# More of these costs less: their range runs from high to low.
_BETTER_MORE = {a.name for a in ASSUMPTIONS.values() if a.numbers[1] > a.numbers[2]} | {
    "compute", "link_one_way", "network_one_way", "pod_one_way", "memory_bandwidth", "memory",
}  # fmt: skip
_KEYS = {"value", "low", "high", "source", "measured"}
_FILES = {"file", "node"}  # they name files: of assumptions, of what a node reached
_SECTIONS = {"name", "model", "cluster", "launch", "review"}  # of a whole job


class Assumed(NamedTuple):
    """What [assume] says of a letter, in base units."""

    figure: Figure
    entry: Entry


def assumed_of(reader: Reader, raw: object, prefix: str = "assume") -> dict[str, Assumed]:
    """What [assume] says, by letter, over the file that it names. Raises JobError."""
    if not isinstance(raw, Mapping):
        raise reader.wrong(prefix, raw, "a table")
    found = _file(reader, raw["file"]) if "file" in raw else {}
    for name, value in raw.items():
        if name in _FILES:
            continue
        key = f"{prefix}.{name}".strip(".")
        entry = Entry(value, "given", f"{reader.file}: {tidy(key)}", reader.file, key)
        if name not in ASSUMABLE:
            from workings.planning.inputs.names import instead  # noqa: PLC0415 - rarely needed

            text = "an assumption: one of " + ", ".join(sorted(ASSUMABLE))
            raise wrong(reader.file, key, name, instead(name) or text)
        found[ASSUMABLE[name]] = Assumed(assumption(reader, entry, name), entry)
    return found


def _file(reader: Reader, value: object) -> dict[str, Assumed]:
    """Assumptions kept in a file of their own, such as the output of `workings calibrate`."""
    path, raw = _opened(reader, value)
    reader.note("read", "assume.file", shown(value))
    whole_job = _SECTIONS & raw.keys()
    if whole_job:
        text = f"{tidy(path.name)}: {min(whole_job)}: found a table of a job, expected "
        raise JobError(text + "assumptions (or an [assume] table alone)")
    inner = raw["assume"] if "assume" in raw and raw.keys() <= {"assume", "measured"} else raw
    prefix = "assume" if inner is not raw else ""
    for further in _FILES & inner.keys() if isinstance(inner, Mapping) else ():
        there = Entry(inner[further], "given", "", path.name, f"{prefix}.{further}".strip("."))
        raise refused(there, "assumptions, no further file")
    return assumed_of(reader.beside(path), inner, prefix)


def _opened(reader: Reader, value: object) -> tuple[Path, dict[str, Any]]:
    path = beside(reader, Entry(value, "given", "", reader.file, "assume.file"))
    return path, toml_of(reader, path)


def measured_beside(reader: Reader, raw: Mapping[str, object]) -> Results:
    """What was measured of the job's run, as the file of its assumptions has it. Raises JobError."""
    if "file" in raw:
        path, found = _opened(reader, raw["file"])
        if "measured" in found:
            return measured_of_job(reader.beside(path), found["measured"])
    return NO_RESULTS


def assumption(reader: Reader, entry: Entry, name: str) -> Figure:
    """One of them: a value, or a table of value, low, high, source, measured. Raises JobError."""
    letter = ASSUMABLE[name]
    concept = {**ASSUMED, **HARDWARE}[letter]
    table = entry.value if isinstance(entry.value, Mapping) else {"value": entry.value}
    parts: Entries = {k: replace(entry, value=v, key=f"{entry.key}.{k}") for k, v in table.items()}
    for key, part in parts.items():
        if key not in _KEYS:
            raise wrong(part.file, part.key, key, f"one of {', '.join(sorted(_KEYS))}")
    if "value" not in parts:
        raise wrong(entry.file, f"{entry.key}.value", None, "a value")
    if table is not entry.value:
        parts["value"] = entry
    value = _number(parts["value"], concept)
    low, high = _range(entry, parts, value, concept)
    if name in _BETTER_MORE:
        low, high = high, low
    source = words(parts["source"], MOST_TEXT) if "source" in parts else entry.source
    measured = "measured" in parts and flag(parts["measured"])
    reader.note("read", entry.key, "measured" if measured else "given", entry.file)
    kind: Kind = "measured" if measured else "given"
    return Figure(letter, concept, value, kind, source, low, high, entry.place)


def _range(
    entry: Entry, parts: Entries, value: Fraction, concept: Concept
) -> tuple[Fraction | None, Fraction | None]:
    """The ends of a range, the smaller first; None where there is none. Raises JobError."""
    if not {"low", "high"} & parts.keys():
        return None, None
    if not {"low", "high"} <= parts.keys():
        raise wrong(entry.file, entry.key, "one end of a range", "both low and high, or neither")
    low, high = (_number(parts[key], concept) for key in ("low", "high"))
    if not low <= value <= high:
        raise refused(parts["low"], "low ≤ value ≤ high")
    return low, high


def _number(entry: Entry, concept: Concept) -> Fraction:
    if concept.dimension == ONE:
        number = ratio(entry, f"{concept.meaning}: a number such as 0.7 or '70 %'")
    else:
        examples = {"byte": "1 GB", "s": "3 us", "byte/s": "50 GB/s", "currency/s": "2 USD/h",
                    "FLOP/s": "989 TFLOP/s"}  # fmt: skip
        example = examples[str(concept.dimension)]
        number = quantity(entry, concept.dimension, example, zero=True)
    if not concept.domain.allows(number) or number > 10**24:
        raise refused(entry, f"{concept.meaning}: {concept.domain.value}")
    if number < FLOORS.get(concept.name, number):
        raise refused(entry, f"{concept.meaning}: a number from {FLOORS[concept.name]}")
    return number


def assumption_figures(
    given: Mapping[str, Assumed], said: Mapping[str, Figure], program: str = "", device: str = ""
) -> dict[str, Figure]:
    """Every assumption: what [assume] gives, else the rest of the job, else the program's default."""
    figures = {}
    for letter, concept in ASSUMED.items():
        default = default_of(concept.name, program, generation(device))
        value, low, high = default.numbers
        ends = (None, None) if low == value == high else (low, high)
        figures[letter] = Figure(letter, concept, value, "assumed", default.source, *ends)
    return figures | dict(said) | {letter: a.figure for letter, a in given.items() if letter in figures}
