"""The predictions as tables of the report."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from auditing.records import Record

from validating.evidence import by_device, by_feature, runs, spreads
from validating.predicting import FAR, FITTED_ON, Prediction, median_error, worst_end
from validating.published import Table
from workings.planning.accuracy import Run

NEAR = Fraction(5, 100)  # figures of memory beyond this need a reason
NO_REASON = "not explained"
ROWS = 24  # of a table on one page, where most take one line
SOURCES = 16  # where each takes two
FACTS = 13  # where each takes several
LAYOUT = ("t", "c", "p", "v", "b_m")


def shown(
    time: Sequence[Prediction],
    memory: Sequence[Prediction],
    plain: Sequence[Prediction],
    alone: Sequence[Prediction],
    cited: tuple[Sequence[Run], Sequence[Run]],
) -> tuple[Record, ...]:
    """Everything that the report prints.

    `plain` is `time` with one attention kernel for all, `alone` what was measured of `memory` by the
    plan's own statements; `cited` are the step times and peaks that reviews cite.
    """
    return (
        together(time, memory, plain, alone),
        _cited(*cited),
        spreads("spread", *cited),
        by_feature("axes", cited[0]),
        by_device("devices", *cited),
        *in_parts(by_table("time", "Step times, by source", time, FAR), SOURCES),
        ratios("time-ratios", "step times", time),
        *step_times(time),
        *in_parts(reasons("far", "Step times more than 15 % off, and why", time, FAR), FACTS),
        *taken("facts", "What sources of step times say, and what was taken", time),
        too_heavy(time),
        by_table("memory", "Memory, by source", memory, NEAR),
        ratios("memory-ratios", "memory", memory),
        *figures(memory),
        reasons("memory-far", "Figures of memory more than 5 % off, and why", memory, NEAR),
        *taken("memory-facts", "What sources of memory say, and what was taken", memory),
    )


def _cited(time: Sequence[Run], memory: Sequence[Run]) -> Record:
    """How far off a plan is, with its defaults, of all that reviews cite."""
    rows = tuple(
        (what, percent(statistics.median(abs(run.error) for run in some)), str(len(some)))
        for what, some in (("step times", time), ("peaks of memory", memory))
    )
    return Record("cited", "Runs that reviews cite, by a plan's defaults", "wrr",
                  ("median error of", "%", "of"), rows)  # fmt: skip


def told_of(
    time: Sequence[Prediction], memory: Sequence[Prediction]
) -> tuple[tuple[Run, ...], tuple[Run, ...]]:
    """Step times and peaks that are evidence: not what was fitted to, nor what was only computed."""
    outside = [p for p in time if p.table.id != FITTED_ON]
    return runs(outside), runs([p for p in memory if not p.table.computed])


def together(
    time: Sequence[Prediction],
    memory: Sequence[Prediction],
    plain: Sequence[Prediction],
    alone: Sequence[Prediction],
) -> Record:
    """The fit, and the errors outside it."""
    rows = (*_of_time(time, plain), *_of_memory(memory, alone))
    return Record("together", "All together", "wrr", ("what", "", "of"), rows)


def _of_time(time: Sequence[Prediction], plain: Sequence[Prediction]) -> tuple[tuple[str, ...], ...]:
    """The efficiency, the errors of step times, and how many runs fit."""
    inside = [one for one in time if one.table.id == FITTED_ON]
    outside = [one for one in time if one.table.id != FITTED_ON]
    alike = [one for one in plain if one.table.id != FITTED_ON]
    recent = [one for one in alike if not one.table.id.startswith("mosaic")]
    of_each = [median_error(some) for some in grouped(outside).values()]
    ends = [worst_end(one) for one in outside]
    efficiency = f"{float(time[0].values['eta']):.3f}"
    fitting = sum(one.values["u_M"] <= 1 for one in time)
    return (
        ("efficiency of matrix products, fitted", efficiency, str(len(inside))),
        ("median error of the rows it was fitted on", *_median(inside)),
        ("median error of all other step times", *_median(outside)),
        ("the same, each at what fits least of what its source leaves open",
         percent(statistics.median(ends)), str(len(ends))),
        ("the same, with the planner's efficiency of attention for every kernel", *_median(alike)),
        ("the same, without MosaicML's rows (FlashAttention of 2022)", *_median(recent)),
        ("median over sources of a source's median error", percent(statistics.median(of_each)),
         str(len(of_each))),
        ("step times within 10 %", *_share(outside, Fraction(1, 10))),
        ("step times within 15 %", *_share(outside, FAR)),
        ("runs that took place, and that we say fit", str(fitting), str(len(time))),
    )  # fmt: skip


def _of_memory(memory: Sequence[Prediction], alone: Sequence[Prediction]) -> tuple[tuple[str, ...], ...]:
    """The errors of figures that were measured, and of those that follow from formulas."""
    weighed = [one for one in memory if not one.table.computed]
    reckoned = [one for one in memory if one.table.computed]
    of_each = [median_error(some) for some in grouped(weighed).values()]
    return (
        ("median error of all published figures of memory", *_median(memory)),
        ("median error of memory that was measured", *_median(weighed)),
        ("median over sources of a source's median error, measured",
         percent(statistics.median(of_each)), str(len(of_each))),
        ("measured within 5 %", *_share(weighed, NEAR)),
        ("median of the measured by the plan alone, told nothing of a source's software but its layout",
         *_median(alone)),
        ("within 5 % that way", *_share(alone, NEAR)),
        ("median error of memory that its authors computed", *_median(reckoned)),
    )  # fmt: skip


def _median(some: Sequence[Prediction]) -> tuple[str, str]:
    """The median error, and of how many."""
    return percent(median_error(some)), str(len(some))


def _share(some: Sequence[Prediction], limit: Fraction) -> tuple[str, str]:
    """How many are within a limit, and of how many."""
    return str(sum(abs(one.error) <= limit for one in some)), str(len(some))


def too_heavy(time: Sequence[Prediction]) -> Record:
    """Runs that took place though we say that their devices have too little memory."""
    rows = tuple(
        (one.table.short, one.row.name, digits(one.values["M"] / 10**9), digits(one.values["u_M"] * 100),
         one.table.heavy(one.row) or NO_REASON)
        for one in sorted(time, key=lambda one: -one.values["u_M"]) if one.values["u_M"] > 1
    )  # fmt: skip
    head = ("source", "row", "ours, GB", "of the device, %", "why")
    return Record("heavy", "Runs that took place, and that we say do not fit", "lwrrw", head, rows)


def by_table(name: str, caption: str, found: Sequence[Prediction], limit: Fraction) -> Record:
    """A row a source, the worst median first."""
    head = ("source", "", "rows", "median, %", "signed, %", "worst, %",
            f"beyond {int(limit * 100)} %")  # fmt: skip
    rows = tuple(_summary(table, some, limit) for table, some in by_median(found).items())
    return Record(name, caption, "lwrrrrr", head, rows)


def ratios(name: str, what: str, found: Sequence[Prediction]) -> Record:
    """Ours over theirs, by source as above, for a figure."""
    caption = f"Predicted over published {what}: a stroke for every row, thick at a source's median"
    rows = tuple(
        (table.short, " ".join(f"{float(one.ours / one.theirs):.3f}" for one in some))
        for table, some in by_median(found).items()
    )
    return Record(name, caption, "lw", ("source", "predicted over published"), rows)


def by_median(found: Sequence[Prediction]) -> dict[Table, list[Prediction]]:
    """Predictions by their table, the worst median first."""
    of = grouped(found)
    worst = sorted(of, key=lambda table: (-median_error(of[table]), table.id))
    return {table: of[table] for table in worst}


def _summary(table: Table, some: Sequence[Prediction], limit: Fraction) -> tuple[str, ...]:
    errors = [one.error for one in some]
    return (
        table.short, table.title + (" (the fit)" if table.id == FITTED_ON else ""), str(len(some)),
        percent(median_error(some)), signed(statistics.median(errors)), signed(max(errors, key=abs)),
        str(sum(abs(error) > limit for error in errors)),
    )  # fmt: skip


def step_times(found: Sequence[Prediction]) -> tuple[Record, ...]:
    """Every row: published and predicted, and how far off we were had we taken it otherwise."""
    head = ("source", "row", "layout", "theirs", "ours", "error", "MFU, causal", "ours", "otherwise")
    rows = tuple(
        (one.table.short, one.row.name, "·".join(f"{float(one.values[k]):g}" for k in LAYOUT),
         digits(one.theirs), digits(one.ours), signed(one.error),
         percent(one.values["u"] * one.ours / one.theirs), percent(one.values["u"]), _ends(one))
        for one in worst_first(found)
    )  # fmt: skip
    return in_parts(Record("rows", "Every step time, worst first", "lwlrrrrrw", head, rows), ROWS)


def figures(found: Sequence[Prediction]) -> tuple[Record, ...]:
    """Every figure of memory."""
    head = ("source", "row", "in", "published", "ours", "error, %", "otherwise, %")
    rows = tuple(
        (one.table.short, one.row.name, one.table.unit, digits(one.theirs), digits(one.ours),
         signed(one.error), _ends(one))
        for one in worst_first(found)
    )  # fmt: skip
    return in_parts(
        Record("memory-rows", "Every figure of memory, worst first", "lwlrrrw", head, rows), ROWS
    )


def _ends(one: Prediction) -> str:
    return ", ".join(signed(error) for _, error in one.ends)


def reasons(name: str, caption: str, found: Sequence[Prediction], limit: Fraction) -> Record:
    """Each source with rows beyond a limit: which, and the reason."""
    said: dict[tuple[str, str], list[Prediction]] = {}
    for one in worst_first(found):
        if abs(one.error) > limit:
            why = one.table.remark(one.row) or NO_REASON
            said.setdefault((one.table.short, why), []).append(one)
    rows = tuple(
        (title, str(len(some)), f"{signed(some[0].error)} … {signed(some[-1].error)}", why)
        for (title, why), some in said.items()
    )
    return Record(name, caption, "lrlw", ("source", "rows", "errors, %", "why"), rows)


def taken(name: str, caption: str, found: Sequence[Prediction]) -> tuple[Record, ...]:
    """What each source says of letters, and what it leaves open."""
    rows: list[tuple[str, str, str]] = []
    for table in grouped(found):
        rows.append((table.short, "", table.source + _convention(table)))
        rows += [(table.short, fact.letters, fact.says) for fact in table.facts]
        rows += [(table.short, ", ".join(one.given), f"otherwise: {one.says}") for one in table.open]
    return in_parts(Record(name, caption, "llw", ("source", "letters", "what"), tuple(rows)), FACTS)


def in_parts(table: Record, most: int) -> tuple[Record, ...]:
    """A long table as several that each fit a page: `rows-1`, `rows-2`."""
    starts = range(0, len(table.rows), most)
    if len(starts) == 1:
        return (table,)
    return tuple(
        replace(table, name=f"{table.name}-{i}", rows=table.rows[start : start + most],
                caption=f"{table.caption}, part {i} of {len(starts)}")
        for i, start in enumerate(starts, 1)
    )  # fmt: skip


def _convention(table: Table) -> str:
    return f". In {table.unit}" + (f"; {table.convention}" if table.convention else "")


def grouped(found: Iterable[Prediction]) -> dict[Table, list[Prediction]]:
    """Predictions by their table, in order."""
    groups: dict[str, list[Prediction]] = {}
    for one in found:
        groups.setdefault(one.table.id, []).append(one)
    return {some[0].table: some for some in groups.values()}


def worst_first(found: Iterable[Prediction]) -> list[Prediction]:
    """By the size of the error, then as the tables have them."""
    return sorted(found, key=lambda one: -abs(one.error))


def digits(value: Fraction) -> str:
    """Four significant digits."""
    return f"{float(value):.4g}"


def percent(share: Fraction) -> str:
    """A share in per cent with one decimal."""
    return f"{float(share) * 100:.1f}"


def signed(share: Fraction) -> str:
    """A difference in per cent with its sign."""
    return f"{float(share) * 100:+.1f}"
