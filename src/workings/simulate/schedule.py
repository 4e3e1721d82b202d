"""What a pipeline schedule is, and running one: each rank does its work in its own order.

A micro-batch takes a path through the stages, each of which is a chunk of layers on a rank. Its
forward on a stage waits for its forward on the stage before; its backward waits for its forward on
the same stage and for the backward on the stage after; the gradients of the weights wait for those
of the input. A backward may be run whole, or as its two halves. A slot of work starts as soon as
its rank is free and all it waits for is there.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Literal, TypeAlias

Time: TypeAlias = int | Fraction
Kind: TypeAlias = Literal["forward", "backward", "input gradient", "weight gradient"]
Stage: TypeAlias = tuple[int, int]
"""A rank, and one of its chunks of layers."""
Path: TypeAlias = tuple[Stage, ...]
"""The stages of a micro-batch in the order of its forward."""


@dataclass(frozen=True)
class Step:
    """What is to be done with a micro-batch on one of a rank's chunks."""

    microbatch: int
    kind: Kind
    chunk: int = 0


Slot: TypeAlias = tuple[Step, ...]
"""Steps that a rank runs at the same time: one, or a forward and a backward overlapped."""


@dataclass(frozen=True)
class Task:
    """A step as it was run: on which rank, from `start` to `end`."""

    rank: int
    microbatch: int
    kind: Kind
    start: Time
    end: Time
    chunk: int = 0


@dataclass(frozen=True)
class Message:
    """A tensor of one micro-batch on its way between two ranks, from `start` to `end`."""

    sender: int
    receiver: int
    microbatch: int
    start: Time
    end: Time


@dataclass(frozen=True)
class Schedule:
    """The tasks of a run, and what was sent. ValueError from a method for an unknown rank."""

    ranks: int
    microbatches: int
    tasks: tuple[Task, ...]
    messages: tuple[Message, ...] = ()

    @property
    def makespan(self) -> Time:
        """The time from 0 to the end of the last task."""
        return max(task.end for task in self.tasks)

    def busy(self, rank: int) -> Time:
        """Add up the time in which the rank runs tasks; overlapped ones count once."""
        return sum(end - start for start, end in {(task.start, task.end) for task in self.of(rank)})

    def idle(self, rank: int) -> Time:
        """Return the time within the makespan in which the rank runs nothing."""
        return self.makespan - self.busy(rank)

    def span(self, rank: int) -> Time:
        """Return the time from the rank's first start to its last end."""
        tasks = self.of(rank)
        return max(task.end for task in tasks) - min(task.start for task in tasks)

    def in_flight_peak(self, rank: int) -> int:
        """Count the most micro-batches, chunk by chunk, whose activations the rank holds at once.

        It holds them from the start of the forward to the end of the whole backward.
        """
        ends: dict[tuple[int, int], Time] = {}
        changes: list[tuple[Time, int]] = []
        for task in self.of(rank):
            if task.kind == "forward":
                changes.append((task.start, 1))
            else:
                held = task.microbatch, task.chunk
                ends[held] = max(task.end, ends.get(held, task.end))
        changes += [(end, -1) for end in ends.values()]
        now = peak = 0
        for _, change in sorted(changes):
            now += change
            peak = max(peak, now)
        return peak

    def bytes_peak(self, rank: int, forward: Time, weights: Time) -> Time:
        """Return the most bytes the rank holds at once.

        A forward of a chunk takes `forward` at its start. Of these the gradient of the input leaves
        `weights` at its end, and the gradients of the weights, or a whole backward, nothing.
        """
        freed = {"input gradient": forward - weights, "weight gradient": weights, "backward": forward}
        changes = [
            (task.start, forward) if task.kind == "forward" else (task.end, -freed[task.kind])
            for task in self.of(rank)
        ]
        now = peak = Fraction(0)
        for _, change in sorted(changes):
            now += change
            peak = max(peak, now)
        return peak

    def of(self, rank: int) -> list[Task]:
        """List the tasks of a rank in order of start."""
        if not 0 <= rank < self.ranks:
            raise ValueError(f"rank must be from 0 to {self.ranks - 1}, not {rank}.")
        return sorted((task for task in self.tasks if task.rank == rank), key=lambda task: task.start)


