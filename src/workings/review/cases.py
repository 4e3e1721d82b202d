"""What a plan comes to: at best, as assumed, at worst, and as published runs let it expect."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from workings.document.blocks import Block
from workings.review.desk import Cell, Desk, working_of
from workings.review.numbers import DAY, alike, plain_number, rate
from workings.review.outlook import ALL, HALF

MILLION = 10**6
CAPTION = "What it comes to: all at best, as assumed, all at worst; and as published runs went"


def cases(desk: Desk) -> Block:
    """Memory, step time, throughput, days and cost, each row in one unit."""
    head = ("", "best", "base", "worst", "from", "middle", "to", "worked")
    return desk.table("cases", CAPTION, "lrrrrrrr", head, list(_rows(desk)))


def _rows(desk: Desk) -> Iterator[tuple[Cell, ...]]:
    for name, letter in (("memory, fullest rank", "M"), ("step time", "T_step")):
        found = alike(_six(desk, letter), desk.plan.named(letter).unit)
        yield f"{name}, {found[0].unit}", *(one.number for one in found), working_of(letter)
    yield *_counted("tokens a second", _six(desk, "R_s"), rate), working_of("R_s")
    shares = [plain_number(100 * share) for share in _six(desk, "u")]
    yield f"MFU{_attention(desk)}, %", *shares, working_of("u")
    if not desk.base["T_tok"]:
        return
    runs = _six(desk, "T_run")
    yield "days of the run", *(plain_number(s / DAY, 4) for s in runs), working_of("T_run")
    yield *_counted("device-hours", [desk.base["n"] * s * 24 / DAY for s in runs], rate), ""
    if desk.base["c_d"]:
        yield *_counted("cost, USD", _six(desk, "c_run"), rate), working_of("c_run")


def _six(desk: Desk, letter: str) -> list[Fraction]:
    """A result at its best, as assumed, at its worst; then as published runs let it expect."""
    return [*(v[letter] for v in (desk.low, desk.base, desk.high)), *desk.likely(letter)]


def _counted(name: str, values: Sequence[Fraction], plain: Callable[[Fraction], str]) -> tuple[str, ...]:
    """A row of large numbers: in millions where that is what the plan comes to."""
    if values[1] < MILLION:
        return name, *map(plain, values)
    unit = "million" if "," not in name else f"million {name.partition(', ')[2]}"
    return f"{name.partition(',')[0]}, {unit}", *(plain_number(v / MILLION, 4) for v in values)


def _attention(desk: Desk) -> str:
    """Which of attention's scores the MFU counts, in a word."""
    share = desk.base["kappa_u"]
    return {ALL: ", all scores", HALF: ", causal"}.get(share, "") if desk.base["z_h"] else ""
