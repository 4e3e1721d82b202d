"""A sweep as CSV, one row a point, and in a few lines for a terminal."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from workings.contract import SCHEMA
from workings.planning.output.layouts import COLUMNS, cells, used
from workings.planning.sweeping.points import Point, Swept
from workings.planning.utilization import mfu_named
from workings.planning.working import shown
from workings.units import BYTE, ONE, SECOND

# What a point comes to, in base units, by the letter of the cost model.
NUMBERS = {
    "M": "memory_bytes", "u_M": "memory_share", "T_step": "step_seconds", "u": "mfu",
    "R_s": "tokens_per_second", "T_run": "run_seconds", "c_run": "cost_usd",
}  # fmt: skip
_SHOWN = ("memory", "share", "step", "", "tok/s/device", "days", "USD", "fits")  # and how the MFU counts
DAY = 86_400
_SCALE = {"n": "devices", "s": "tokens_a_sequence", "b": "sequences_a_step"}


def as_csv(swept: Swept) -> str:
    """Every point, its layout, its numbers, whether it fits and why not."""
    said = [{**point.at, **record(point), **point.at} for point in swept.points]
    return written(said, [axis.name for axis in swept.axes])


def written(said: Sequence[Mapping[str, object]], head: Sequence[str]) -> str:
    """Rows of the same keys as CSV; `head` where there are none."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(said[0] if said else head)
    for row in said:
        rows.writerow(_plain(_cell(value)) for value in row.values())
    return out.getvalue()


def record(point: Point) -> dict[str, Any]:
    """A point's layout, its numbers with their units, whether it fits and why not; None where unknown."""
    values, layout = point.values, _layout(point)
    each = float(per_device(values["R_s"], values["n"])) if values else None
    return {
        **{name: _whole(values.get(n)) for n, name in {**_SCALE, "d": "dp"}.items()},
        **{name: layout.get(n) for n, name in COLUMNS.items()},
        **{name: float(values[n]) if n in values else None for n, name in NUMBERS.items()},
        "tokens_per_second_a_device": each, "fits": point.fits, "reason": point.reason,
    }  # fmt: skip


def _layout(point: Point) -> dict[str, int | str | bool]:
    """The cells of a layout as numbers, and as a switch that is on or off."""
    words = cells(point.layout, point.parts) if point.layout else {}
    typed: dict[str, int | str | bool] = {n: int(w) if w.isdecimal() else w for n, w in words.items()}
    return typed | {n: words[n] == "yes" for n in ("sp",) if n in words}


def _whole(value: Fraction | None) -> int | float | None:
    """A count: whole where it is."""
    if value is None:
        return None
    return int(value) if value.denominator == 1 else float(value)


def _cell(value: object) -> str:
    """A value in a row of CSV."""
    if value is None or isinstance(value, bool):
        return {None: "", True: "yes", False: "no"}[value]
    return value if isinstance(value, str) else repr(value)


def as_dict(swept: Swept) -> dict[str, Any]:
    """Every point with the values of its axes as they were written, and what was swept."""
    return {
        "schema": SCHEMA, "name": swept.name, "complete": swept.complete, "size": swept.size,
        "axes": [{"name": a.name, "key": a.key, "values": list(a.values)} for a in swept.axes],
        "best": swept.best, "scaling": swept.scaling, "memory_limit": float(swept.own.limit),
        "points": [{"at": dict(point.at), **record(point)} for point in swept.points],
    }  # fmt: skip


def per_device(tokens: Fraction, devices: Fraction) -> Fraction:
    """Tokens per second of one device."""
    return tokens / devices


def _plain(text: str) -> str:
    """Text that a spreadsheet takes for a formula, marked as text."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") else text


def worded(swept: Swept) -> list[list[str]]:
    """The names of the columns and the points as words; the last column says why one does not fit."""
    named = [axis.name for axis in swept.axes]
    columns = [n for n in used(p.layout or {} for p in swept.points) if COLUMNS[n] not in named]
    head = [*named, "dp", *(COLUMNS[n] for n in columns), *(name or _mfu(swept) for name in _SHOWN)]
    points = ([*point.at.values(), *_words(point, columns), point.reason] for point in swept.points)
    return [[*head, ""], *points]


def text(swept: Swept) -> str:
    """The points side by side."""
    return "\n".join([*aligned(worded(swept)), summary(swept)]) + "\n"


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as lines: every column ends where its longest cell does, the last begins there."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)][:-1]
    return [
        "  ".join(
            [*(cell.rjust(width) for cell, width in zip(row, widths, strict=False)), row[-1]]
        ).rstrip()
        for row in rows
    ]


def _mfu(swept: Swept) -> str:
    """The MFU and how it counts attention, unless that is swept."""
    swept_too = any(axis.key == "core_counted" for axis in swept.axes)
    return "MFU" if swept_too else mfu_named(swept.own.values())


def _words(point: Point, columns: Sequence[str]) -> list[str]:
    values, layout = point.values, cells(point.layout, point.parts) if point.layout else {}
    if not values:
        return ["–"] * (len(columns) + len(_SHOWN)) + ["no"]
    each = per_device(values["R_s"], values["n"])
    return [
        str(values["d"]), *(layout[name] for name in columns), str(shown(values["M"], BYTE)),
        f"{float(values['u_M']) * 100:.1f} %", str(shown(values["T_step"], SECOND)),
        f"{float(values['u']) * 100:.1f} %", f"{float(each):,.0f}",
        str(shown(values["T_run"] / DAY, ONE, 3)), f"{float(values['c_run']):,.0f}",
        "yes" if point.fits else "no",
    ]  # fmt: skip


def summary(swept: Swept) -> str:
    """What was counted: the points, those that fit, and what became of the others, with a reason."""
    how = "the best layout of a search at each" if swept.best else "the job's own layout at each"
    scaled = f", {swept.scaling}" if swept.scaling else ""
    points = f"{len(swept.points):,} point" + ("" if len(swept.points) == 1 else "s")
    words = f"{points}, {how}{scaled}: {', '.join(_outcomes(swept))}"
    return words if swept.complete else f"{words}; interrupted after these, of {swept.size:,}"


def _outcomes(swept: Swept) -> Iterator[str]:
    """How many points fit, take too much, or are refused; of the last the first reason."""
    fitting, full, refused = (
        [point for point in swept.points if point.fits is fits] for fits in (True, False, None)
    )
    limit, least = f"{float(swept.own.limit) * 100:.4g} %", swept.own.min_mfu
    reach = "" if least is None else f" with {float(least) * 100:.4g} % or more of {_mfu(swept)}"
    yield f"{len(fitting):,} {'fits' if len(fitting) == 1 else 'fit'} in {limit} of the memory{reach}"
    if full:
        yield f"{len(full):,} {'does' if len(full) == 1 else 'do'} not{' with any layout' * swept.best}"
    if refused:
        what = "is refused" if len(refused) == 1 else "are refused"
        others = "" if len({point.reason for point in refused}) == 1 else ", the first"
        yield f"{len(refused):,} {what}{others}: {refused[0].reason}"
