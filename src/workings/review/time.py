"""Where the time goes: traffic by axis, the step as parts, the pipeline drawn, the roofline."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from workings.document.blocks import Block, Figure, Number, Prose, Text
from workings.document.drawn import Bar, Part
from workings.planning.flows import flows
from workings.planning.waterfall import Span, slowest_stage, waterfall
from workings.review.desk import Cell, Desk, working_of
from workings.review.front_page import heading
from workings.review.numbers import (
    DAY,
    alike,
    number,
    parts,
    percent,
    plain_number,
    rate,
    tenth,
    words,
)
from workings.review.pipeline import pipeline
from workings.units import BYTE, FLOP, SECOND, round_significant

MFU_WORDS = {
    Fraction(0): "attention's scores not counted",
    Fraction(1, 2): "half of attention's scores counted (causal)",
    Fraction(1): "all of attention's scores counted",
}
STEPS = (2, 5, 10, 20, 50)  # between the ticks of an axis, times a power of ten
MOST_TICKS = 6


def time(desk: Desk) -> Iterator[Block]:
    """Everything about time."""
    yield heading("Communication")
    yield _flows(desk)
    yield heading("Step time")
    yield from _waterfall(desk)
    yield from pipeline(desk)
    yield heading("Roofline")
    yield _roofline(desk)
    yield heading("Throughput, days and cost")
    yield from _outcome(desk)


def _flows(desk: Desk) -> Block:
    found = flows(desk.base)
    sizes, times = alike([f.bytes for f in found], BYTE), alike([f.seconds for f in found], SECOND)
    rows: list[tuple[Cell, ...]] = [
        (f"{f.axis}, {f.size:,} ranks: {f.what}", size, plain_number(f.count, 6),
         (Text(f"{f.link}, "), number(f.bandwidth, BYTE / SECOND)), seconds, percent(f.hidden, 2),
         working_of(f.letter))
        for f, size, seconds in zip(found, sizes, times, strict=True)
    ]  # fmt: skip
    return desk.table("flows", "What a rank of the slowest stage sends in a step", "wrrlrrr",
                      ("axis", "bytes a time", "times", "link", "time", "hidden", "worked"),
                      rows)  # fmt: skip


def _waterfall(desk: Desk) -> Iterator[Block]:
    spans, whole = waterfall(desk.base), desk.base["T_step"]
    stage, _, _ = slowest_stage(desk.base)
    slowest = {"first": "first", "mid": "middle", "last": "last"}[stage]
    said = f"The slowest stage is the {slowest} one; the others wait for it. " if desk.base["x_p"] else ""
    yield Prose((Text(f"{said}The parts below add up to the step."),))
    *seconds, total = parts([*(s.seconds for s in spans), whole], SECOND)
    rows: list[tuple[Cell, ...]] = [
        (s.name, shown, tenth(s.seconds / whole), working_of(s.letters[0]))
        for s, shown in zip(spans, seconds, strict=True)
    ]
    rows.append(("step", total, "100 %", working_of("T_step")))
    yield desk.table("waterfall", "Where a step's time goes", "lrrr",
                     ("part", "time", "share", "worked"), rows, bold=(len(rows) - 1,))  # fmt: skip
    yield _bars(desk, spans, [f"{one.number} {one.unit}" for one in seconds])


def _bars(desk: Desk, spans: tuple[Span, ...], shown: list[str]) -> Figure:
    """One bar a part, each beginning where the one before ended."""
    whole, start = desk.base["T_step"], Fraction(0)
    end, step, unit = _axis(whole)
    bars = []
    for span, said in zip(spans, shown, strict=True):
        before = Part("", float(start / end), "")
        part = Part("part", float(span.seconds / end), said)
        bars.append(Bar(span.name, (before, part) if start else (part,), said))
        start += span.seconds
    ticks = [step * i for i in range(int(end / step) + 1)]
    axis = tuple((float(t / end), alike([t, whole], SECOND)[0].number) for t in ticks)
    said = "; ".join(f"{span.name} {words_}" for span, words_ in zip(spans, shown, strict=True))
    return Figure("waterfall", desk.label("figure", "waterfall"), (Text("A step, part after part"),),
                  said, tuple(bars), ("part",), axis, unit)  # fmt: skip


def _axis(whole: Fraction) -> tuple[Fraction, Fraction, str]:
    """The end of an axis for a step, a round distance between its ticks, and their unit."""
    unit = parts([whole], SECOND)[0].unit
    tenth_of_leading = Fraction(10) ** (-round_significant(whole, 1)[1] - 1)
    step = next(one * tenth_of_leading for one in STEPS if whole / tenth_of_leading / one <= MOST_TICKS)
    return -(-whole // step) * step, step, unit


def _roofline(desk: Desk) -> Block:
    """FLOPs for each byte of memory traffic, beside what the device needs to be kept busy."""
    v = desk.base
    ridge = v["C"] / v["W_m"]
    rows: list[tuple[Cell, ...]] = []
    weights = v["w"] * (v["P_blk"] + v["P_be"] / (v["t_e"] * v["e"]))
    for name, flops, moved in (
        ("matrices of a block, forward", v["f_lin"] + v["f_exp"], weights + v["A_in"] + v["A_ffn"]),
        ("between matrices, forward", Fraction(0), v["e_blk"] + v["e_core"]),
    ):
        if not moved:
            continue
        intensity = flops / moved
        bound = "compute" if intensity > ridge else "memory"
        rows.append((name, number(flops, FLOP), number(moved, BYTE), plain_number(intensity), bound))
    caption = f"The device is bound by compute from {plain_number(ridge)} FLOP a byte on"
    return desk.table("roofline", caption, "lrrrl",
                      ("what", "FLOPs", "bytes", "FLOP a byte", "bound by"), rows)  # fmt: skip


def _outcome(desk: Desk) -> Iterator[Block]:
    v = desk.base
    counted = MFU_WORDS.get(v["kappa_u"], f"{percent(v['kappa_u'])} of attention's scores counted")
    scores = f", {counted}" if v["z_h"] else ""
    defined = (
        f"MFU {percent(v['u'])}: the model's FLOPs of a step, forward and backward{scores}, what is "
        "computed again not counted, over the peak of "
    )
    yield Prose((
        *words(defined), number(v["C"], FLOP / SECOND),
        Text(" a device and the step's time. That is "), number(v["C_u"], FLOP / SECOND),
        Text(" a device and "), Number(rate(v["R_s"])), Text(" tokens a second."),
    ))  # fmt: skip
    if v["T_tok"]:
        yield _days(desk)


def _days(desk: Desk) -> Block:
    """Days, and cost where a price is known, by MFU and goodput."""
    v, head = desk.base, ("MFU", "goodput 80 %", "goodput 90 %", "goodput 100 %")
    rows: list[tuple[Cell, ...]] = []
    for factor in (Fraction(4, 5), Fraction(1), Fraction(6, 5)):
        cells = []
        for kept in (Fraction(4, 5), Fraction(9, 10), Fraction(1)):
            seconds = v["T_run"] * v["gamma"] / kept / factor
            days = f"{plain_number(seconds / DAY)} d"
            cost = v["n"] * v["c_d"] * seconds
            cells.append(days + (f", {plain_number(cost / 10**6)}" if cost else ""))
        rows.append((percent(v["u"] * factor), *cells))
    caption = "Days of the run" + (" and cost in millions of USD" if v["c_d"] else "")
    return desk.table("days", caption, "rrrr", head, rows, bold=(1,))
