"""Where the time goes: traffic by axis, the step as parts, the pipeline drawn, the roofline."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from workings.document.blocks import Block, Figure, Number, Prose, Text
from workings.document.drawn import Bar, Part
from workings.document.gantt import gantt_of
from workings.planning.flows import flows
from workings.planning.waterfall import Span, slowest_stage, waterfall
from workings.review.desk import Cell, Desk, number, percent, plain_number, working_of
from workings.review.front_page import DAY, heading
from workings.units import BYTE, FLOP, SECOND, Format, parse_unit, show

MFU_WORDS = {
    Fraction(0): "attention's scores not counted",
    Fraction(1, 2): "half of attention's scores counted (causal)",
    Fraction(1): "all of attention's scores counted",
}
MOST_STAGES, MOST_CHUNKS, MOST_DRAWN = 16, 4, 24
_SECONDS = parse_unit("s")


def time(desk: Desk) -> Iterator[Block]:
    """Everything about time."""
    yield heading("Communication")
    yield _flows(desk)
    yield heading("Step time")
    yield from _waterfall(desk)
    yield from _pipeline(desk)
    yield heading("Roofline")
    yield _roofline(desk)
    yield heading("Throughput, days and cost")
    yield from _outcome(desk)


def _flows(desk: Desk) -> Block:
    rows: list[tuple[Cell, ...]] = [
        (f"{f.axis}, {f.size} ranks: {f.what}", number(f.bytes, BYTE), plain_number(f.count, 6),
         (Text(f"{f.link}, "), number(f.bandwidth, BYTE / SECOND)), number(f.seconds, SECOND),
         percent(f.hidden, 2), working_of(f.letter))
        for f in flows(desk.base)
    ]  # fmt: skip
    return desk.table("flows", "What a rank of the slowest stage sends in a step", "wrrlrrr",
                      ("axis", "bytes a time", "times", "link", "time", "hidden", "worked"),
                      rows)  # fmt: skip


def _waterfall(desk: Desk) -> Iterator[Block]:
    spans = waterfall(desk.base)
    stage, _, _ = slowest_stage(desk.base)
    words = {"first": "first", "mid": "middle", "last": "last"}[stage]
    yield Prose((Text(f"The slowest stage is the {words} one; the others wait for it. "),
                 Text("The parts below add up to the step.")))  # fmt: skip
    whole = desk.base["T_step"]
    rows: list[tuple[Cell, ...]] = [
        (s.name, number(s.seconds, SECOND), percent(s.seconds / whole), working_of(s.letters[0]))
        for s in spans
    ]
    rows.append(("step", number(whole, SECOND), percent(Fraction(1)), working_of("T_step")))
    yield desk.table("waterfall", "Where a step's time goes", "lrrr",
                     ("part", "time", "share", "worked"), rows, bold=(len(rows) - 1,))  # fmt: skip
    yield _bars(desk, spans)


def _bars(desk: Desk, spans: tuple[Span, ...]) -> Figure:
    """One bar a part, each beginning where the one before ended."""
    whole, start = desk.base["T_step"], Fraction(0)
    bars = []
    for span in spans:
        before = Part("", float(start / whole), "")
        part = Part("part", float(span.seconds / whole), _s(span.seconds))
        bars.append(Bar(span.name, (before, part) if start else (part,), _s(span.seconds)))
        start += span.seconds
    axis = tuple((i / 5, show(whole * i / 5, _SECONDS, Format(digits=3)).number) for i in range(6))
    words = "; ".join(f"{span.name} {_s(span.seconds)}" for span in spans)
    return Figure("waterfall", desk.label("figure", "waterfall"), (Text("A step, part after part"),),
                  words, tuple(bars), ("part",), axis, "s")  # fmt: skip


def _pipeline(desk: Desk) -> Iterator[Block]:
    """The schedule, simulated, where it is small enough to be drawn."""
    p, m, v = (int(desk.base[letter]) for letter in ("p", "m", "v"))
    if not 1 < p <= MOST_STAGES or v > MOST_CHUNKS:
        return
    shown = min(m, MOST_DRAWN // p * p) if v > 1 else min(m, max(p + 4, MOST_DRAWN // 2))
    if v > 1 and shown % p:
        return
    name = "interleaved" if v > 1 else "1f1b"
    kind = "interleaved 1F1B" if v > 1 else "1F1B"
    words = f"The pipeline under {kind}, simulated: {shown} of {m} micro-batches, backwards twice as long"
    numbers = {"stages": p, "microbatches": shown, "virtual": v, "forward": 1, "input-gradient": 1,
               "weight-gradient": 1}  # fmt: skip
    yield gantt_of(name, numbers, "pipeline", desk.label("figure", "pipeline"), (Text(words),))


def _s(value: Fraction) -> str:
    return str(show(value, _SECONDS, Format(digits=3)))


def _roofline(desk: Desk) -> Block:
    """FLOPs for each byte of memory traffic, beside what the device needs to be kept busy."""
    v = desk.base
    ridge = v["C"] / v["W_m"]
    rows: list[tuple[Cell, ...]] = []
    weights = v["w"] * (v["P_bd"] / v["t"] + v["P_be"] / (v["t_e"] * v["e"]))
    for name, flops, moved in (
        ("matrices of a block, forward", v["f_lin"] + v["f_exp"], weights + v["A_in"] + v["A_ffn"]),
        ("between matrices, forward", Fraction(0), v["e_blk"] + v["e_core"]),
    ):
        if not moved:
            continue
        intensity = flops / moved
        bound = "compute" if intensity > ridge else "memory"
        rows.append((name, number(flops, FLOP), number(moved, BYTE), plain_number(intensity), bound))
    caption = f"Bound by compute from {plain_number(ridge)} FLOP a byte on"
    return desk.table("roofline", caption, "lrrrl",
                      ("what", "FLOPs", "bytes", "FLOP a byte", "bound by"), rows)  # fmt: skip


def _outcome(desk: Desk) -> Iterator[Block]:
    v = desk.base
    counted = MFU_WORDS.get(v["kappa_u"], f"{percent(v['kappa_u'])} of attention's scores counted")
    yield Prose((
        Text("MFU "), Text(percent(v["u"])), Text(": the model's FLOPs of a step, forward and backward, "
        f"{counted}, nothing computed again, over the peak of "), number(v["C"], FLOP / SECOND),
        Text(" a device and the step's time. That is "), number(v["C_u"], FLOP / SECOND),
        Text(" a device and "), Number(plain_number(v["R_s"], 4)), Text(" tokens a second."),
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
            words = f"{plain_number(seconds / DAY)} d"
            cost = v["n"] * v["c_d"] * seconds
            cells.append(words + (f", {plain_number(cost / 10**6)}" if cost else ""))
        rows.append((percent(v["u"] * factor), *cells))
    caption = "Days of the run" + (" and cost in millions of USD" if v["c_d"] else "")
    return desk.table("days", caption, "rrrr", head, rows, bold=(1,))
