"""The layouts that a search finds best, beside the one under review."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from workings.document.blocks import Block, Prose, Text
from workings.planning.accuracy import MEDIAN_ERROR
from workings.planning.cost import plan
from workings.planning.job import Job
from workings.planning.search import Option, Result, Wishes, search
from workings.review.desk import Cell, Desk, number, percent
from workings.review.front_page import heading
from workings.units import BYTE, SECOND

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
    return Wishes(number=number, model_error=MEDIAN_ERROR, wanted=WANTED)


def section(desk: Desk, found: Alternatives | None) -> Iterator[Block]:
    """The table, and where the layout under review stands."""
    yield heading("Alternatives")
    if found is None or not found.result.best:
        yield Prose((Text("No layout within the constraints fits the memory limit."),))
        return
    ours = found.ours
    tally = found.result.tally
    said = (
        f"Of {tally.valid:,} layouts that fulfil the constraints {tally.fitting:,} fit the memory limit."
    )
    yield Prose((Text(f"{said} {standing(found)}"),))
    tied, others = found.result.ties, [o for o in found.result.best if not o.tied]
    rows = [_row(desk, option, "") for option in (*tied, *others)]
    rows.append(_row(desk, ours, "ours"))
    caption = (
        "The best layouts, one a mesh: = those the model cannot tell apart, by head-room; last, ours"
    )
    yield desk.table("alternatives", caption, "lrrlrrrrl", (*HEAD, ""), rows, bold=(len(rows) - 1,))


def standing(found: Alternatives | None) -> str:
    """Where the layout under review stands among those that fit, in a sentence."""
    if found is None or not found.result.best:
        return "No layout within the constraints fits the memory limit."
    behind = found.ours.values["T_step"] / found.result.best[0].values["T_step"] - 1
    if behind > MEDIAN_ERROR:
        return (f"A search finds layouts that take {percent(behind / (1 + behind), 2)} less time a step "
                "(see Alternatives).")  # fmt: skip
    if behind < 0:
        return "No layout that keeps the constraints and the memory limit is faster."
    return (f"The fastest layout that a search finds is no more than {percent(behind, 2)} faster, less "
            "than the model can tell.") if behind else "A search finds no faster layout."  # fmt: skip


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
