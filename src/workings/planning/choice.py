"""The layout that is named first: by `plan`, by a review that recommends, and for a job that has none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from workings.planning import odds
from workings.planning.accuracy import (
    FEW,
    MOST_CHUNKS,
    Evidence,
    Run,
    Spread,
    alike,
    evidence,
    peaks,
    spread,
    step_times,
    widened,
)
from workings.planning.exact import exactly
from workings.planning.generations import generation
from workings.planning.job import NO_RESULTS, Job
from workings.planning.pairs import after_a_step, of_peaks, of_steps, pair_error
from workings.planning.precedents import precedents
from workings.planning.precision import precision
from workings.planning.sayable import sayable
from workings.planning.search import Option, Result, Wishes
from workings.planning.statement import Plan
from workings.planning.stored import stored_plan

WANTED = ("M", "T_step", "u")
LIKELY = Fraction(3, 4)  # the chance of being the faster from which on another layout is to be timed
LOOKED_AT = 10  # layouts, the best of each mesh, of which one is chosen
RANKED = 30  # beside a job's own layout: one that is surely faster may not be among the first
SURE = Fraction(9, 10)  # the chance of being faster from which on another layout is to be taken


def wishes(job: Job, number: int = LOOKED_AT) -> Wishes:
    """What is asked of a search: no more chunks a rank than published runs, or the job's own, have.

    A layout's step is what half of the published runs of its kind keep to, its P50: how far the last of
    ten lies hangs on one source or two.
    """
    most = max(int(job.values()["v"]) if job.chosen else 1, MOST_CHUNKS)
    late = _later(job, 0), _later(job, 1)
    had = () if job.chosen else tuple(precedents(job, stored_plan()))
    return Wishes(number=number, model_error=pair_error(), most_chunks=most, wanted=WANTED, late=late,
                  precedents=had)  # fmt: skip


def _kind(job: Job, z_2: int) -> Mapping[str, Fraction]:
    """The job's values with whole gradients, or with sharded ones: what tells its runs from others."""
    return {**job.values(), "z_2": Fraction(z_2)}


def _later(job: Job, z_2: int) -> Fraction:
    """By how much runs with whole gradients, or sharded ones, are later in the middle."""
    return step_of_kind(job, _kind(job, z_2)).middle


def step_of_kind(job: Job, values: Mapping[str, Fraction]) -> Spread:
    """A step of a layout's kind over what the model says of it; where too few ran it is assumed."""
    found = spread(of_steps(job, values))
    ends = tuple((n, f.value, f.low, f.high) for n, f in job.figures.items())
    return _assumed(ends) if found is None else found


@lru_cache(16)
def _assumed(figures: tuple[tuple[str, Fraction, Fraction | None, Fraction | None], ...]) -> Spread:
    """The ends of the assumptions in the job's own layout, or of all runs if these lie further apart."""
    base = {n: value for n, value, _, _ in figures}
    ends = (
        {n: value if best is None else best for n, value, best, _ in figures},
        {n: value if worst is None else worst for n, value, _, worst in figures},
    )
    step, low, high = (exactly(stored_plan(), case, ["T_step"])["T_step"] for case in (base, *ends))
    return widened(low / step, high / step, step_times())


def likely_step(job: Job, option: Option) -> Fraction:
    """The seconds that half of the published runs of the layout's kind keep to: the P50 of a step."""
    return option.values["T_step"] * step_of_kind(job, _kind(job, option.layout["z_2"])).middle


def late_step(job: Job, option: Option) -> Fraction:
    """The seconds that nine of ten published runs of the layout's kind keep to: the P90 of a step."""
    return option.values["T_step"] * step_of_kind(job, _kind(job, option.layout["z_2"])).most


def pairs_of(job: Job, option: Option) -> tuple[Run, ...]:
    """Published runs of one model each, which tell how far apart steps lie beside what the model says."""
    device = generation(job.device), precision(job)
    return after_a_step(device, _kind(job, option.layout["z_2"]), job.framework)


def faster(job: Job, option: Option, own: Fraction) -> Fraction:
    """The chance that a layout's step is shorter than one of so many seconds, by such pairs."""
    apart = odds.of_runs(pairs_of(job, option))  # around their own middle, which the likely step has
    return odds.chance(apart, odds.deciles(apart).middle * own / likely_step(job, option))


def likely_faster(job: Job, option: Option, own: Fraction) -> bool:
    """Whether a layout's step is shorter by more than the model can tell, and in three of four cases."""
    shorter = likely_step(job, option) * (1 + pair_error()) < own
    return shorter and faster(job, option, own) >= LIKELY


def surely_faster(job: Job, option: Option, own: Fraction, plan: Plan) -> bool:
    """Whether nothing is to be timed: faster in nine of ten cases, GO on memory, like published runs."""
    if faster(job, option, own) < SURE or not holds_surely(job, option, plan):
        return False
    return rare(job, {n: Fraction(value) for n, value in option.layout.items()}) is None


