"""What a plan comes to: at best, as assumed, at worst, and as published runs let it expect."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from workings.document.blocks import Block, Text
from workings.planning.odds import BESIDE, beside
from workings.planning.utilization import mfu_named
from workings.review.desk import Cell, Desk, letter, working_of
from workings.review.numbers import DAY, alike, plain_number, rate

MILLION = 10**6
CASES = ("best", "base", "worst")
LIKELY = ("P10", "P50", "P90")  # below which so many of a hundred runs lie
NONE = "–"


def cases(desk: Desk) -> Block:
    """Memory, step time, throughput, days and cost, each row in one unit."""
    more = _columns(desk)
    head = ("", *CASES, *more, "worked")
    return desk.table("cases", _caption(desk, more), "l" + "r" * (len(head) - 1), head, list(_rows(desk)))


def _columns(desk: Desk) -> tuple[str, ...]:
    """Where published runs would lie, and what is known of this very run; nothing without either."""
    if desk.known:
        return ("measured" if desk.measured else "published",)
    return LIKELY if desk.likely("T_step") or desk.likely("M") else ()


def _caption(desk: Desk, more: tuple[str, ...]) -> str:
    said = "What it comes to: all at best, as assumed, all at worst"
    if len(more) == 1:
        return f"{said}; and as {more[0]} of this very run"
    if not more:
        return said
    times = ", ".join(_times(desk))
    return (f"{said}; and as published runs went, below which 10, 50 and 90 of a hundred lie: {times} "
            "that the model gives them")  # fmt: skip


def _times(desk: Desk) -> Iterator[str]:
    """The odds of a step and of memory as multiples, and of what has other odds than the step."""
    for name, result in (("step", "T_step"), ("memory", "M"), ("days", "T_run"), ("cost", "c_run")):
        if result in BESIDE and (result not in desk.of_run or not beside(result, desk.figures)):
            continue
        if found := desk.likely(result):
            ends = "; ".join(f"{float(end / desk.base[result]):.3f}" for end in found)
            yield f"{ends} times the {name}"


def _rows(desk: Desk) -> Iterator[tuple[Cell, ...]]:
    for name, result in (("memory, fullest rank", "M"), ("step time", "T_step")):
        found = alike(_values(desk, result), desk.plan.named(result).unit)
        cells = _laid(desk, [one.number for one in found])
        yield f"{name}, {found[0].unit}", *cells, working_of(result)
    yield _counted(desk, "tokens a second", "R_s", _values(desk, "R_s"), rate)
    shares = [plain_number(100 * share) for share in _values(desk, "u")]
    yield f"{mfu_named(desk.base)}, %", *_laid(desk, shares), working_of("u")
    if not desk.base["T_tok"]:
        return
    runs = _values(desk, "T_run")
    days = [plain_number(s / DAY, 4) for s in runs]
    yield "days of the run", *_laid(desk, days), working_of("T_run")
    hours = [desk.base["n"] * s * 24 / DAY for s in runs]
    *told, _ = _counted(desk, "device-hours", "T_run", hours, rate)
    yield *told, (working_of("T_run"), Text(", for each of "), letter("n"))
    if desk.base["c_d"]:
        yield _counted(desk, "cost, USD", "c_run", _values(desk, "c_run"), rate)


def _values(desk: Desk, result: str) -> list[Fraction]:
    """A result at its best, as assumed, at its worst; then where it is likely, or known, to lie."""
    found = desk.likely(result)
    more = [] if found is None else sorted(found) if len(_columns(desk)) > 1 else [found.middle]
    if len(_columns(desk)) == 1 and ("M" if result == "M" else "T_step") not in desk.known:
        more = []
    return [*(v[result] for v in (desk.low, desk.base, desk.high)), *more]


def _laid(desk: Desk, cells: Sequence[str]) -> list[str]:
    """The cells of a row, with a dash where nothing is known of the result."""
    width = len(CASES) + len(_columns(desk))
    return [*cells, *[NONE] * (width - len(cells))]


def _counted(
    desk: Desk, name: str, result: str, values: Sequence[Fraction], plain: Callable[[Fraction], str]
) -> tuple[Cell, ...]:
    """A row of large numbers: in millions where that is what the plan comes to."""
    if values[1] < MILLION:
        return name, *_laid(desk, [plain(v) for v in values]), working_of(result)
    unit = "million" if "," not in name else f"million {name.partition(', ')[2]}"
    cells = [plain_number(v / MILLION, 4) for v in values]
    return f"{name.partition(',')[0]}, {unit}", *_laid(desk, cells), working_of(result)