def run(
    orders: Sequence[Sequence[Slot]],
    paths: Sequence[Path],
    time_of: Callable[[int, Slot], Time],
    transfer: Time = 0,
) -> Schedule:
    """Run the slots of every rank, `orders[rank]`, in order; micro-batch i takes `paths[i]`.

    A slot takes `time_of(rank, slot)`. Sending a result to another rank takes `transfer`, while
    the ranks compute; two ranks have a link each way, which sends one result at a time.
    AssertionError if the ranks wait for each other.
    """
    queues = [deque(order) for order in orders]
    post = _Post(paths, transfer)
    free: list[Time] = [0] * len(orders)
    tasks: list[Task] = []
    while any(queues):
        before = len(tasks)
        for rank, queue in enumerate(queues):
            while queue and (ready := post.ready(rank, queue[0])) is not None:
                slot = queue.popleft()
                start = max(free[rank], ready)
                free[rank] = end = start + time_of(rank, slot)
                for step in slot:
                    tasks.append(Task(rank, step.microbatch, step.kind, start, end, step.chunk))
                    post.deliver(rank, step, end)
        if len(tasks) == before:
            raise AssertionError("The pipeline is deadlocked.")
    return Schedule(len(orders), len(paths), tuple(tasks), tuple(post.messages))


Item: TypeAlias = Literal["input", "output", "output gradient", "input gradient"]


class _Post:
    """What lies ready at each stage for each micro-batch, and since when."""

    def __init__(self, paths: Sequence[Path], transfer: Time) -> None:
        """Nothing is there yet but the inputs of the first stages."""
        self.paths, self.transfer = paths, transfer
        self.following = {path: dict(pairwise(path)) for path in set(paths)}
        self.preceding = {path: dict(pairwise(path[::-1])) for path in set(paths)}
        self.links: dict[tuple[int, int], Time] = {}  # when each is free again
        self.messages: list[Message] = []
        self.since: dict[tuple[Stage, int, Item], Time] = {
            (path[0], microbatch, "input"): 0 for microbatch, path in enumerate(paths)
        }

    def ready(self, rank: int, slot: Slot) -> Time | None:
        """Return when all that a slot needs is there, or None if that is not known yet."""
        found = [
            self.since.get(((rank, step.chunk), step.microbatch, item))
            for step in slot
            for item in self._needs((rank, step.chunk), step)
        ]
        known = [time for time in found if time is not None]
        return max(known) if len(known) == len(found) else None

    def _needs(self, stage: Stage, step: Step) -> tuple[Item, ...]:
        """Name what a step waits for at its stage."""
        if step.kind == "forward":
            return ("input",)
        if step.kind == "weight gradient":
            return ("input gradient",)
        last = stage not in self.following[self.paths[step.microbatch]]
        return ("output",) if last else ("output", "output gradient")

    def deliver(self, rank: int, step: Step, end: Time) -> None:
        """Put what a finished step leaves where it is waited for."""
        stage, path = (rank, step.chunk), self.paths[step.microbatch]
        if step.kind == "forward":
            self.since[stage, step.microbatch, "output"] = end
            self._send(stage, self.following[path].get(stage), step.microbatch, "input", end)
        elif step.kind != "weight gradient":
            self.since[stage, step.microbatch, "input gradient"] = end
            before = self.preceding[path].get(stage)
            self._send(stage, before, step.microbatch, "output gradient", end)

    def _send(self, stage: Stage, to: Stage | None, microbatch: int, item: Item, end: Time) -> None:
        """Send a tensor on to the neighbouring stage, if there is one."""
        if to is None:
            return
        if to[0] != stage[0]:
            link = stage[0], to[0]
            start = max(end, self.links.get(link, 0))
            end = self.links[link] = start + self.transfer
            self.messages.append(Message(*link, microbatch, start, end))
        self.since[to, microbatch, item] = end
