"""What a plan comes to: by its odds on the first page, and at the ends of what is assumed further on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from workings.document.blocks import Block, Text
from workings.planning.utilization import mfu_named
from workings.review.desk import Cell, Desk, letter, working_of
from workings.review.numbers import DAY, alike, below, plain_number, rate
from workings.units import BYTE, SECOND

MILLION = 10**6
LIKELY = ("P10", "P50", "P90")  # below which so many of a hundred runs lie
CASES = ("best", "base", "worst")
NONE = "–"
ODDS = (
    "What it comes to: of 100 runs like this one 10, 50 and 90 lie below P10, P50 and P90. GO: at least "
    "90 keep every limit; GO IF: at least 50, of memory 10, since a few steps show its peak; NO-GO: "
    "fewer, or more memory by the model itself than the limit"
)
ENDS = (
    "The ends of what is assumed: every assumption at the end that costs least, as it is, and at the end "
    "that costs most. Hardly a run meets all of them at once, so no answer rests on these"
)


def odds(desk: Desk) -> Block:
    """Memory, step time, MFU, days and cost by their odds, each beside its limit."""
    head = ("", "limit", "of 100 keep it", *LIKELY, "model", "worked")
    return desk.table("odds", ODDS, "l" + "r" * (len(head) - 1), head, list(_likely_rows(desk)))


def _likely_rows(desk: Desk) -> Iterator[tuple[Cell, ...]]:
    room = desk.job.limit_if * desk.base["M_dev"]
    yield _odds_row(desk, "memory", "M", "u_M", room)
    yield _odds_row(desk, "step", "T_step", "", None)
    yield _odds_row(desk, mfu_named(desk.base), "u", "u", desk.job.min_mfu)
    if "T_run" in desk.of_run:
        yield _odds_row(desk, "run", "T_run", "T_run", desk.job.max_time)
    if "c_run" in desk.of_run:
        yield _odds_row(desk, "cost", "c_run", "c_run", desk.job.max_cost)


def _odds_row(
    desk: Desk, name: str, result: str, limited: str, limit: Fraction | None
) -> tuple[Cell, ...]:  # fmt: skip
    """The limit, the model's value, the odds and the chance of keeping the limit, all in one unit."""
    unit, *cells = _in_one_unit(desk, result, [desk.base[result], *sorted(desk.likely(result))])
    at = NONE if limit is None else _limit(desk, result, limit)
    kept = NONE
    if limited in desk.bounds and limit is not None:
        said = desk.outcome.in_words(limited, desk.bounds[limited])
        kept = said.replace("fewer than", "<").replace("more than", ">")
    model, *likely = cells
    return f"{name}, {unit}", at, kept, *likely, model, working_of(result)


def _limit(desk: Desk, result: str, limit: Fraction) -> str:
    """A limit in the unit of its row; that on the memory as the conditions have it, rounded down."""
    if result == "M":
        return below(limit, BYTE).partition(" ")[0]
    return _in_one_unit(desk, result, [desk.base[result], limit])[-1]


def _in_one_unit(desk: Desk, result: str, values: Sequence[Fraction]) -> list[str]:
    """The unit, then the values in it."""
    if result in ("M", "T_step"):
        found = alike(values, BYTE if result == "M" else SECOND)
        return [found[0].unit, *(one.number for one in found)]
    if result == "u":
        return ["%", *(plain_number(100 * value) for value in values)]
    if result == "T_run":
        return ["days", *(plain_number(value / DAY) for value in values)]
    scale, unit = (MILLION, "million USD") if values[0] >= MILLION else (1, "USD")
    return [unit, *(plain_number(value / scale) if scale > 1 else rate(value) for value in values)]


def ends(desk: Desk) -> Block:
    """Memory, step time, throughput, days and cost at best, as assumed, at worst."""
    head = ("", *CASES, "worked")
    return desk.table("cases", ENDS, "l" + "r" * (len(head) - 1), head, list(_rows(desk)))


def _rows(desk: Desk) -> Iterator[tuple[Cell, ...]]:
    for name, result in (("memory, fullest rank", "M"), ("step time", "T_step")):
        found = alike(_values(desk, result), desk.plan.named(result).unit)
        yield f"{name}, {found[0].unit}", *(one.number for one in found), working_of(result)
    yield _counted("tokens a second", "R_s", _values(desk, "R_s"), rate)
    shares = [plain_number(100 * share) for share in _values(desk, "u")]
    yield f"{mfu_named(desk.base)}, %", *shares, working_of("u")
    if not desk.base["T_tok"]:
        return
    runs = _values(desk, "T_run")
    yield "days of the run", *(plain_number(s / DAY, 4) for s in runs), working_of("T_run")
    hours = [desk.base["n"] * s * 24 / DAY for s in runs]
    *told, _ = _counted("device-hours", "T_run", hours, rate)
    yield *told, (working_of("T_run"), Text(", for each of "), letter("n"))
    if desk.base["c_d"]:
        yield _counted("cost, USD", "c_run", _values(desk, "c_run"), rate)


def _values(desk: Desk, result: str) -> list[Fraction]:
    return [v[result] for v in (desk.low, desk.base, desk.high)]


def _counted(
    name: str, result: str, values: Sequence[Fraction], plain: Callable[[Fraction], str]
) -> tuple[Cell, ...]:
    """A row of large numbers: in millions where that is what the plan comes to."""
    if values[1] < MILLION:
        return name, *(plain(v) for v in values), working_of(result)
    unit = "million" if "," not in name else f"million {name.partition(', ')[2]}"
    cells = [plain_number(v / MILLION, 4) for v in values]
    return f"{name.partition(',')[0]}, {unit}", *cells, working_of(result)
