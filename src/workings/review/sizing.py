"""Which devices, and how many: the best layout of a search for each, held against limits of the run.

Each row is what a review would say of the job with so many such devices and no layout.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction

from workings.formula import DoesNotEvaluateError
from workings.planning.accuracy import Spread
from workings.planning.best import kept
from workings.planning.bound import FALLING
from workings.planning.choice import at, first_choice
from workings.planning.choice import wishes as usual
from workings.planning.job import NO_RESULTS, Job, JobError
from workings.planning.ladder import counts
from workings.planning.nearest import nearest_in_short
from workings.planning.search import Wishes, search
from workings.planning.spares import spare_nodes
from workings.planning.statement import Plan
from workings.planning.sweeping.reading import Read, Settings, Source, source
from workings.review.desk import Desk
from workings.review.grain import between
from workings.review.pricing import is_own, own_name, priced
from workings.review.verdict import Verdict, verdict
from workings.units import UnitError


@dataclass(frozen=True, slots=True)
class Device:
    """A hardware preset, or the job's own device where it has no name; USD a second of one.

    Of its `own` device the job's cluster is kept as it is described.
    """

    name: str = ""
    price: Fraction | None = None
    own: bool = False

    @property
    def settings(self) -> Settings:
        """What makes a job one on such devices."""
        return {} if self.own else {"hardware": self.name}


@dataclass(frozen=True, slots=True)
class Limits:
    """What the run may take: seconds and USD. A node that failed is away for `repair` seconds."""

    max_time: Fraction | None
    max_cost: Fraction | None
    repair: Fraction


@dataclass(frozen=True)
class Row:
    """So many devices: the job with the layout that is named first, or the reason why there is none.

    `spares` are nodes, None where nobody says how often a device fails.
    """

    device: str
    devices: int
    job: Job | None = None
    desk: Desk | None = None
    answer: Verdict | None = None
    spares: int | None = None
    reason: str = ""

    @property
    def nodes(self) -> int | None:
        """Nodes that the devices fill, or are in."""
        return None if self.job is None else -(-self.devices // _node(self.job, self.devices))

    def odds(self, letter: str) -> Spread:
        """P10, P50 and P90, the better end first."""
        return self.worked.likely(letter)

    @property
    def worked(self) -> Desk:
        """The desk of a row that has a layout."""
        if self.desk is None:
            raise AssertionError(self.reason)
        return self.desk

    def over(self, end: str) -> Mapping[str, Fraction]:
        """By letter how far each limit is passed, 1 where it is just met, at `middle` or at `most`."""
        bounds = {n: limit for n, limit in self.worked.bounds.items() if n != "u_M"}
        return {n: self._times(n, limit, end) for n, limit in bounds.items()}

    def _times(self, letter: str, limit: Fraction, end: str) -> Fraction:
        odds = self.odds(letter)
        if letter not in FALLING:
            return Fraction(getattr(odds, end)) / limit
        return limit / Fraction(odds.middle if end == "middle" else min(odds.least, odds.most))

    @property
    def spares_cost(self) -> Fraction | None:
        """USD of the spare nodes, kept for as long as the run most likely takes."""
        if self.spares is None or self.job is None:
            return None
        devices = self.spares * _node(self.job, self.devices)
        return devices * self.worked.base["c_d"] * self.odds("T_run").middle

    def holds(self, end: str) -> bool:
        """Whether every limit holds, at `middle` or at `most`; not without a layout."""
        return self.desk is not None and all(times <= 1 for times in self.over(end).values())


@dataclass(frozen=True)
class Sized:
    """All rows, or those before Ctrl-C where it is not `complete`."""

    own: Job
    limits: Limits
    rows: tuple[Row, ...]
    size: int

    @property
    def complete(self) -> bool:
        """Whether every row was looked at."""
        return len(self.rows) == self.size


def size(
    read: Read, plan: Plan, devices: Sequence[Device], numbers: Sequence[int], limits: Limits,
    progress: Callable[[int, int], None] | None = None,
) -> Sized:  # fmt: skip
    """Each device in each number; without any, the job's own device, and numbers round what is needed.

    Between the last that fails and the first that holds, the smallest number of nodes is then looked for.

    Raises JobError where the job cannot be read, has no limit, or nothing has a layout.
    """
    from_job, named = _source(read, devices, numbers)
    own = from_job.own
    limits = replace(limits, max_time=limits.max_time or own.max_time,
                     max_cost=limits.max_cost or own.max_cost)  # fmt: skip
    if limits.max_time is None and limits.max_cost is None and own.min_mfu is None:
        raise JobError(f"{own.name}: found no limit, expected --days, --budget, --min-mfu, or max_days, "
                       "max_cost or min_mfu in [review]")  # fmt: skip
    devices = [replace(one, own=not named and is_own(own, one.name)) for one in devices or (Device(),)]
    wanted = list(_wanted(from_job, plan, devices, numbers, limits))
    found: list[Row] = []
    try:
        for number, (device, count) in enumerate(wanted, 1):
            found.append(_row(from_job, plan, device, count, limits))
            if progress is not None:
                progress(number, len(wanted))
        if not numbers:
            found = list(_at_grain(from_job, plan, devices, found, limits))
            wanted = [(devices[0], row.devices) for row in found]
    except KeyboardInterrupt:
        pass
    if len(found) == len(wanted) and not any(row.desk for row in found):
        raise JobError(f"{own.name}: found nothing with a layout; with {found[0].devices:,} devices, "
                       f"{found[0].reason}")  # fmt: skip
    return Sized(own, limits, tuple(found), len(wanted))


def _at_grain(
    from_job: Source, plan: Plan, devices: Sequence[Device], rows: Sequence[Row], limits: Limits
) -> Iterator[Row]:
    """The rows, and of each device the smallest number of whole nodes that holds, between two of them."""
    for device in devices:
        name = device.name or own_name(from_job.own)
        own = [row for row in rows if row.device == name]
        end = next((end for end in ("most", "middle") if any(row.holds(end) for row in own)), "")
        node = max((_node(row.job, row.devices) for row in own if row.job), default=1)
        for count in between(own, end, node) if end else ():
            row = _row(from_job, plan, device, count, limits)
            if row.holds(end):
                own.append(row)
                break
        yield from sorted(own, key=lambda row: row.devices)


def _source(read: Read, devices: Sequence[Device], numbers: Sequence[int]) -> tuple[Source, bool]:
    """The job, and whether it has no device but those that are named. Raises JobError."""
    counted: list[Settings] = [{"devices": str(number)} for number in numbers or (1,)]
    try:
        return source(read, counted), False
    except JobError as error:
        named = [{"hardware": one.name, **count} for one in devices if one.name for count in counted]
        for settings in named:
            with suppress(JobError):
                return Source(read, read(settings)), True
        raise error


def _wanted(
    from_job: Source, plan: Plan, devices: Sequence[Device], numbers: Sequence[int], limits: Limits
) -> Iterator[tuple[Device, int]]:
    """Every row to be: the device and the number."""
    own = int(from_job.own.values()["n"])
    for device in devices:
        one = from_job.without_layout({**device.settings, "devices": "1"})
        for count in numbers or counts(one, plan, limits.max_time, own):
            yield device, count


def _row(from_job: Source, plan: Plan, device: Device, count: int, limits: Limits) -> Row:
    row = Row(device.name or own_name(from_job.own), count)
    try:
        settings = {**device.settings, "devices": str(count)}
        job = priced(from_job.without_layout(settings), from_job.own, device.price)
        job = replace(job, max_time=limits.max_time, max_cost=limits.max_cost, measured=NO_RESULTS,
                      published=NO_RESULTS)  # fmt: skip
        row = replace(row, job=job)
        return _worked(row, job, plan, usual(job)._replace(only=kept(from_job.own) or None), limits)
    except (JobError, DoesNotEvaluateError, UnitError) as error:
        reason = str(error).removeprefix("--set: ")
        return replace(row, reason=reason.removeprefix(f"{row.job.name}: " if row.job else ""))


def _worked(row: Row, job: Job, plan: Plan, wishes: Wishes, limits: Limits) -> Row:
    """The row with its layout. Raises JobError, or KeyboardInterrupt if the search was ended."""
    found = search(job, plan, wishes)
    if not found.complete:
        raise KeyboardInterrupt
    if not found.best:
        return replace(row, reason=nearest_in_short(job, plan, wishes))
    named = at(job, first_choice(job, found, plan) or found.best[0])
    desk = Desk(named, plan)
    spares = None
    if job.mtbf is not None:
        spares = spare_nodes(row.devices, _node(job, row.devices), job.mtbf, limits.repair)
    return replace(row, desk=desk, answer=verdict(desk), spares=spares)


def _node(job: Job, devices: int) -> int:
    return min(int(job.values()["n_node"]), devices)
