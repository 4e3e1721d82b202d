"""The assumption register: every input with its origin, its weight and how far it may move."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from workings.document.blocks import Block, Prose, Text
from workings.planning.breakeven import BreakEven, break_even
from workings.planning.elasticity import BRANCH, RELAXED, Elasticity
from workings.planning.job import Figure
from workings.planning.letters import LAYOUT
from workings.planning.measure import LEAST
from workings.planning.working import shown
from workings.review.desk import Cell, Desk, letter, number, plain_number
from workings.review.front_page import heading

_CHOSEN = {*LAYOUT, "n", "n_r"}
LONGEST = 110  # characters of an origin
ALWAYS = ("goodput", "price", "training_tokens")  # they make the days and the cost
SMALL = Fraction(1, 200)  # elasticity below which an input does not matter


@dataclass(frozen=True)
class Entry:
    """A line of the register."""

    id: str
    figure: Figure
    memory: Elasticity | None
    time: Elasticity | None
    fits: BreakEven | None


def entries(desk: Desk) -> tuple[Entry, ...]:
    """Every input that moves memory or step time, the heaviest first."""
    memory = {e.letter: e for e in desk.slopes["M"]}
    time = {e.letter: e for e in desk.slopes["T_step"]}
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
        Entry(f"A{place}", figure, m, s, _fits(desk, name, m))
        for place, (name, figure, m, s, _) in enumerate(found, start=1)
    )


def register(desk: Desk, found: Sequence[Entry]) -> Iterator[Block]:
    """The table, and how to read it."""
    yield heading("Assumption register")
    yield Prose((
        Text("Every input that moves memory or step time by at least half a per cent of its own change, "
             "or by its range; those whose range does most first. "
             "Elasticity: by how many per cent the result moves for one per cent of the input, by the "
             "chain rule over the formulas at the end. "),
        Text("An r marks where a rounding was smoothed, a c where the larger (or smaller) of several "
             "counts. Break-even: how far the input may move until the fullest rank passes the limit of "
             "the memory (far: not within 1,024 times). What a layout chooses is left to the table of "
             "alternatives."),
    ))  # fmt: skip
    rows: list[tuple[Cell, ...]] = [_row(entry) for entry in found]
    head = ("id", "input, and where it is from", "value", "memory", "step time", "break-even")
    yield from desk.tables("register", "Inputs, their origin and weight", "lwrrrr", head, rows)


def _row(entry: Entry) -> tuple[Cell, ...]:
    f = entry.figure
    return (
        entry.id, (letter(f.letter), Text(f" {f.concept.meaning} ({_origin(f)}{_range(f)})")),
        number(f.value, f.dimension), _slope(entry.memory), _slope(entry.time), _limit(entry),
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
    words = figure.source if figure.source.startswith(figure.kind) else f"{figure.kind}: {figure.source}"
    return words if len(words) <= LONGEST else words[: LONGEST - 2].rstrip() + " …"


def _slope(found: Elasticity | None) -> str:
    if found is None or abs(found.value) < SMALL:
        return "0"
    marks = "r" * (RELAXED in found.marks) + "c" * (BRANCH in found.marks)
    return f"{plain_number(found.value, 2)} {marks}".strip()


def _limit(entry: Entry) -> Cell:
    if entry.fits is None:
        return "none"
    if not entry.fits.crossed:
        return "far"
    return number(entry.fits.value, entry.figure.dimension)


def _fits(desk: Desk, name: str, slope: Elasticity | None) -> BreakEven | None:
    """How far an input may move the way that takes more memory."""
    if slope is None or abs(slope.value) < SMALL or name in desk.plan.by_letter():
        return None
    bound = desk.job.limit * desk.base["M_dev"]
    return break_even(desk.plan, desk.job.values(), name, "M", bound, upwards=slope.value > 0)


def _weight(memory: Elasticity | None, time: Elasticity | None) -> Fraction:
    return max((abs(e.value) for e in (memory, time) if e), default=Fraction(0))
