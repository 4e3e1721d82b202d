"""The best layouts of a search side by side, and what was looked at."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from workings.contract import SCHEMA
from workings.planning.job import Job
from workings.planning.recomputed import spelled, stated
from workings.planning.search import Option, Result
from workings.planning.utilization import COUNTED, mfu_named
from workings.planning.working import shown
from workings.units import BYTE, SECOND

COLUMNS: Mapping[str, str] = {
    "t": "tp", "c": "cp", "p": "pp", "e": "ep", "t_e": "etp", "v": "chunks", "b_m": "micro",
    "zero": "zero", "recompute": "recompute", "sp": "sp",
}  # fmt: skip
EXPERTS = ("e", "t_e")
RECOMPUTE = {(0, 0): "none", (1, 0): "core", (0, 1): "full"}


def cells(at: Mapping[str, int], stated: str = "") -> dict[str, str]:
    """A layout in words of its axes, by the keys of COLUMNS; `stated`: parts that are computed again."""
    words = {name: str(at[name]) for name in ("t", "c", "p", "e", "t_e", "v", "b_m")}
    return words | {
        "zero": str(at["z_1"] + at["z_2"] + at["z_3"]),
        "recompute": stated or RECOMPUTE[at["z_c"], at["z_f"]],
        "sp": "yes" if at["z_s"] else "no",
    }  # fmt: skip


def stated_parts(job: Job) -> str:
    """What the job says is computed again in part, which no search changes; often nothing."""
    return spelled(job.values()) if stated(job.values()) else ""


def used(layouts: Iterable[Mapping[str, int]]) -> list[str]:
    """The columns that a table needs: those of experts only where some layout uses them."""
    there = any(at["e"] > 1 or at["t_e"] not in (1, at["t"]) for at in layouts if at)
    return [name for name in COLUMNS if there or name not in EXPERTS]


def text(found: Result, job: Job) -> str:
    """A table for a terminal; = marks what the model cannot tell from the best, `published` what ran."""
    kept, parts = used(o.layout for o in found.best), stated_parts(job)
    head = [*(COLUMNS[name] for name in kept), "memory", "step", mfu_named(job.values()), ""]
    rows = [
        [*(cells(o.layout, parts)[name] for name in kept), str(shown(o.values["M"], BYTE)),
         str(shown(o.values["T_step"], SECOND)), f"{float(o.values['u']) * 100:.1f} %",
         f"{'=' * o.tied} {'published' if o.precedent else ''}".strip()]
        for o in found.best
    ]  # fmt: skip
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    lines = [_line(row, widths) for row in [head, *rows]]
    least = job.min_mfu
    listed = "" if least is None else f"; only such are listed as reach {float(least) * 100:.4g} % MFU"
    return "\n".join([*lines, summary(found) + listed]) + "\n"


def _line(row: list[str], widths: list[int]) -> str:
    return "  ".join(c.rjust(w) for c, w in zip(row, widths, strict=True)).rstrip()


def summary(found: Result) -> str:
    """How many layouts there were, and what became of them."""
    t = found.tally
    words = (
        f"{t.valid:,} layouts fulfil the constraints, {t.fitting:,} fit; memory and time of "
        f"{t.evaluated:,} evaluated, {t.pruned:,} left out because nothing of their mesh fits"
    )
    if found.objective == "time" and len(found.ties) > 1:
        asks = (
            "of those marked =, which model and runs cannot tell apart, the first has fewest kinds of "
            "parallelism"
        )
        if (had := found.best[0].precedent) is not None:
            asks = (
                f"the first is a layout of a published run ({had.run.source}), at whose MFU a step takes "
                f"{shown(had.step, SECOND)}; those marked = model and published runs cannot tell apart"
            )
        elif not found.best[0].tied:
            asks = ("the first is surely faster than the job's own layout, or likely if none is surely; "
                    "those marked = model and published runs cannot tell apart")  # fmt: skip
        words = f"{asks}; {words}"
    return words if found.complete else f"{words}; interrupted, the best so far"


def as_dict(found: Result, job: Job) -> dict[str, Any]:
    """The same with every number, and the front of memory and time."""
    t = found.tally
    return {
        "schema": SCHEMA,
        "name": job.name,
        "objective": found.objective,
        "complete": found.complete,
        "mfu_counts": float(job.values()[COUNTED]),  # the share of attention's scores
        "layouts": {"valid": t.valid, "fitting": t.fitting, "evaluated": t.evaluated, "pruned": t.pruned},
        "best": [
            {"layout": dict(o.layout), "tied": o.tied, "published": _published(o),
             "values": {name: float(value) for name, value in o.values.items()}}
            for o in found.best
        ],
        "front": [{"layout": dict(r.layout), "memory": r.memory, "value": r.value} for r in found.front],
    }  # fmt: skip


def _published(option: Option) -> dict[str, Any] | None:
    """The run whose layout it is, and the seconds of the job's step at its MFU; often none."""
    if option.precedent is None:
        return None
    run = option.precedent.run
    return {"name": run.name, "source": run.source, "step": float(option.precedent.step)}


def as_csv(found: Result, job: Job) -> str:
    """One row a layout, in bytes and seconds."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow([*COLUMNS.values(), "memory_bytes", "step_seconds", "mfu", "tied", "published"])
    for o in found.best:
        numbers = [float(o.values[name]) for name in ("M", "T_step", "u")]
        rows.writerow(
            [
                *cells(o.layout, stated_parts(job)).values(),
                *numbers,
                int(o.tied),
                o.precedent.run.source if o.precedent else "",
            ]
        )
    return out.getvalue()


FORMATS: Mapping[str, Callable[[Result, Job], str]] = {"text": text, "csv": as_csv}
