"""What a plan comes to by its odds: the table of the first page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from workings.document.blocks import Block
from workings.planning.utilization import mfu_named
from workings.review.desk import Cell, Desk, working_of
from workings.review.numbers import DAY, alike, below, plain_number, rate
from workings.units import BYTE, SECOND

MILLION = 10**6
LIKELY = ("P10", "P50", "P90")  # below which so many of a hundred runs lie
NONE = "–"
ODDS = "What it comes to, by the odds of runs like this one, and beside them by the model"


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
    if len(set(desk.likely(result))) == 1:  # known, without odds
        likely = [NONE, likely[1], NONE]
    elif result != "M" and desk.read_in_two_ways:  # and so without a middle
        likely[1] = NONE
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
