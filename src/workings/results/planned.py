"""What `plan` returns: the layouts of a job worth considering, the one that is named first in front."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from workings.errors import UserError
from workings.planning.best import kept
from workings.planning.choice import LOOKED_AT, RANKED, named_first
from workings.planning.choice import wishes as usual
from workings.planning.job import Job, JobError
from workings.planning.output.layouts import as_dict, text
from workings.planning.search import LETTERS, MESH, Objective, Result, Rough, Wishes, search
from workings.planning.stored import stored_plan
from workings.planning.timeline import Timeline, timeline
from workings.planning.unsearched import unsearched
from workings.results.layout import COLUMNS, Layout, cells, layout_at
from workings.values.tabled import tabled

if TYPE_CHECKING:
    from workings.planning.arrays_search import Progress

Said = TypeVar("Said")
SHOWN = 5  # layouts, by repr
_AXES = {
    "tp": "t", "cp": "c", "pp": "p", "ep": "e", "etp": "t_e", "virtual_stages": "v", "chunks": "v",
    "microbatch": "b_m", "micro": "b_m", "sp": "sequence_parallel",
}  # fmt: skip
_WORDS = {
    "recompute": {"selective": "core"},
    "sequence_parallel": {"true": "yes", "false": "no", "1": "yes", "0": "no"},
}


@dataclass(frozen=True, repr=False)
class PlanResult:
    """The layouts that a search found for a job."""

    job: Job
    found: Result

    @property
    def name(self) -> str:
        """What the job is called."""
        return self.job.name

    @property
    def best(self) -> Layout:
        """The first of `layouts`: of those that cannot be told apart, one that asks for little."""
        return self.layouts[0]

    @cached_property
    def layouts(self) -> tuple[Layout, ...]:
        """Those worth considering, the one that is named first in front, the others by the objective."""
        return tuple(layout_at(self.job, o.layout, o.values, tied=o.tied) for o in self.found.best)

    @property
    def front(self) -> tuple[Rough, ...]:
        """Layouts that none beats in memory and objective at once: `memory` in bytes, and `value`."""
        return self.found.front

    @property
    def complete(self) -> bool:
        """False where Ctrl-C ended the search early."""
        return self.found.complete

    @property
    def left_out(self) -> tuple[str, ...]:
        """What the search leaves out for the sizes of this job, in sentences."""
        return tuple(unsearched(self.job.figures))

    def megatron_arguments(self) -> list[str]:
        """The best layout that Megatron-LM can be told, as its arguments. Raises JobError."""
        from workings.planning.inputs.megatron.writing import megatron_arguments  # noqa: PLC0415 - rare

        return self._said(megatron_arguments)

    def torchtitan_job(self) -> str:
        """The best layout that torchtitan can be told, as its TOML. Raises JobError."""
        from workings.planning.inputs.torchtitan_writing import torchtitan_job  # noqa: PLC0415 - rare

        return self._said(torchtitan_job)

    def _said(self, program: Callable[[Job], Said]) -> Said:
        """The first layout that a program can be told. Raises JobError."""
        problem: JobError | None = None
        for option in self.found.best:
            try:
                return program(self.job.with_values({n: Fraction(v) for n, v in option.layout.items()}))
            except JobError as error:
                problem = problem or error
        raise problem or AssertionError("a search that found nothing")

    def timeline(self) -> Timeline:
        """The step of the best layout by the clock, for `--trace`. Raises UserError."""
        layout = {name: Fraction(value) for name, value in self.found.best[0].layout.items()}
        return timeline(stored_plan(), self.job.with_values(layout).values())

    def to_dict(self) -> dict[str, Any]:
        """What `workings plan --format json` prints."""
        return as_dict(self.found, self.job)

    def __str__(self) -> str:
        return text(self.found, self.job)

    def __repr__(self) -> str:
        others = [f"       {layout!r}" for layout in self.layouts[1:SHOWN]]
        fitting = f"{self.found.tally.fitting:,} layouts fit"
        return "\n".join([f"Plan of {self.name}: {fitting}", f"first  {self.best!r}", *others])

    def _repr_html_(self) -> str:
        title = f"Plan of {self.name}: {self.found.tally.fitting:,} layouts fit"
        return tabled(*COLUMNS, map(cells, self.layouts), title)


def planned(
    job: Job, fixed: Mapping[str, object], only: Mapping[str, object], *, objective: Objective = "time",
    number: int = LOOKED_AT, every: bool = False, limit: float | None = None,
    largest_tp: int | None = None, progress: Progress | None = None,
) -> PlanResult:  # fmt: skip
    """Search the layouts of a job that keep to `fixed` and `only`. Raises UserError where none fits."""
    _check(objective, number, limit, largest_tp)
    asked = {**kept(job), **_together(fixed, only)}
    wishes = usual(job, max(number, RANKED if job.chosen else LOOKED_AT))._replace(
        objective=objective, alike=() if every else MESH,
        limit=None if limit is None else Fraction(str(limit)), only=asked or None, largest_tp=largest_tp,
        min_mfu=job.min_mfu,
    )  # fmt: skip
    if "v" in asked:
        wishes = wishes._replace(most_chunks=None)
    found = search(job, stored_plan(), wishes, progress)
    if objective == "time":
        found = named_first(job, found, stored_plan())
    if not found.best:
        raise UserError(_nothing(job, found, wishes))
    return PlanResult(job, found._replace(best=found.best[:number]))


def _check(objective: str, number: int, limit: float | None, largest_tp: int | None) -> None:
    """Refuse what no search can be asked. Raises UserError."""
    for name, given, fits, expected in (
        ("objective", objective, objective in LETTERS, f"one of {', '.join(LETTERS)}"),
        ("number", number, _whole(number), "a whole number from 1"),
        (
            "limit",
            limit,
            limit is None or (_number(limit) and 0 < limit <= 1),
            "a share above 0, at most 1",
        ),
        ("largest-tp", largest_tp, largest_tp is None or _whole(largest_tp), "a whole number from 1"),
    ):
        if not fits:
            raise UserError(f"--{name}: found {given!r}, expected {expected}")


def _number(given: object) -> bool:
    return isinstance(given, int | float | Fraction) and not isinstance(given, bool)


def _whole(given: object) -> bool:
    return isinstance(given, int) and not isinstance(given, bool) and given >= 1


def _nothing(job: Job, found: Result, wishes: Wishes) -> str:
    from workings.planning.nearest import nearest  # noqa: PLC0415 - not where a layout fits

    interrupted = f"{job.name}: interrupted before any layout was found"
    return nearest(job, stored_plan(), wishes) if found.complete else interrupted


def _together(fixed: Mapping[str, object], only: Mapping[str, object]) -> dict[str, list[int | str]]:
    """Restrictions of axes by the search's names. Raises UserError for an axis that is named twice."""
    found: dict[str, list[int | str]] = {}
    for name, given in (*fixed.items(), *only.items()):
        axis = _AXES.get(name.replace("-", "_"), name)
        values = _values(axis, given)
        if found.setdefault(axis, values) != values:
            raise UserError(f"--only {name}: found it twice, expected one value for each name")
    return found


def _values(axis: str, given: object) -> list[int | str]:
    """`1,2`, a value or several, as the search takes them."""
    if isinstance(given, str):
        listed: Sequence[object] = [value.strip() for value in given.split(",")]
    else:
        listed = list(given) if isinstance(given, Iterable) else [given]
    texts = [str(value).lower() if isinstance(value, bool) else str(value) for value in listed]
    words = [_WORDS.get(axis, {}).get(text.lower(), text) for text in texts]
    return [int(word) if word.isdecimal() else word for word in words]
