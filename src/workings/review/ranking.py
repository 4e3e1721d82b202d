"""The table of the layouts that a search finds best, and where the one under review stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from workings.document.blocks import Block, Prose, Text
from workings.planning.accuracy import MOST_CHUNKS, Run, step_times
from workings.planning.choice import holds_surely, late_step, likely_step
from workings.planning.cost import plan
from workings.planning.frameworks import refused
from workings.planning.generations import generation
from workings.planning.job import Job
from workings.planning.pairs import order, pair_error
from workings.planning.search import Option
from workings.planning.unsearched import unsearched
from workings.planning.working import shown
from workings.review.alternatives import Alternatives, doubt
from workings.review.cases import NONE
from workings.review.desk import Cell, Desk
from workings.review.front_page import heading
from workings.review.likest import batch, published_at, step_at
from workings.review.naming import again, axes, named_at, zero_stage
from workings.review.numbers import alike, percent, words
from workings.units import BYTE, SECOND

LONGEST = len("nothing")  # of what is computed again, in a cell
PRINTED = 5  # layouts in the table, and those that are spoken of
LIKE = ("t", "p", "e", "t_e", "v", "z_1", "z_2", "z_3", "z_c", "z_f", "z_s")  # and unlike in c and b_m


def ranking(desk: Desk, found: Alternatives | None) -> Iterator[Block]:
    """The table, and where the layout under review stands."""
    yield heading("Alternatives")
    if found is None or not found.result.best:
        yield Prose((Text(standing(desk, found)),))
        return
    tied, others = _printed(desk, found)
    options = (*tied, *others, found.ours)
    runs = [published_at(desk, option.layout) for option in options]
    more = "".join(f" {text[0].upper()}{text[1:]}." for text in unsearched(desk.job.figures))
    yield Prose(words(
        f"{_searched(desk, found)}{more} {standing(desk, found)}{_why_ours(desk)} {_told_apart()}"
        f"{_published(desk, options, runs)}"
    ))  # fmt: skip
    signs = [*("=" * len(tied)), *[""] * len(others)]
    marks = [*(_held_against(desk, *one) for one in zip(options, signs, strict=False)), "ours"]
    yield _table(desk, found, options, [_mark(desk, *one) for one in zip(marks, runs, strict=True)])


def _searched(desk: Desk, found: Alternatives) -> str:
    """How many layouts there are, what constrains them, how many fit, and into what."""
    tally, job = found.result.tally, desk.job
    room = shown(job.limit * desk.base["M_dev"], BYTE)
    return (
        f"Of {tally.valid:,} layouts that fulfil the constraints{_few_chunks(desk)} {tally.fitting:,} "
        f"fit {room}, the {percent(job.limit)} of a device that a search fills; the answer allows "
        f"{percent(job.limit_if)}. {_constraints(job)}"
    )


def _constraints(job: Job) -> str:
    """What every layout of the search fulfils, in a few words."""
    said = (
        "Constraints (docs/reviews.md): degrees divide the devices and what they split, tensor "
        "parallelism stays inside a node, and "
    )
    if not job.framework:
        return f"{said}no program is named that might refuse more."
    return f"{said}{'; '.join(one.words for one in refused(job.framework, generation(job.device)))}."


def _published(desk: Desk, options: Sequence[Option], runs: Sequence[Run | None]) -> str:
    """Which layouts of the table were run and told of, by whom."""
    told = [
        f"{named_at(desk.base, option.layout)} took {_took(desk, run)} ({run.name}, {run.source})"
        for option, run in zip(options, runs, strict=True)
        if run is not None
    ]
    if not told:
        return ""
    return (
        " Published of this model, in all of a layout that is told (degrees, chunks, ZeRO-3, blocks "
        f"computed again): {'; '.join(told)}."
    )


def _held_against(desk: Desk, option: Option, sign: str) -> str:
    """Its sign, and what keeps it from being proposed: `= tight, rare`."""
    values = {**desk.base, **{name: Fraction(value) for name, value in option.layout.items()}}
    tight = [] if holds_surely(desk.job, option, plan()) else ["tight"]
    return f"{sign} {', '.join(tight + ['rare'] * bool(doubt(desk, values)))}".strip()


def _mark(desk: Desk, mark: str, run: Run | None) -> str:
    """The last column: whether it is a tie, and the step that was published of it."""
    if run is None:
        return mark
    return f"{mark} {_took(desk, run)} published".strip()


def _took(desk: Desk, run: Run) -> str:
    """A published step, and its batch where that is another."""
    sequences = batch(desk, run)
    more = "" if sequences == desk.base["b"] else f" for {round(sequences):,} sequences"
    return f"{shown(run.figure, SECOND)}{more}"


def _table(desk: Desk, found: Alternatives, options: Sequence[Option], marks: Sequence[str]) -> Block:
    """A row for each layout, the one under review last."""
    memory = alike([o.values["M"] for o in options], BYTE, 3)
    half = [*(likely_step(desk.job, o) for o in options[:-1]), desk.likely("T_step").middle]
    steps = alike(half, SECOND)
    late = alike([*(late_step(desk.job, o) for o in options[:-1]), desk.likely("T_step").most], SECOND)
    middles: list[Cell] = [*steps[:-1], NONE if desk.read_in_two_ways else steps[-1]]
    rows: list[tuple[Cell, ...]] = [
        (*_layout(desk, o.layout), m, s, p90, mark)
        for o, m, s, p90, mark in zip(options, memory, middles, late, marks, strict=True)
    ]
    head = (" · ".join(name for name, _ in axes(desk.base)), "chunks", "micro", "again", "ZeRO", "memory",
            "P50", "P90", "")  # fmt: skip
    caption = _caption(likely_step(desk.job, found.result.best[0]))
    return desk.table("alternatives", caption, "lrrwrrrrl", head, rows, bold=(len(rows) - 1,))


def _caption(least: Fraction) -> str:
    """What stands in the table, and what the sign means; `least` is the least P50."""
    off = percent(pair_error(), 2)
    return (
        "The best layout of each mesh by its P50, the step that half of the published runs of its kind "
        "keep to, but one alone of those that differ only in CP and micro-batch; memory by the model, "
        "P50 and P90 of a step. Marked =, the lightest first: a P50 at most "
        f"{off} above the least one of those searched ({shown(least, SECOND)}); {off} is by how much the "
        "model is off in the median where another layout of the same model is known. Tight: its memory "
        "is not GO; rare: few published runs on such devices had what it has and ours has not. Last, the "
        "layout under review"
    )


def _told_apart() -> str:
    """How often the model has the right one of two layouts as the faster."""
    found = order(step_times(), pair_error())
    return (
        f"Of {found.pairs:,} pairs of published runs of one model on as many devices that the model has "
        f"more than {percent(pair_error(), 2)} apart, it has {percent(found.share, 2)} in the right "
        f"order ({found.sources} sources, each counting alike)."
    )


def _printed(desk: Desk, found: Alternatives) -> tuple[list[Option], list[Option]]:
    """The layouts of the table, those that the model cannot tell apart first.

    Those that are spoken of stand there in any case, in place of others like them.
    """
    tied = sorted((o for o in found.ranked if o.tied), key=lambda o: o.values["M"])
    spoken = (found.result.best[0], found.option, found.surest)
    seen = {_like(o) for o in spoken if o}
    kept = []
    for option in (*tied, *(o for o in found.ranked if not o.tied)):
        if _layout(desk, option.layout) == _layout(desk, found.ours.layout):  # which stands below
            continue
        if option in spoken or _like(option) not in seen:
            kept.append(option)
        seen.add(_like(option))
    shown_ = [*kept[:PRINTED], *(o for o in kept[PRINTED:] if o in spoken)]
    return [o for o in shown_ if o.tied], [o for o in shown_ if not o.tied]


def _like(option: Option) -> tuple[int, ...]:
    """The same of layouts that differ only in context parallelism, replicas and micro-batches."""
    return tuple(option.layout[letter] for letter in LIKE)


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
    behind = desk.likely("T_step").middle / likely_step(desk.job, found.result.best[0]) - 1
    less = percent(behind / (1 + behind), 2)
    if desk.read_in_two_ways:
        return ("The step of this layout can be read in two ways; all others below are by the middle of "
                "both, beside which the least of a search is "
                f"{less if behind > 0 else 'no'} less.")  # fmt: skip
    if behind > pair_error():
        return f"A search finds layouts whose step has a P50 that is up to {less} less."
    if behind <= 0:
        if "T_step" in desk.known:
            return ("The step of this layout is known: no other that keeps the constraints and the "
                    "memory limit has a P50 below it.")  # fmt: skip
        return "No layout that keeps the constraints and the memory limit has a step of a smaller P50."
    return f"The least P50 of a step that a search finds is {less} less, which the model cannot tell."


def _why_ours(desk: Desk) -> str:
    """Why a search took the layout under review, and not one that is faster by less than can be told."""
    if desk.job.chosen:
        return ""
    if (run := published_at(desk, {})) is not None:
        step = shown(step_at(desk, run), SECOND)
        return (
            f" Ours was published: at its MFU a step here takes {step}. A published layout whose memory "
            f"is GO comes first where its step, half-way between that and its P50, is at most "
            f"{percent(pair_error())} above the least P50."
        )
    return (
        " Ours was chosen of those marked =: of these whose memory is GO (of all, if none is) it has the "
        "fewest kinds of parallelism, sharding and recomputation, and of several such the least P50."
    )


def _layout(desk: Desk, layout: Mapping[str, int]) -> tuple[Cell, ...]:
    """The cells that say what a layout is."""
    v = {**desk.base, **{name: Fraction(value) for name, value in layout.items()}}
    v["d"] = desk.base["n"] / (v["t"] * v["c"] * v["p"])
    mesh = " · ".join(f"{int(v[letter]):,}" for _, letter in axes(desk.base)) + (
        ", SP" if v["z_s"] else ""
    )
    said = again(v)
    told = said if len(said) <= LONGEST else "parts"  # as “What is trained” names them
    return mesh, str(layout["v"]), str(layout["b_m"]), told, zero_stage(v)
