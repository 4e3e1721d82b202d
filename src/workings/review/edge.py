"""The front of memory and time: layouts that no other beats in both, to point at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import ceil, floor, log10

from workings.document.blocks import Block, Lines, Prose, Text
from workings.planning.choice import WANTED, at
from workings.planning.exact import exactly
from workings.planning.pareto import spread
from workings.planning.search import Option
from workings.planning.sweeping.measures import MEASURES, Measure, Scale
from workings.planning.sweeping.plot import Dot, Plot, Series
from workings.review.alternatives import Alternatives
from workings.review.desk import Desk
from workings.review.naming import again, mesh, zero_stage
from workings.review.numbers import words

SLOWEST = 3  # times the shortest step, beyond which a layout is no news
MOST = 24  # points that are drawn
MOST_TICKS = 8
X, Y = MEASURES["memory"], MEASURES["step"]


def edge(desk: Desk, found: Alternatives | None) -> Iterator[Block]:
    """The figure, where a search found a front of two layouts or more."""
    near = _near(found) if found else []
    if found is None or len(near) < 2:
        return
    shown = [Option(o.layout, _values(desk, o)) for o in spread(near, MOST)]
    drawn = _plot(desk, shown, found.ours)
    caption = (
        "The front of memory and time: layouts that no other beats in both, up to "
        f"{SLOWEST} times the shortest step, and the layout under review"
    )
    yield Prose(
        (Text("Point at a layout, or reach it with the Tab key, and it is named below the figure."),)
    )
    yield Lines("front", desk.label("figure", "front"), words(caption), drawn)


def _near(found: Alternatives) -> list[Option]:
    """The layouts of the front that are not far slower than its fastest."""
    front = found.result.front
    least = min((one.value for one in front), default=0.0)
    return [Option(one.layout, {}) for one in front if one.value <= SLOWEST * least]


def _values(desk: Desk, option: Option) -> Mapping[str, Fraction]:
    """Exactly what a layout comes to."""
    values = exactly(desk.plan, at(desk.job, option).values(), WANTED)
    return {name: values[name] for name in WANTED}


def _plot(desk: Desk, shown: Sequence[Option], ours: Option) -> Plot:
    every = [*shown, ours]
    x = _scale([float(o.values["M"]) for o in every], X)
    y = _scale([float(o.values["T_step"]) for o in every], Y)

    def dot(option: Option) -> Dot:
        memory, time = float(option.values["M"]), float(option.values["T_step"])
        said = f"{_named(desk, option)}: {X.shown(memory)}, {Y.shown(time)}"
        fits = memory <= float(desk.job.limit * desk.base["M_dev"])
        return Dot(x.at(memory), y.at(time), said, fits)

    series = (
        Series("front of the search", (tuple(dot(one) for one in shown),)),
        Series("under review", ((dot(ours),),)),
    )
    ends = [float(one.values["M"]) for one in (shown[0], shown[-1])]
    alternative = (
        f"{desk.job.name}. Step time over memory of the fullest rank: {len(shown)} layouts of the front, "
        f"from {X.shown(ends[0])} and {Y.shown(float(shown[0].values['T_step']))} to {X.shown(ends[1])} "
        f"and {Y.shown(float(shown[-1].values['T_step']))}; under review {dot(ours).words}."
    )
    return Plot(
        "Step time over memory of the fullest rank", "less is better in both; the axes do not begin at 0",
        X.name, Y.name, x.ticks, y.ticks, series, (), None, "", alternative,
    )  # fmt: skip


def _scale(values: Sequence[float], measure: Measure) -> Scale:
    """Round steps from below the least to above the most, three to eight of them."""
    low, high = min(values), max(values)
    room = (high - low) or high
    power = 10.0 ** floor(log10(room))
    step = next(s * power for s in (0.2, 0.5, 1.0, 2.0) if room / (s * power) <= MOST_TICKS - 2)
    first, last = floor(low / step), ceil(high / step)
    first, last = first - (first * step == low and first > 0), last + (last * step == high)

    def at_(value: float) -> float:
        return (value / step - first) / (last - first)

    return Scale(at_, tuple((at_(n * step), measure.shown(n * step)) for n in range(first, last + 1)))


def _named(desk: Desk, option: Option) -> str:
    """A layout in few words."""
    v = {**desk.base, **{name: Fraction(value) for name, value in option.layout.items()}}
    v["d"] = v["n"] / (v["t"] * v["c"] * v["p"])
    recomputed = "" if again(v) == "nothing" else f", {again(v)} again"
    sizes = f"micro-batch {int(v['b_m'])}" + (f", {int(v['v'])} chunks" if v["v"] > 1 else "")
    return f"{mesh(v)}, ZeRO {zero_stage(v)}, {sizes}{', SP' if v['z_s'] else ''}{recomputed}"
