"""The search for the best layouts of a job: all of them looked at, those shown evaluated exactly.

Floats find the candidates and what is reported is exact. Layouts that are equal in what is to be
least come in a fixed order: less memory first (or time), then smaller t, c, p, e, t_e, v, b_m, then
a lower ZeRO stage, less recomputation, no sequence parallelism.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING, Literal, NamedTuple

from workings.planning.exact import exactly
from workings.planning.exact_layouts import ExactLayouts
from workings.planning.job import Job, JobError
from workings.planning.pareto import figures, front
from workings.planning.precedents import Precedent
from workings.planning.space import KEYS, Space, space
from workings.planning.statement import Plan
from workings.planning.unsearched import unsearched

if TYPE_CHECKING:
    from workings.planning.arrays_search import Progress, Sweep, Tally

Objective = Literal["time", "memory", "cost"]
# What is to be least, and what decides between equals.
LETTERS: Mapping[Objective, tuple[str, str]] = {
    "time": ("T_step", "M"), "memory": ("M", "T_step"), "cost": ("c_run", "M"),
}  # fmt: skip
MESH = ("t", "c", "p", "e")


class Option(NamedTuple):
    """A layout with its exact values; `tied` says that the model cannot tell it from the best.

    `precedent` is a published run that had it, where such a one was looked for.
    """

    layout: Mapping[str, int]
    values: Mapping[str, Fraction]
    tied: bool = False
    precedent: Precedent | None = None


class Rough(NamedTuple):
    """A layout of the front, with its bytes and its time or cost as floats."""

    layout: Mapping[str, int]
    memory: float
    value: float


class Result(NamedTuple):
    """What a search found: `size` is the number of layouts if nothing constrained them.

    `complete` is False where Ctrl-C ended it early.
    """

    objective: Objective
    best: tuple[Option, ...]
    front: tuple[Rough, ...]
    tally: Tally
    size: int
    complete: bool

    @property
    def ties(self) -> tuple[Option, ...]:
        """The best and those that the model cannot tell from it, most head-room first."""
        return tuple(sorted((o for o in self.best if o.tied), key=lambda o: o.values["M"]))


class Wishes(NamedTuple):
    """How to search.

    `number` layouts are shown, one for each combination of the letters in `alike` (any, where it is
    empty). Those within `model_error` of the best are ties. `limit` is the share of the device's
    memory that may be used (the job's own where nothing is said), `min_mfu` the MFU that is to be
    reached. `only` restricts axes to some
    values, by letter, or by `zero`, `recompute` and `sequence_parallel`; `largest_tp` bounds tensor
    parallelism (a node where nothing is said), `most_chunks` the chunks of a rank. `wanted` are more
    letters to evaluate. `late` has by how much runs that keep their weights whole, and runs that shard
    them, may be later than the model has them: step times are compared with that. `precedents` are
    looked at besides, however slow they are.
    """

    objective: Objective = "time"
    number: int = 10
    alike: Sequence[str] = MESH
    model_error: Fraction = Fraction(0)
    limit: Fraction | None = None
    min_mfu: Fraction | None = None
    only: Mapping[str, Sequence[int | str]] | None = None
    largest_tp: int | None = None
    most_chunks: int | None = None
    wanted: Sequence[str] = ()
    late: tuple[Fraction, Fraction] = (Fraction(1), Fraction(1))
    precedents: Sequence[Precedent] = ()

    def compared(self, option: Option) -> Fraction:
        """What is to be least of a layout."""
        value = option.values[LETTERS[self.objective][0]]
        return value if self.objective == "memory" else value * self.late[option.layout["z_2"]]


def search(
    job: Job, plan: Plan, wishes: Wishes | None = None, progress: Progress | None = None
) -> Result:
    """The best layouts of a job that fit; `progress` is told meshes done and in all.

    Raises JobError where no layout fulfils the constraints; where none fits, `best` is empty.
    """
    wishes = wishes or Wishes()
    where = _space(job, wishes)
    with _uncollected():
        sweep = _sweep(job, plan, where, wishes)
        complete = sweep.run(progress)
        best = _exact(job, plan, sweep, wishes)
    if best:
        best = _in_order((*best, *_published(job, plan, wishes)), wishes)
    rough = (Rough(layout, memory, value) for layout, memory, value in sweep.front_layouts())
    edge = tuple(front(rough, lambda o: figures(o.memory), lambda o: figures(o.value)))
    return Result(wishes.objective, best, edge, sweep.tally, where.size, complete)


def _space(job: Job, wishes: Wishes) -> Space:
    return space(job, wishes.only, wishes.largest_tp, wishes.most_chunks)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Leave cyclic garbage for later: looking for it goes through all that was imported each time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def lightest(job: Job, plan: Plan, wishes: Wishes | None = None) -> tuple[Option, Tally]:
    """The layout of the least memory, whether or not it fits, and how many there are.

    For a search that finds nothing: memory alone is looked at. Raises JobError where no layout fulfils
    the constraints.
    """
    wishes = wishes or Wishes()
    endless = wishes._replace(objective="memory", limit=Fraction(10**9), min_mfu=None, number=1, alike=())
    with _uncollected():
        sweep = _sweep(job, plan, _space(job, wishes), endless, letter="M")
        sweep.run()
        [place] = sweep.best(1, ())
        layout = sweep.points.layout(place.row, place.places)
        values = ExactLayouts(plan, job.values(), ("M", "d")).at(layout)
    return Option(layout, values), sweep.tally


def _sweep(job: Job, plan: Plan, where: Space, wishes: Wishes, letter: str = "") -> Sweep:
    from workings.planning.arrays import Reading  # noqa: PLC0415 - NumPy is slow to load
    from workings.planning.arrays_points import Points  # noqa: PLC0415 - the same
    from workings.planning.arrays_search import Sweep  # noqa: PLC0415 - the same

    points = Points(where)
    if not points.count:
        expected = "; ".join(["expected at least one", *unsearched(job.figures)])
        raise JobError(f"{job.name}: no layout fulfils the constraints, {expected}")
    letter = letter or next(name for name in LETTERS[wishes.objective] if name != "M")
    reading = Reading(plan, job.values(), points, ("M", letter))
    return Sweep(
        reading, letter, float(limit_of(job, wishes)), by_memory=wishes.objective == "memory",
        slowest=_slowest(job, plan, letter, wishes.min_mfu), late=wishes.late,
    )  # fmt: skip


def _slowest(job: Job, plan: Plan, letter: str, min_mfu: Fraction | None) -> float:
    """The most time, or cost, at which the MFU is reached: times the MFU, every layout's is the same."""
    if min_mfu is None or letter == "M":
        return inf
    found = exactly(plan, job.values(), [letter, "u"])
    return float(found[letter] * found["u"] / min_mfu)


def limit_of(job: Job, wishes: Wishes) -> Fraction:
    """The bytes that a rank may hold."""
    return (job.limit if wishes.limit is None else wishes.limit) * job.figures["M_dev"].value


def _exact(job: Job, plan: Plan, sweep: Sweep, wishes: Wishes) -> tuple[Option, ...]:
    """The best layouts, evaluated and ordered exactly, those near the first marked."""
    first, second = LETTERS[wishes.objective]
    wanted = (first, second, *wishes.wanted, *(() if wishes.min_mfu is None else ("u",)))
    exact = ExactLayouts(plan, job.values(), tuple(dict.fromkeys(wanted)))
    places = sweep.best(wishes.number, wishes.alike)
    layouts = [sweep.points.layout(place.row, place.places) for place in places]
    found = [Option(layout, exact.at(layout)) for layout in layouts]
    found = [option for option in found if option.values["M"] <= limit_of(job, wishes)]  # now exactly
    if wishes.min_mfu is not None:
        found = [option for option in found if option.values["u"] >= wishes.min_mfu]
    return _in_order(found, wishes)


def _in_order(found: Sequence[Option], wishes: Wishes) -> tuple[Option, ...]:
    """The best first, those near it marked; equals as they came, of one layout that with a precedent."""
    second = LETTERS[wishes.objective][1]
    distinct = {tuple(option.layout.items()): option for option in found}
    ordered = sorted(distinct.values(), key=lambda o: (wishes.compared(o), o.values[second]))
    if not ordered:
        return ()
    near = wishes.compared(ordered[0]) * (1 + wishes.model_error)
    return tuple(option._replace(tied=wishes.compared(option) <= near) for option in ordered)


def _published(job: Job, plan: Plan, wishes: Wishes) -> Iterator[Option]:
    """Of each precedent the lightest of its layouts that are nearly the fastest.

    Micro-batches, and what shards or computes again in part, are not known of published runs.
    """
    for precedent in wishes.precedents:
        only = {**precedent.only}
        for axis, values in (wishes.only or {}).items():
            letter = next((n for n, key in KEYS.items() if key == axis), axis)
            asked = {str(value) for value in values}  # `zero` may be a number or its label
            only[letter] = [value for value in only.get(letter, values) if str(value) in asked]
        with suppress(JobError):  # of an axis no value is left, or the program refuses the layout
            found = search(job, plan, wishes._replace(only=only, alike=("b_m",), precedents=()))
            yield from (option._replace(precedent=precedent) for option in found.ties[:1])
