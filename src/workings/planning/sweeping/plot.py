"""A sweep as a line plot: which axis lies along x, one line for every value of the others.

Places are shares of the axes, from 0 to 1; along x the scale is logarithmic.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from math import log, prod

from workings.planning.decision.bands import BANDS, CLAIM, Band
from workings.planning.job import JobError
from workings.planning.sweeping.axes import Axis, numbers
from workings.planning.sweeping.measures import MEASURES, At, Measure
from workings.planning.sweeping.points import Point, Swept
from workings.planning.utilization import COUNTED, in_words

MOST_LINES = 12  # six colours, whole and dashed
LONGEST = 52  # letters of a job's name
APART = 0.07  # of the axis, so that the words of two ticks do not touch
LAYOUT = {"tp", "cp", "pp", "ep", "dp"}
_LAYOUT = re.compile(r"(?:,| ·)(?: (?:TP|CP|PP|EP|DP) [\d,]+(?: ·|, EP \d+ inside DP)?)+$")
HALF = 2**0.5  # a claim for n devices is drawn from n/√2 to n·√2


@dataclass(frozen=True, slots=True)
class Dot:
    """A point of a line: where it lies, what it says, and whether the layout fits."""

    x: float
    y: float
    words: str
    fits: bool


@dataclass(frozen=True, slots=True)
class Series:
    """A line: its name, and its points in runs, broken where there is no layout."""

    name: str
    runs: tuple[tuple[Dot, ...], ...]


@dataclass(frozen=True, slots=True)
class Box:
    """A range that somebody claims: its sides, and whose claim it is."""

    left: float
    right: float
    low: float
    high: float
    words: str


@dataclass(frozen=True)
class Plot:
    """What is drawn, as places and words."""

    title: str
    subtitle: str
    x_name: str
    y_name: str
    x_ticks: tuple[tuple[float, str], ...]
    y_ticks: tuple[tuple[float, str], ...]
    series: tuple[Series, ...]
    boxes: tuple[Box, ...]
    mark: tuple[float, str] | None
    claim: str
    alternative: str


def plot(swept: Swept, what: str = "mfu") -> Plot:
    """Draw a sweep. Raises JobError where its axes make no plot, or it has no layout."""
    drawable(swept.axes)
    measure = MEASURES[what]
    x = _along(swept.axes)
    xs = numbers(x)
    scale = _Log(min(xs.values()), max(xs.values()))
    groups = _lines(swept, x)
    drawn = [measure.of(point) for point in swept.points if point.values]
    if not drawn:
        raise JobError("--plot: found no point with a layout, expected at least one")
    boxes = _claims(x, scale, what)
    limit = _limit(swept, what)
    y = measure.axis([*drawn, *limit, *(value for box in boxes for value in (box.low, box.high))])
    series = tuple(
        Series(name, _runs(points, x, xs, scale, measure, y.at)) for name, points in groups.items()
    )
    boxes = tuple(Box(b.left, b.right, y.at(b.low), y.at(b.high), b.words) for b in boxes)
    marks = [(y.at(value), f"limit {measure.shown(value)}") for value in limit]
    return Plot(
        _title(swept, measure), f"{_name(swept)}{_counted(swept, what)}", x.name, measure.name,
        _thinned(sorted((scale.at(at), value) for value, at in xs.items())), y.ticks, series, boxes,
        marks[0] if marks else None, CLAIM if boxes else "", _alternative(swept, measure, x, drawn),
    )  # fmt: skip


def _limit(swept: Swept, what: str) -> list[float]:
    """The bytes that a device may use, where they are the same at every point."""
    if what != "memory" or any(axis.key in ("allocatable", "hardware") or "memory" in axis.key
                               for axis in swept.axes):  # fmt: skip
        return []
    return [float(swept.own.limit * swept.own.figures["M_dev"].value)]


@dataclass(frozen=True, slots=True)
class _Log:
    """A logarithmic axis from half an octave below its first value to as much above its last."""

    first: float
    last: float

    def at(self, value: float) -> float:
        low, high = log(self.first / HALF), log(self.last * HALF)
        return (log(value) - low) / (high - low)


def drawable(axes: Sequence[Axis]) -> None:
    """Refuse axes that make no plot, before the sweep. Raises JobError."""
    x = _along(axes)
    lines = prod(len(axis.values) for axis in axes if axis is not x)
    if lines > MOST_LINES:
        raise JobError(f"--plot: found {lines} lines, expected at most {MOST_LINES}")


def _along(axes: Sequence[Axis]) -> Axis:
    """The axis that lies along x: the devices, or the one with most numbers. Raises JobError."""
    able = [axis for axis in axes if numbers(axis)]
    if not able:
        raise JobError("--plot: found no axis of numbers above 0, expected one such as gpus=8..512")
    return max(able, key=lambda axis: (axis.key == "devices", len(axis.values)))


def _lines(swept: Swept, x: Axis) -> dict[str, list[Point]]:
    """Points by the values of the other axes."""
    found: dict[str, list[Point]] = {}
    for point in swept.points:
        name = ", ".join(f"{n} {value}" for n, value in point.at.items() if n != x.name)
        found.setdefault(name, []).append(point)
    return found


def _runs(
    points: Sequence[Point], x: Axis, xs: Mapping[str, float], scale: _Log, measure: Measure, at: At
) -> tuple[tuple[Dot, ...], ...]:
    ordered = sorted(points, key=lambda point: xs[point.at[x.name]])
    return tuple(
        tuple(
            Dot(scale.at(xs[p.at[x.name]]), at(measure.of(p)), _words(p, measure), bool(p.fits))
            for p in run
        )
        for laid, run in groupby(ordered, key=lambda point: bool(point.values)) if laid
    )  # fmt: skip


def _words(point: Point, measure: Measure) -> str:
    where = ", ".join(f"{name} {value}" for name, value in point.at.items())
    return f"{where}: {measure.words(point)}{'' if point.fits else ', does not fit'}"


def _claims(x: Axis, scale: _Log, what: str) -> tuple[Box, ...]:
    """The ranges of MFU that a text claims, as values, where the devices are swept."""
    if x.key != "devices" or what != "mfu":
        return ()
    there = [band for band in BANDS if scale.first <= band.devices <= scale.last]
    return tuple(_claim(band, scale) for band in there)


def _claim(band: Band, scale: _Log) -> Box:
    low, high = band.mfu
    sides = (scale.at(band.devices / HALF), scale.at(band.devices * HALF))
    words = f"{band.devices:,} devices: {_percent(low)} to {_percent(high)} %, {CLAIM}"
    return Box(*sides, float(low), float(high), words)


def _percent(share: Fraction) -> str:
    return str(int(share * 100))


def _thinned(ticks: Sequence[tuple[float, str]]) -> tuple[tuple[float, str], ...]:
    """So many of the ticks, in order, that their words do not touch."""
    kept: list[tuple[float, str]] = []
    for tick in ticks:
        if not kept or tick[0] - kept[-1][0] >= APART:
            kept.append(tick)
    return tuple(kept)


def _title(swept: Swept, measure: Measure) -> str:
    what = "best layout of a search" if swept.best else "layout as given"
    how = f", {swept.scaling}" if swept.scaling else ""
    return f"{measure.name[0].upper()}{measure.name[1:]}{how}: {what}"


def _name(swept: Swept) -> str:
    """The job's name, without its devices where these are swept, and without a layout that changes."""
    name, keys = swept.name, {axis.key for axis in swept.axes}
    if "devices" in keys:
        n = int(swept.own.values()["n"])
        name = re.sub(rf" on (?:{n}|{n:,}) (?:× )?", " on ", name)
    if swept.best or "devices" in keys or keys & LAYOUT:
        name = _LAYOUT.sub("", name)
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"


def _counted(swept: Swept, what: str) -> str:
    """How the MFU counts attention, unless that is swept: a causal mask leaves half of it."""
    v = swept.own.values()
    if what != "mfu" or not v["z_h"] or any(axis.key == "core_counted" for axis in swept.axes):
        return ""
    return f"; {in_words(v[COUNTED])}"


def _alternative(swept: Swept, measure: Measure, x: Axis, drawn: Sequence[float]) -> str:
    fitting = sum(point.fits is True for point in swept.points)
    return (
        f"{_name(swept)}. {_title(swept, measure)}; over {x.name} from {x.values[0]} to {x.values[-1]}, "
        f"from {measure.shown(min(drawn))} to {measure.shown(max(drawn))}; {fitting} of "
        f"{len(swept.points)} points fit."
    )
