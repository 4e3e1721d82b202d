"""The layouts that a search finds best, beside the one under review."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from workings.document.blocks import Block, Prose, Text
from workings.planning.cost import plan
from workings.planning.job import Job
from workings.planning.search import Option, Result, Wishes, search
from workings.review.desk import Cell, Desk, number, percent
from workings.review.front_page import heading
from workings.units import BYTE, SECOND

MODEL_ERROR = Fraction(1, 20)  # the median error of the model is near it: see reports/validation
WANTED = ("M", "T_step", "u")
HEAD = ("TP · CP · PP · EP", "chunks", "micro", "again", "ZeRO", "memory", "step", "MFU")
MESH = ("t", "c", "p", "e")
RECOMPUTE = {(0, 0): "none", (1, 0): "scores", (0, 1): "blocks"}


@dataclass(frozen=True)
class Alternatives:
    """What a search found, and the layout under review as an option among them."""

    result: Result
    ours: Option


def alternatives(job: Job, values: Mapping[str, Fraction], number: int = 10) -> Alternatives:
    """Search the layouts of a job. Raises JobError where none fulfils the constraints."""
    found = search(job, plan(), wishes(number))
    layout = {name: int(values[name]) for name in found.best[0].layout} if found.best else {}
    ours = Option(layout, {name: values[name] for name in WANTED})
    return Alternatives(found, ours)


def wishes(number: int = 10) -> Wishes:
    """What a review asks of the search."""
    return Wishes(number=number, model_error=MODEL_ERROR, wanted=WANTED)


def section(desk: Desk, found: Alternatives | None) -> Iterator[Block]:
    """The table, and where the layout under review stands."""
    yield heading("Alternatives")
    if found is None or not found.result.best:
        yield Prose((Text("No layout within the constraints fits the memory limit."),))
        return
    best, ours = found.result.best[0], found.ours
    behind = ours.values["T_step"] / best.values["T_step"] - 1
    tally = found.result.tally
    said = (
        f"Of {tally.valid:,} layouts that fulfil the constraints {tally.fitting:,} fit the memory limit."
    )
    yield Prose((Text(f"{said} {_standing(behind)}"),))
    tied, others = found.result.ties, [o for o in found.result.best if not o.tied]
    rows = [_row(desk, option, "") for option in (*tied, *others)]
    rows.append(_row(desk, ours, "ours"))
    caption = (
        "The best layouts, one a mesh: = those the model cannot tell apart, by head-room; last, ours"
    )
    yield desk.table("alternatives", caption, "lrrlrrrrl", (*HEAD, ""), rows, bold=(len(rows) - 1,))


def _standing(behind: Fraction) -> str:
    if behind > MODEL_ERROR:
        return (f"The layout under review takes {percent(behind)} longer than the best of them, more "
                f"than the model's error of about {percent(MODEL_ERROR)}.")  # fmt: skip
    if behind < 0:
        return (f"The layout under review lies outside the constraints of the search and takes "
                f"{percent(-behind)} less than the best of them.")  # fmt: skip
    return f"The layout under review is within the model's error ({percent(behind)}) of the best of them."


def _row(desk: Desk, option: Option, word: str) -> tuple[Cell, ...]:
    at = option.layout
    stage = at["z_1"] + at["z_2"] + at["z_3"]
    again = RECOMPUTE[at["z_c"], at["z_f"]]
    return (
        " · ".join(str(at[name]) for name in MESH) + (", SP" if at["z_s"] else ""), str(at["v"]),
        str(at["b_m"]), again, str(stage), number(option.values["M"], BYTE, 3),
        number(option.values["T_step"], SECOND), percent(option.values["u"]),
        word or ("=" if option.tied else ""),
    )  # fmt: skip
