"""The layouts that a search finds best, and what is chosen among them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from workings.planning.accuracy import alike, step_times
from workings.planning.best import chosen
from workings.planning.choice import (
    RANKED,
    WANTED,
    at,
    first_choice,
    holds_surely,
    likely_step,
    proposed,
    rare,
    wishes,
)
from workings.planning.cost import plan
from workings.planning.exact import exactly
from workings.planning.job import Job, JobError
from workings.planning.pairs import pair_error
from workings.planning.search import Option, Result, search
from workings.planning.space import KEYS
from workings.review.desk import Desk
from workings.review.naming import again, zero_stage

LIGHTER = Fraction(9, 10)  # of the memory, from which on a layout is named that is more likely to fit


@dataclass(frozen=True)
class Alternatives:
    """What a search found, and the layout under review as an option among them."""

    result: Result
    ours: Option
    option: Option | None = None  # what is proposed beside it
    proposed: Mapping[str, Fraction] | None = None  # every value of that
    alone: tuple[str, Option] | None = None  # the one setting whose change gains most, and its layout
    surest: Option | None = None  # hardly slower, and GO on memory by its odds or the lightest by far
    sure: bool = False  # whether it is GO on memory
    ranked: tuple[Option, ...] = ()  # the best of more meshes than one is chosen from
    first: bool = True  # whether what is proposed is what `plan` names first


def alternatives(desk: Desk, number: int = 10) -> Alternatives:
    """Search the layouts of a job. Raises JobError where none fulfils the constraints."""
    job, values, own = desk.job, desk.base, desk.likely("T_step").middle
    more = search(job, plan(), wishes(job, max(number, RANKED)))
    found = more._replace(best=more.best[:number])
    layout = {name: int(values[name]) for name in found.best[0].layout} if found.best else {}
    ours = Option(layout, {name: values[name] for name in WANTED})
    first = first_choice(job, found, plan())
    option = proposed(job, more, plan())
    values_there = exactly(plan(), at(job, option).values()) if option else None
    near = [o for o in found.best if likely_step(job, o) <= own * (1 + pair_error())]
    held = [o for o in near if holds_surely(job, o, plan())]
    surest = min(held, key=lambda o: likely_step(job, o), default=None)
    if surest is None:
        light = (o for o in near if o.values["M"] <= LIGHTER * values["M"])
        surest = min(light, key=lambda o: o.values["M"], default=None)
    alone = best_change(job, values)
    return Alternatives(
        found, ours, option, values_there, alone, surest, bool(held), more.best, option is first
    )


def doubt(desk: Desk, best: Mapping[str, Fraction]) -> str:
    """What only the faster layout has, and fewest published runs on such devices had."""
    least = rare(desk.job, best)
    if least is None:
        return ""
    runs = alike(step_times(), *desk.device)
    had = f"{least.rows or 'none'} of {len(runs)} published step times on such devices"
    return f" ({had} had {least.feature.name})"


def best_change(job: Job, values: Mapping[str, Fraction]) -> tuple[str, Option] | None:
    """Of layouts that differ from the job's in one setting, and in the replicas, the fastest that fits.

    Nothing where it gains less than the model can tell, or the search refuses every change.
    """
    ours = chosen(job)
    best: tuple[str, Option] | None = None
    for axis in ours:
        fixed = {name: value for name, value in ours.items() if name != axis}
        one = wishes(job, 1)._replace(only=fixed, alike=())
        try:
            found = search(job, plan(), one).best
        except JobError:
            continue
        if found and (best is None or likely_step(job, found[0]) < likely_step(job, best[1])):
            best = axis, found[0]
    if best is None or best[1].values["T_step"] * (1 + pair_error()) >= values["T_step"]:
        return None
    return _changed(best[0], best[1].layout), best[1]


def _changed(axis: str, layout: Mapping[str, int]) -> str:
    """A setting at its new value: `ETP 1`, `12 chunks a rank`."""
    v = {name: Fraction(value) for name, value in layout.items()}
    free = {"zero": f"ZeRO stage {zero_stage(v)}", "recompute": f"{again(v)} computed again",
            "sequence_parallel": f"{'' if v['z_s'] else 'no '}sequence parallelism"}  # fmt: skip
    if axis in free:
        return free[axis]
    value = layout[axis]
    return {"v": f"{value} chunks a rank", "b_m": f"micro-batches of {value}"}.get(
        axis, f"{KEYS[axis].upper()} {value}"
    )
