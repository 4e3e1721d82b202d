"""What published runs are evidence for: how far they lay from the model, on what, and what they had."""

from __future__ import annotations

import json
import statistics
from collections.abc import Sequence
from fractions import Fraction

from auditing.records import Record

from validating.letters import letters_of
from validating.predicting import Prediction
from validating.published import Table, author, program
from workings.planning.accuracy import FEATURES, LETTERS, Run, Spread, median, off_by, spread
from workings.planning.generations import generation
from workings.planning.usual import usual
from workings.scenario.presets import read_preset

PRECISION = {1: "8-bit", 2: "16-bit", 4: "32-bit"}  # by the bytes of what is multiplied
PLACES = 10**6  # of a ratio, as it is kept


def default(table: Table) -> Fraction:
    """The efficiency of matrix products that a plan takes on a table's devices at its precision."""
    bits = PRECISION[int(letters_of(table, table.rows[0])["a"])]
    return usual(generation(str(read_preset("hardware", table.hardware)["name"])), bits)[0].numbers[0]


def runs(found: Sequence[Prediction]) -> tuple[Run, ...]:
    """Published figures as evidence: each with its device, its precision and what it had."""
    return tuple(_run(one) for one in found)


def _run(one: Prediction) -> Run:
    name = str(read_preset("hardware", one.table.hardware)["name"])
    v = letters_of(one.table, one.row)
    ratio = Fraction(round(one.theirs / one.ours * PLACES), PLACES)
    return Run(
        generation(name), PRECISION[int(v["a"])], ratio, {n: v[n] for n in LETTERS},
        author(one.table), program(one.table), f"{one.table.short}, {one.row.name}", _mfu(one),
        one.table.id, Fraction(f"{float(one.theirs):.6g}"),
    )  # fmt: skip


def _mfu(one: Prediction) -> Fraction:
    """The published MFU, with half of attention's scores counted; of a peak none."""
    return round(one.values.get("u", Fraction(0)) * one.ours / one.theirs, 4)


def kept(time: Sequence[Run], memory: Sequence[Run]) -> str:
    """`evidence.json`, a run a line."""
    parts = (f' "{kind}": [\n{_lines(found)}\n ]' for kind, found in (("time", time), ("memory", memory)))
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _lines(found: Sequence[Run]) -> str:
    return ",\n".join(
        "  " + json.dumps([one.generation, one.precision, f"{float(one.ratio):.6f}",
                           [str(value) for value in one.values.values()], one.source, one.program,
                           one.name, f"{float(one.mfu):g}", one.page, f"{float(one.figure):.6g}"],
                          ensure_ascii=False)
        for one in found
    )  # fmt: skip


def spreads(name: str, time: Sequence[Run], memory: Sequence[Run]) -> Record:
    """Between which multiples of what we predict eight of ten published figures lie, and their median."""
    rows = tuple(
        (what, *(f"{float(end):.3f}" for end in _ends(found)), str(len(found)))
        for what, found in (
            ("step time", [r for r in time if not r.values["z_2"] and not r.values["E"]]),
            ("step time, experts", [r for r in time if not r.values["z_2"] and r.values["E"]]),
            ("step time, gradients sharded", [r for r in time if r.values["z_2"]]),
            ("memory that was measured", memory),
        )
    )
    return Record(name, "Published over predicted: where eight of ten published figures lie", "lrrrr",
                  ("", "from", "median", "to", "of"), rows)  # fmt: skip


def _ends(found: Sequence[Run]) -> tuple[float, float, float]:
    """The first decile of published over predicted, the median and the ninth decile."""
    told = spread(found)
    return (0.0, 0.0, 0.0) if told is None else (float(told.least), float(told.middle), float(told.most))


def by_feature(name: str, time: Sequence[Run]) -> Record:
    """A row for what a layout may have: how many runs had it, and how far off we were there."""
    rows = []
    for one in FEATURES:
        some = [float(r.error) for r in time if one.holds(r.values)]
        rows.append((
            one.name, str(len(some)),
            f"{statistics.median(map(abs, some)) * 100:.1f}" if some else "-",
            f"{statistics.median(some) * 100:+.1f}" if some else "-",
        ))  # fmt: skip
    return Record(name, "Step times by what a run has", "lrrr",
                  ("runs with", "rows", "median, %", "signed, %"), tuple(rows))  # fmt: skip


def by_device(name: str, time: Sequence[Run], memory: Sequence[Run]) -> Record:
    """A row for each generation of devices and precision: how many ran on it, and how far off we were."""
    rows = []
    for what, found in (("step time", time), ("memory", memory)):
        for where in sorted({(r.generation, r.precision) for r in found}):
            some = [r for r in found if (r.generation, r.precision) == where]
            ends: Spread | None = spread(some)
            rows.append((
                what, *where, str(len(some)), f"{float(off_by(some)) * 100:.1f}",
                f"{float(median([r.error for r in some])) * 100:+.1f}",
                "-" if ends is None else f"{float(ends.least):.3f} … {float(ends.most):.3f}",
            ))  # fmt: skip
    return Record(name, "By generation of devices and precision", "lwlrrrl",
                  ("", "devices", "precision", "rows", "median, %", "signed, %",
                   "published over predicted"), tuple(rows))  # fmt: skip
