"""The layouts that a search finds best, beside the one under review."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from workings.document.blocks import Block, Prose, Text
from workings.planning.accuracy import MOST_CHUNKS, step_times
from workings.planning.best import chosen
from workings.planning.choice import WANTED, at, first_choice, holds_surely, kept_to, wishes
from workings.planning.cost import plan
from workings.planning.exact import exactly
from workings.planning.job import Job, JobError
from workings.planning.pairs import order, pair_error
from workings.planning.search import Option, Result, search
from workings.planning.space import KEYS
from workings.planning.unsearched import unsearched
from workings.review.desk import Cell, Desk
from workings.review.front_page import heading
from workings.review.naming import again, zero_stage
from workings.review.numbers import alike, percent, words
from workings.units import BYTE, SECOND

PRINTED = 5  # layouts in the table
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
    own: Fraction = Fraction(0)  # the P90 of a step of the layout under review


def alternatives(desk: Desk, number: int = 10) -> Alternatives:
    """Search the layouts of a job. Raises JobError where none fulfils the constraints."""
    job, values, own = desk.job, desk.base, desk.likely("T_step").most
    found = search(job, plan(), wishes(job, number))
    layout = {name: int(values[name]) for name in found.best[0].layout} if found.best else {}
    ours = Option(layout, {name: values[name] for name in WANTED})
    option = first_choice(job, found, plan())
    proposed = exactly(plan(), at(job, option).values()) if option else None
    near = [o for o in found.best if kept_to(job, o) <= own * (1 + pair_error())]
    held = [o for o in near if holds_surely(job, o, plan())]
    surest = min(held, key=lambda o: kept_to(job, o), default=None)
    if surest is None:
        light = (o for o in near if o.values["M"] <= LIGHTER * values["M"])
        surest = min(light, key=lambda o: o.values["M"], default=None)
    alone = best_change(job, values)
    return Alternatives(found, ours, option, proposed, alone, surest, bool(held), own)


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
        if found and (best is None or kept_to(job, found[0]) < kept_to(job, best[1])):
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


def section(desk: Desk, found: Alternatives | None) -> Iterator[Block]:
    """The table, and where the layout under review stands."""
    yield heading("Alternatives")
    if found is None or not found.result.best:
        yield Prose((Text(standing(desk, found)),))
        return
    tally = found.result.tally
    said = (
        f"Of {tally.valid:,} layouts that fulfil the constraints{_few_chunks(desk)} {tally.fitting:,} "
        "fit the memory limit."
    )
    more = "".join(f" {text[0].upper()}{text[1:]}." for text in unsearched(desk.job.figures))
    yield Prose(words(f"{said} {standing(desk, found)} {_told_apart()}{more}"))
    tied, others = _printed(found)
    options = (*tied, *others, found.ours)
    memory = alike([o.values["M"] for o in options], BYTE, 3)
    steps = alike([o.values["T_step"] for o in options], SECOND)
    late = alike([*(kept_to(desk.job, o) for o in options[:-1]), found.own], SECOND)
    marks = [*("=" * len(tied)), *[""] * len(others), "ours"]
    rows: list[tuple[Cell, ...]] = [
        (*_layout(desk, o.layout), m, s, p90, mark)
        for o, m, s, p90, mark in zip(options, memory, steps, late, marks, strict=True)
    ]
    axes = " · ".join(name for name, _ in _axes(desk))
    head = (axes, "chunks", "micro", "again", "ZeRO", "memory", "step", "step, P90", "")
    caption = (
        "The best layout of each mesh by the step that nine of ten published runs of its kind keep to, "
        f"its P90; memory and step by the model. Those marked = are at most {percent(pair_error(), 2)} "
        "later than the first, which the model cannot tell; head-room orders them. Last, the layout "
        "under review"
    )
    yield desk.table("alternatives", caption, "lrrwrrrrl", head, rows, bold=(len(rows) - 1,))


def _told_apart() -> str:
    """How often the model has the right one of two layouts as the faster."""
    found = order(step_times(), pair_error())
    return (
        f"Of {found.pairs:,} pairs of published runs of one model on as many devices that the model has "
        f"more than {percent(pair_error(), 2)} apart, it has {percent(found.share, 2)} in the right "
        f"order ({found.sources} sources, each counting alike)."
    )


def _printed(found: Alternatives) -> tuple[list[Option], list[Option]]:
    """The layouts of the table, those that the model cannot tell apart first, and what is proposed."""
    ranked = [*found.result.ties, *(o for o in found.result.best if not o.tied)]
    named = [o for o in ranked[PRINTED:] if o in (found.result.best[0], found.option, found.surest)]
    shown = [*ranked[:PRINTED], *named]
    return [o for o in shown if o.tied], [o for o in shown if not o.tied]


def _few_chunks(desk: Desk) -> str:
    """What bounds the chunks of a rank, where the model has blocks for more."""
    most = max(int(desk.base["v"]), MOST_CHUNKS)
    if 2 * (most + 1) > desk.base["L"] + 2:
        return ""
    if most > MOST_CHUNKS:
        return f" and have at most {most} chunks a rank, as the layout under review has,"
    every = step_times()
    more = sum(run.values["v"] > MOST_CHUNKS for run in every)
    return (f" and have at most {most} chunks a rank, as all but {more} of the {len(every):,} published "
            "runs known here have,")  # fmt: skip


def standing(desk: Desk, found: Alternatives | None) -> str:
    """Where the layout under review stands among those that fit, in a sentence."""
    if found is None or not found.result.best:
        return "No layout within the constraints fits the memory limit."
    behind = found.own / kept_to(desk.job, found.result.best[0]) - 1
    less = percent(behind / (1 + behind), 2)
    if behind > pair_error():
        return f"A search finds layouts whose step has a P90 that is up to {less} less."
    if behind <= 0:
        return "No layout that keeps the constraints and the memory limit has a step of a smaller P90."
    return f"The least P90 of a step that a search finds is {less} less, which the model cannot tell."


def _axes(desk: Desk) -> tuple[tuple[str, str], ...]:
    """The degrees of a mesh, experts' only where the model has them."""
    expert = (("EP", "e"), ("ETP", "t_e")) if desk.base["E"] else ()
    return (("TP", "t"), ("CP", "c"), ("PP", "p"), *expert, ("DP", "d"))


def _layout(desk: Desk, layout: Mapping[str, int]) -> tuple[Cell, ...]:
    v = {**desk.base, **{name: Fraction(value) for name, value in layout.items()}}
    v["d"] = desk.base["n"] / (v["t"] * v["c"] * v["p"])
    mesh = " · ".join(f"{int(v[letter]):,}" for _, letter in _axes(desk)) + (", SP" if v["z_s"] else "")
    return mesh, str(layout["v"]), str(layout["b_m"]), again(v), zero_stage(v)