def rare(job: Job, layout: Mapping[str, Fraction]) -> Evidence | None:
    """What a layout has, the job's own has not, and fewest published runs on such devices had."""
    ours = job.values()
    theirs = {**ours, **layout}
    seen = evidence(alike(step_times(), generation(job.device), precision(job)))
    few = (e for e in seen if e.rows < FEW)
    new = (e for e in few if e.feature.holds(theirs) and not e.feature.holds(ours))
    return min(new, key=lambda e: e.rows, default=None)


def _own_step(job: Job, plan: Plan) -> Fraction:
    """The same of the job's own layout: where its step was measured or published, just that."""
    step = exactly(plan, job.values(), ["T_step"])["T_step"]
    known = job.carried.times if job.measured.values or job.published.values else None
    return step * (known or step_of_kind(job, job.values()).middle)


def first_choice(job: Job, found: Result, plan: Plan) -> Option | None:
    """Of the layouts that the model cannot tell from the fastest, one that asks for little.

    Of those that the job's program can be told, if it can be told the job's own, and that reach the
    MFU it asks for, those come first that are faster than the job's own layout, if it has one, by more
    than the model can tell; then those whose memory is GO by its odds; of them the fastest of those with
    the fewest kinds of parallelism, sharding and recomputation that the job's own does without, what few
    published runs had counted twice. Faster is what has the smaller P50 of a step. Before all of them
    comes a layout that the job's model was trained in, if as far as is known none is faster by more.
    """
    if (tried := _tried(job, found, plan)) is not None:
        return tried
    unsaid = job.chosen and not sayable(job)  # for what no layout changes
    tied = [option for option in found.best if option.tied and (unsaid or sayable(at(job, option)))]
    tied = [option for option in tied if option.values["u"] >= (job.min_mfu or 0)] or tied
    ours = job.values()
    faster = []
    if job.chosen:
        step = _own_step(job, plan)
        faster = [o for o in tied if likely_step(job, o) * (1 + pair_error()) < step]
    return min(faster or tied, key=lambda o: (not holds_surely(job, o, plan), _new(o.layout, ours)),
               default=None)  # fmt: skip


def _tried(job: Job, found: Result, plan: Plan) -> Option | None:
    """The layout of the fastest published run of a job's model, if its memory is GO and it can be told.

    Not where half of the runs in the best layout are faster by more than the model can tell. A step is
    nearest to half-way between what the published MFU makes of it and its P50 (BY_LAYOUT of precedents):
    the product of both is held against a square.
    """
    had = [(option.precedent.step, option) for option in found.best if option.precedent]
    slowest = likely_step(job, found.best[0]) * (1 + pair_error()) if had else 0
    good = (
        (step, option) for step, option in had
        if step * likely_step(job, option) <= slowest**2 and sayable(at(job, option))
        and holds_surely(job, option, plan) and option.values["u"] >= (job.min_mfu or 0)
    )  # fmt: skip
    first = min(good, key=lambda one: one[0], default=None)
    return first and first[1]


def proposed(job: Job, found: Result, plan: Plan) -> Option | None:
    """The layout that is named first: beside the job's own, if it has one, one that is surely faster.

    That which asks for little, if it is; else the shortest step that is, or that likely is.
    """
    if not job.chosen:
        return first_choice(job, found, plan)
    first = first_choice(job, found._replace(best=found.best[:LOOKED_AT]), plan)
    if first is None:
        return None
    own = _own_step(job, plan)
    likely = [option for option in found.best if likely_faster(job, option, own)]
    surely = [option for option in likely if surely_faster(job, option, own, plan)]
    if not likely or first in surely or (first in likely and not surely):
        return first
    return min(surely or likely, key=lambda option: likely_step(job, option))


def named_first(job: Job, found: Result, plan: Plan) -> Result:
    """The result with the layout that is named first in front of the others."""
    first = proposed(job, found, plan)
    if first is None:
        return found
    return found._replace(best=(first, *(option for option in found.best if option is not first)))


def at(job: Job, option: Option) -> Job:
    """The job with the layout of an option, of which nothing was measured or published."""
    layout = {name: Fraction(value) for name, value in option.layout.items()}
    return replace(job, measured=NO_RESULTS, published=NO_RESULTS).with_values(layout)


def holds_surely(job: Job, option: Option, plan: Plan) -> bool:
    """Whether the memory is GO: within the limit of a review at P90 of its odds."""
    found = spread(of_peaks(job, Fraction(option.values["M"])))
    if found is None:
        figures = at(job, option).figures
        high = {n: f.value if f.high is None else f.high for n, f in figures.items()}
        most = exactly(plan, high, ["M"])["M"] / Fraction(option.values["M"])
        found = widened(Fraction(1), most, peaks())
    return option.values["M"] * found.most <= job.limit_if * job.figures["M_dev"].value


def _new(layout: Mapping[str, int], ours: Mapping[str, Fraction]) -> int:
    switches = ("z_1", "z_2", "z_3", "z_c", "z_f")
    degrees = ("t", "c", "p", "e", "v")
    kinds = sum(layout[n] > ours[n] for n in switches) + sum(layout[n] > 1 == ours[n] for n in degrees)
    few = (e.feature for e in evidence(step_times()) if e.weak and e.feature.letter in layout)
    return kinds + sum(layout[f.letter] > f.above >= ours[f.letter] for f in few)
