"""Where the time goes: the step as parts, the pipeline drawn, the roofline; days and cost."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from workings.document.blocks import Bars, Block, Number, Prose, Text
from workings.document.drawn import Bar, Part
from workings.planning.shares import worth
from workings.planning.utilization import ALL, HALF, in_words, mfu_named, recounted
from workings.planning.waterfall import Span, slowest_stage, waterfall
from workings.review.axis import round_axis
from workings.review.communication import communication
from workings.review.desk import Cell, Desk, worked_by, working_of
from workings.review.front_page import heading
from workings.review.likest import of_this_model
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
from workings.review.outlook import beside_published
from workings.review.pipeline import pipeline
from workings.units import BYTE, FLOP, SECOND

OTHERWISE = {
    ALL: "With all of attention's scores counted, as in the papers on Megatron-LM,",
    HALF: "With half of attention's scores counted, as a causal mask leaves them,",
}
# What a block computes beside what it reads and writes: formulas of the plan's letters.
ROOFLINE = (
    ("matrices of a block, forward", "f_lin + f_exp", "w*(P_blk + P_be/(t_e*e)) + A_in + A_ffn"),
    ("between matrices, forward", "0", "e_blk + e_exp + e_core"),
)
LIKELIEST = "step at P50"
GOODPUTS = (Fraction(4, 5), Fraction(9, 10), Fraction(1))  # where the job gives one without a range


def time(desk: Desk) -> Iterator[Block]:
    """Everything about time."""
    yield heading("Communication")
    yield from communication(desk)
    yield heading("Step time")
    yield from _waterfall(desk)
    yield from pipeline(desk)
    yield from of_this_model(desk)
    yield heading("Throughput, days and cost")
    yield from _outcome(desk)


def _waterfall(desk: Desk) -> Iterator[Block]:
    spans, whole = waterfall(desk.base), desk.base["T_step"]
    stage, _, _ = slowest_stage(desk.base)
    slowest = {"first": "first", "mid": "middle", "last": "last"}[stage]
    said = f"The slowest stage is the {slowest} one; the others wait for it. " if desk.base["x_p"] else ""
    yield Prose((Text(f"{said}The parts below add up to the step; shares are of the whole step."),))
    *seconds, total = parts([*(s.seconds for s in spans), whole], SECOND)
    rows: list[tuple[Cell, ...]] = [
        (s.name, shown, tenth(s.seconds / whole), worked_by(desk, s.formula))
        for s, shown in zip(spans, seconds, strict=True)
    ]
    rows.append(("step", total, "100 %", working_of("T_step")))
    rows += _unexplained(desk)
    yield desk.table("waterfall", "Where a step's time goes", "lrrw",
                     ("part", "time", "of the step", "worked"), rows, bold=(len(spans),))  # fmt: skip
    yield from _idle(desk)
    yield _bars(desk, spans, [f"{one.number} {one.unit}" for one in seconds])


def _unexplained(desk: Desk) -> Iterator[tuple[Cell, ...]]:
    """By how much the step of this very run, as it is known, is another than the parts add up to."""
    if "T_step" not in desk.known:
        return
    how = "measured" if "T_step" in desk.measured else "published"
    least, _, most = desk.known["T_step"]
    for step in sorted({least, most}):
        more = step - desk.base["T_step"]
        taken, apart = parts([step, abs(more)], SECOND)
        told = f"{apart.number} {apart.unit} {'more' if more > 0 else 'less'} than the plan has"
        yield f"as {how}", taken, tenth(step / desk.base["T_step"]), told


def _idle(desk: Desk) -> Iterator[Block]:
    """The bubble by its other common measure, which rules ask for."""
    v = desk.base
    if v["T_idle"]:
        of_step, alone = tenth(v["T_idle"] / v["T_step"]), tenth(v["x_idle"])
        yield Prose((
            Text("The bubble is "), of_step, Text(" of the step. Of work and bubble alone, without "
            "sends, gradients and the optimizer, it is "), alone, Text(": the idle share that rules "
            "speak of, worked in "), working_of("x_idle"), Text("."),
        ))  # fmt: skip


def _bars(desk: Desk, spans: tuple[Span, ...], shown: list[str]) -> Bars:
    """One bar a part, each beginning where the one before ended."""
    whole, start = desk.base["T_step"], Fraction(0)
    end, ticks = round_axis(whole)
    bars = []
    for span, said in zip(spans, shown, strict=True):
        before = Part("", float(start / end), "")
        part = Part("part", float(span.seconds / end), said)
        bars.append(Bar(span.name, (before, part) if start else (part,), said))
        start += span.seconds
    axis = tuple((float(t / end), alike([t, whole], SECOND)[0].number) for t in ticks)
    said = "; ".join(f"{s.name} {one}" for s, one in zip(spans, shown, strict=True))
    return Bars("waterfall", desk.label("figure", "waterfall"), (Text("A step, part after part"),),
                  said.replace("< ", "less than "), tuple(bars), ("part",), axis,
                  parts([whole], SECOND)[0].unit)  # fmt: skip


def roofline(desk: Desk) -> Iterator[Block]:
    """FLOPs for each byte of memory traffic, beside what the device needs to be kept busy."""
    v = desk.base
    ridge = v["C"] / v["W_m"]
    rows: list[tuple[Cell, ...]] = []
    for name, flops, moved in ROOFLINE:
        many, size = worth(flops, v), worth(moved, v)
        if not size:
            continue
        bound = "compute" if many / size > ridge else "memory"
        worked = (*worked_by(desk, flops), Text("; "), *worked_by(desk, moved))
        rows.append(
            (name, number(many, FLOP), number(size, BYTE), plain_number(many / size), bound, worked)
        )
    caption = f"The device is bound by compute from {plain_number(ridge)} FLOP a byte on"
    yield heading("Roofline")
    yield desk.table("roofline", caption, "lrrrlw",
                      ("what", "FLOPs", "bytes", "FLOP a byte", "bound by", "worked"), rows)  # fmt: skip


def _outcome(desk: Desk) -> Iterator[Block]:
    v = desk.base
    scores = f", {in_words(v['kappa_u'])}" if v["z_h"] else ""
    defined = (
        f"MFU {percent(v['u'])}: the model's FLOPs of a step, forward and backward{scores}, what is "
        "computed again not counted, over the peak of "
    )
    yield Prose((
        *words(defined), number(v["C"], FLOP / SECOND),
        Text(" a device and the step's time. That is "), number(v["C_u"], FLOP / SECOND),
        Text(" a device and "), Number(rate(v["R_s"])), Text(" tokens a second."),
        *words(_beyond(desk)), *words(_otherwise(desk)),
    ))  # fmt: skip
    if published := beside_published(desk):
        yield Prose(words(published))
    if v["T_tok"]:
        yield _days(desk)


def _beyond(desk: Desk) -> str:
    """That an MFU may pass 100 %, where it counts scores that nothing computes."""
    v = desk.base
    if not v["z_h"] or v["kappa_u"] <= v["kappa"]:
        return ""
    return " It counts scores that a mask leaves out and nothing computes, so it may pass 100 %."


def _otherwise(desk: Desk) -> str:
    """The MFU by the other usual count of attention, so that reviews compare."""
    v = desk.base
    if not v["z_h"]:
        return ""
    other = HALF if v["kappa_u"] == ALL else ALL
    there = recounted(desk.plan, desk.job.values(), "u", other)
    return f" {OTHERWISE[other]} the same step has an MFU of {percent(there)}."


def _days(desk: Desk) -> Block:
    """Days, and cost where a price is known, by step times and goodput."""
    v = desk.base
    kept = _goodputs(desk)
    rows: list[tuple[Cell, ...]] = []
    for name, factor in _paces(desk):
        cells = []
        for share in kept:
            seconds = v["T_run"] * v["gamma"] / share * factor
            days = f"{plain_number(seconds / DAY)} d"
            cost = v["n"] * v["c_d"] * seconds
            cells.append(days + (f", {plain_number(cost / 10**6)}" if cost else ""))
        step = number(v["T_step"] * factor, SECOND)
        rows.append((name, step, percent(v["u"] / factor), *cells))
    what = "Days of the run" + (" and cost in millions of USD" if v["c_d"] else "")
    caption = f"{what}, by goodput and by the step time: {_of_paces(desk)}"
    bold = tuple(i for i, row in enumerate(rows) if row[0] == LIKELIEST)
    head = ("", "step time", mfu_named(v), *(f"goodput {percent(share)}" for share in kept))
    return desk.table(
        "days",
        caption,
        "lrr" + "r" * len(kept),
        head,
        rows,
        bold=bold,
    )


def _paces(desk: Desk) -> Iterator[tuple[str, Fraction]]:
    """Step times over that of the model, by name; the likeliest second but where the step is known."""
    least, middle, most = desk.outcome.ends("T_step")
    if "T_step" in desk.known:
        how = "as measured" if "T_step" in desk.measured else "as published"
        ends = ((f"shortest step {how}", least), (f"longest step {how}", most))
        yield from ends if least < most else ((f"step {how}", middle),)
    else:
        yield from (("step at P10", least), (LIKELIEST, middle), ("step at P90", most))
    yield "model", Fraction(1)


def _of_paces(desk: Desk) -> str:
    """What the rows of other step times than the model's are."""
    if "T_step" in desk.known:
        return "that of this very run, and the model's"
    return "those of which 10, 50 and 90 of 100 runs like this one take less, and the model's"


def _goodputs(desk: Desk) -> tuple[Fraction, ...]:
    """The goodput as it is and at the ends of its range; usual ones beside it where it has none."""
    range_ = {case["gamma"] for case in (desk.low, desk.base, desk.high)}
    return tuple(sorted(range_ if len(range_) > 1 else range_.union(GOODPUTS)))
