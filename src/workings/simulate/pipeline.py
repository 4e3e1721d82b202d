"""Pipeline schedules, run as events: each stage runs one task at a time, in its own order.

Times are whole units. A forward of a micro-batch on a stage waits for its forward on the
stage before; a backward waits for its forward on the same stage and for its backward on the
stage after. Sending between stages takes no time.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ._checks import positive_count

Kind: TypeAlias = Literal["forward", "backward"]
Step: TypeAlias = tuple[int, Kind]
"""A micro-batch index and what is done with it, in a stage's order of work."""


@dataclass(frozen=True)
class Task:
    """One forward or backward of one micro-batch on one stage, from `start` to `end`."""

    stage: int
    microbatch: int
    kind: Kind
    start: int
    end: int


@dataclass(frozen=True)
class Schedule:
    """The tasks of a run, in order of start. ValueError from a method for an unknown stage."""

    stages: int
    microbatches: int
    tasks: tuple[Task, ...]

    @property
    def makespan(self) -> int:
        """The time from 0 to the end of the last task."""
        return max(task.end for task in self.tasks)

    def busy(self, stage: int) -> int:
        """Add up the time in which the stage runs tasks."""
        return sum(task.end - task.start for task in self._of(stage))

    def idle(self, stage: int) -> int:
        """Return the time within the makespan in which the stage runs nothing."""
        return self.makespan - self.busy(stage)

    def in_flight_peak(self, stage: int) -> int:
        """Count the most micro-batches whose activations the stage holds at once.

        It holds them from the start of the forward to the end of the backward.
        """
        changes: list[tuple[int, int]] = []
        for task in self._of(stage):
            changes.append((task.start, 1) if task.kind == "forward" else (task.end, -1))
        held = peak = 0
        for _, change in sorted(changes):
            held += change
            peak = max(peak, held)
        return peak

    def _of(self, stage: int) -> list[Task]:
        """List the tasks of a stage."""
        if not 0 <= stage < self.stages:
            raise ValueError(f"stage must be from 0 to {self.stages - 1}, not {stage}.")
        return [task for task in self.tasks if task.stage == stage]


def gpipe(stages: int, microbatches: int, forward: int = 1, backward: int = 2) -> Schedule:
    """Run all forwards, then all backwards, the last micro-batch first, on every stage.

    `forward` and `backward` are the times of one task. ValueError if a number is below 1.
    """
    _check(stages, microbatches, forward, backward)
    forwards: list[Step] = [(m, "forward") for m in range(microbatches)]
    backwards: list[Step] = [(m, "backward") for m in reversed(range(microbatches))]
    return _run([forwards + backwards] * stages, microbatches, forward, backward)


def one_f_one_b(stages: int, microbatches: int, forward: int = 1, backward: int = 2) -> Schedule:
    """Run 1F1B without interleaving: backwards as early as possible, to hold fewer activations.

    `forward` and `backward` are the times of one task. ValueError if a number is below 1.
    """
    _check(stages, microbatches, forward, backward)
    orders = [_one_f_one_b_order(stages - stage, microbatches) for stage in range(stages)]
    return _run(orders, microbatches, forward, backward)


def naive(stages: int, forward: int = 1, backward: int = 2) -> Schedule:
    """Run the whole batch as one micro-batch, so that one stage works at a time.

    `forward` and `backward` are the times of one stage. ValueError if a number is below 1.
    """
    return gpipe(stages, 1, forward, backward)


def _check(stages: int, microbatches: int, forward: int, backward: int) -> None:
    """Raise ValueError if any of the numbers is below 1."""
    positive_count("stages", stages)
    positive_count("microbatches", microbatches)
    positive_count("forward", forward)
    positive_count("backward", backward)


def _one_f_one_b_order(allowed: int, microbatches: int) -> list[Step]:
    """List a stage's work: forward while fewer than `allowed` are in flight, else backward.

    `allowed` is the number of stages from this one to the last: that many forwards must have
    begun here before the first backward can come back.
    """
    order: list[Step] = []
    forwards = backwards = 0
    while backwards < microbatches:
        if forwards < microbatches and forwards - backwards < allowed:
            order.append((forwards, "forward"))
            forwards += 1
        else:
            order.append((backwards, "backward"))
            backwards += 1
    return order


def _run(orders: Sequence[Sequence[Step]], microbatches: int, forward: int, backward: int) -> Schedule:
    """Start each task as soon as its stage is free and what it waits for has ended."""
    stages = len(orders)
    queues = [deque(order) for order in orders]
    free_at = [0] * stages
    done: dict[tuple[int, int, Kind], int] = {}
    tasks: list[Task] = []
    now = 0
    while any(queues):
        for stage, queue in enumerate(queues):
            if free_at[stage] > now or not queue:
                continue
            microbatch, kind = queue[0]
            waits = _waits_for(stage, microbatch, kind, stages)
            if any(done.get(need, now + 1) > now for need in waits):
                continue
            queue.popleft()
            end = now + (forward if kind == "forward" else backward)
            free_at[stage] = done[stage, microbatch, kind] = end
            tasks.append(Task(stage, microbatch, kind, now, end))
        now = _next_event(free_at, now)
    return Schedule(stages, microbatches, tuple(tasks))


def _waits_for(stage: int, microbatch: int, kind: Kind, stages: int) -> list[tuple[int, int, Kind]]:
    """List the tasks (stage, microbatch, kind) that must have ended before this one starts."""
    if kind == "forward":
        return [(stage - 1, microbatch, "forward")] if stage > 0 else []
    waits: list[tuple[int, int, Kind]] = [(stage, microbatch, "forward")]
    if stage + 1 < stages:
        waits.append((stage + 1, microbatch, "backward"))
    return waits


def _next_event(free_at: Sequence[int], now: int) -> int:
    """Find the next time at which a running task ends; AssertionError if none is running."""
    running = [end for end in free_at if end > now]
    if not running:
        raise AssertionError("The pipeline is deadlocked.")
    return min(running)
