"""The assumption register: every input with its origin, its weight and the range it may have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from workings.document.blocks import Block, Prose, Text
from workings.planning.breakeven import BreakEven, break_even
from workings.planning.elasticity import BRANCH, RELAXED, Elasticity
from workings.planning.job import Figure
from workings.planning.letters import LAYOUT
from workings.planning.measure import LEAST
from workings.planning.working import shown
from workings.review.desk import Cell, Desk, letter
from workings.review.front_page import heading
from workings.review.numbers import beside, number, percent, plain_number, spent, words
from workings.units import BYTE

_CHOSEN = {*LAYOUT, "n", "n_r"}
LONGEST = 110  # characters of an origin
ALWAYS = ("goodput", "price", "training_tokens")  # they make the days and the cost
SMALL = Fraction(1, 200)  # elasticity below which an input does not matter
HEADS = {"T_run": "keeps days", "c_run": "keeps cost"}


@dataclass(frozen=True)
class Entry:
    """A line of the register; `keeps` has where the input keeps each limit that it moves."""

    id: str
    figure: Figure
    memory: Elasticity | None
    time: Elasticity | None
    keeps: Mapping[str, BreakEven]


def entries(desk: Desk) -> tuple[Entry, ...]:
    """Every input that moves memory or step time, the heaviest first."""
    slopes = {result: {e.letter: e for e in found} for result, found in desk.slopes.items()}
    memory, time = slopes["u_M"], slopes["T_step"]
    found = []
    for name, figure in desk.job.figures.items():
        m, s = memory.get(name), time.get(name)
        range_ = max(desk.effects.get(name, {}).values(), default=0.0)
        matters = range_ >= LEAST or any(e and abs(e.value) >= SMALL for e in (m, s))
        if name in _CHOSEN or not (matters or figure.concept.name in ALWAYS):
            continue
        found.append((name, figure, m, s, range_))
    found.sort(key=lambda row: (-row[4], -_weight(row[2], row[3]), row[0]))
    return tuple(
        Entry(f"A{place}", figure, m, s, _keeps(desk, name, slopes))
        for place, (name, figure, m, s, _) in enumerate(found, start=1)
    )


def _weight(memory: Elasticity | None, time: Elasticity | None) -> Fraction:
    return max((abs(e.value) for e in (memory, time) if e), default=Fraction(0))


def _keeps(desk: Desk, name: str, slopes: Mapping[str, Mapping[str, Elasticity]]) -> dict[str, BreakEven]:
    """Where the input keeps the limits, each of those that it moves."""
    return {
        result: break_even(
            desk.plan, desk.base, name, result, bound, rising=slope.value > 0, grain=_grain(desk, name)
        )
        for result, bound in desk.bounds.items()
        if (slope := slopes[result].get(name)) is not None
    }


def _grain(desk: Desk, name: str) -> Fraction:
    """How a count moves: batches by a micro-batch of every replica, sequences by equal shares."""
    v = desk.base
    return {"b": v["d"] * v["b_m"], "s": v["c"] * (v["t"] if v["z_s"] else 1)}.get(name, Fraction(1))


def register(desk: Desk, found: Sequence[Entry]) -> Iterator[Block]:
    """The table, and how to read it."""
    yield heading("Assumption register")
    yield Prose((
        Text("Every input that moves memory or step time by at least half a per cent of its own change, "
             "or by its range; those whose range does most first. Memory and step time: by how many per "
             "cent they move for one per cent of the input (elasticity), by the chain rule over the "
             "formulas at the end. An r marks where a rounding was smoothed, a c where the larger (or "
             "smaller) of several counts. What a layout chooses is left to the table of alternatives."),
    ))  # fmt: skip
    yield Prose(words(_memory(desk)))
    rows: list[tuple[Cell, ...]] = [_row(entry) for entry in found]
    head = ("id", "input, and where it is from", "value", "memory", "step time", "keeps memory")
    yield from desk.tables("register", "Inputs, their origin and weight", "lwrrrr", head, rows)
    yield from _run(desk, found)


def _memory(desk: Desk) -> str:
    """Which limit is meant, and how to read the column that says where an input keeps it."""
    share, device = desk.job.limit, desk.base["M_dev"]
    here = "The plan keeps it."
    if desk.base["u_M"] > share:
        here = "The plan is beyond it: any one such change would bring it back."
    return (
        "The last column says up to (≤) or from (≥) which value an input keeps the limit of the memory, "
        f"{percent(share)} of what the device reports or {shown(share * device, BYTE)} on the fullest "
        f"rank, all others as they are. {here} “any” and “no value” are said of what was looked "
        "through: one way, to 1,024 times the value or a 1,024th of it, counts down to 1 and shares up "
        "to 1; and – of what does not move memory or is 0."
    )


def _run(desk: Desk, found: Sequence[Entry]) -> Iterator[Block]:
    """The same of the limits on the run that were set."""
    limits = {result: limit for result, limit in desk.bounds.items() if result != "u_M"}
    if not limits:
        return
    said = " and ".join(spent(result, limit) for result, limit in limits.items())
    caption = f"Up to or from which value an input keeps the run within {said}, all others as they are"
    rows: list[tuple[Cell, ...]] = [
        (entry.id, letter(entry.figure.letter), number(entry.figure.value, entry.figure.dimension),
         *(_kept(entry, result) for result in limits))
        for entry in found if entry.keeps.keys() & limits.keys() and entry.figure.value
    ]  # fmt: skip
    head = ("id", "input", "value", *(HEADS[result] for result in limits))
    yield from desk.tables("register-run", caption, "llr" + "r" * len(limits), head, rows)


def _row(entry: Entry) -> tuple[Cell, ...]:
    f = entry.figure
    return (
        entry.id, (letter(f.letter), Text(f" {f.concept.meaning} ({_origin(f)}{_range(f)})")),
        number(f.value, f.dimension), _slope(entry.memory), _slope(entry.time), _kept(entry, "u_M"),
    )  # fmt: skip


def _range(figure: Figure) -> str:
    """`; 0.5 to 0.8`, where it may lie, or nothing."""
    ends = sorted({e for e in (figure.low, figure.high, figure.value) if e is not None})
    if len(ends) == 1:
        return ""
    least, most = (shown(end, figure.dimension, 3) for end in (ends[0], ends[-1]))
    return f"; {least} to {most}"


def _origin(figure: Figure) -> str:
    """Kind and source, in few words; the JSON holds them whole."""
    said = figure.source if figure.source.startswith(figure.kind) else f"{figure.kind}: {figure.source}"
    return said if len(said) <= LONGEST else said[: LONGEST - 2].rstrip() + " …"


def _slope(found: Elasticity | None) -> str:
    if found is None or abs(found.value) < SMALL:
        return "0"
    marks = "r" * (RELAXED in found.marks) + "c" * (BRANCH in found.marks)
    return f"{plain_number(found.value, 2)} {marks}".strip()


def _kept(entry: Entry, result: str) -> Cell:
    found = entry.keeps.get(result)
    if found is None or not entry.figure.value:
        return "–"
    if found.value is None:
        return "any" if found.kept else "no value"
    concept = entry.figure.concept
    shown_ = beside(found.value, concept.dimension, below=found.at_most, whole=concept.domain.integer)
    return (Text("≤ " if found.at_most else "≥ "), shown_)
