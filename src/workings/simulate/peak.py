"""Bytes that each rank of a pipeline holds over a step, event by event, and their peak.

Ranks run their tasks in the order of a schedule. A task starts when what it waits for is done: a
forward for its forward on the stage before, a backward for its backward on the stage after. Memory
is taken and given back as tasks start and end; the optimizer's step follows the last task.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from ._checks import positive_count

Phase: TypeAlias = Literal["F", "B", "W"]
Bytes: TypeAlias = Fraction | int


@dataclass(frozen=True)
class Task:
    """A forward (F), a backward for the input (B) or for the weights (W) of one micro-batch."""

    phase: Phase
    microbatch: int
    chunk: int = 0


Order: TypeAlias = list[Task]


def gpipe_order(stages: int, stage: int, microbatches: int) -> Order:
    """All forwards, then all backwards, the last micro-batch first."""
    forwards = [Task("F", i) for i in range(microbatches)]
    return forwards + [Task("B", i) for i in reversed(range(microbatches))]


def one_f_one_b_order(stages: int, stage: int, microbatches: int) -> Order:
    """Warm up with a forward for each stage that follows, then a forward and a backward in turn."""
    return _warmed_up(stages - stage - 1, microbatches)


def interleaved_order(stages: int, stage: int, microbatches: int, chunks: int) -> Order:
    """Megatron's order: groups of as many micro-batches as stages pass chunk after chunk.

    ValueError if the micro-batches are no multiple of the stages.
    """
    if microbatches % stages:
        raise ValueError(f"{microbatches} micro-batches do not divide into groups of {stages}.")
    groups = [range(first, first + stages) for first in range(0, microbatches, stages)]
    forwards = [Task("F", i, c) for group in groups for c in range(chunks) for i in group]
    backwards = [Task("B", i, c) for group in groups for c in reversed(range(chunks)) for i in group]
    warm_up = 2 * (stages - stage - 1) + (chunks - 1) * stages
    return _alternate(forwards[:warm_up], forwards[warm_up:], backwards)


def zb_h1_order(stages: int, stage: int, microbatches: int) -> Order:
    """1F1B with the backward in two: the weights' half comes `stage` micro-batches later."""
    return _split(one_f_one_b_order(stages, stage, microbatches), stage)


def zb_h2_order(stages: int, stage: int, microbatches: int) -> Order:
    """Twice the forwards of 1F1B's warm-up, and the weights' half comes twice as much later."""
    return _split(_warmed_up(2 * (stages - stage - 1), microbatches), 2 * stage)


def _split(whole: Order, put_off: int) -> Order:
    """The same with each backward in two, the weights' half `put_off` micro-batches later."""
    order: Order = []
    for task in whole:
        order.append(task)
        late = task.microbatch - put_off
        if task.phase == "B" and late >= 0:
            order.append(Task("W", late))
    done = {task.microbatch for task in order if task.phase == "W"}
    return order + [Task("W", t.microbatch) for t in whole if t.phase == "B" and t.microbatch not in done]


def _warmed_up(forwards: int, microbatches: int) -> Order:
    """As many forwards, then a forward and a backward in turn."""
    tasks = [Task("F", i) for i in range(microbatches)]
    return _alternate(tasks[:forwards], tasks[forwards:], [Task("B", i) for i in range(microbatches)])


def _alternate(warm_up: Order, forwards: Order, backwards: Order) -> Order:
    """The warm-up, then one forward and one backward in turn until both have run out."""
    order, waiting = list(warm_up), deque(forwards)
    for backward in backwards:
        if waiting:
            order.append(waiting.popleft())
        order.append(backward)
    return order


@dataclass(frozen=True)
class Memory:
    """What a rank holds: before the step, and what tasks and the optimizer's step add.

    `forward` is what a forward of one chunk leaves; its backward gives all back, or, where the
    backward is in two halves, all but `weights`, which the second half gives back. `backward` is
    held while a backward runs, `step` while the optimizer does.
    """

    before: Bytes = 0
    forward: Bytes = 1
    weights: Bytes = 0
    backward: Bytes = 0
    step: Bytes = 0


def peaks(orders: Sequence[Order], memory: Sequence[Memory], chunks: int = 1) -> list[Fraction]:
    """Run the orders of all ranks and return the most bytes each rank ever holds.

    AssertionError if the ranks wait for one another for ever.
    """
    run_tasks(orders, chunks)
    return [_peak(order, held) for order, held in zip(orders, memory, strict=True)]


def in_flight(
    order: Callable[..., Order], stages: int, microbatches: int, stage: int, chunks: int = 1
) -> Fraction:
    """Return the most micro-batches a rank holds at once, a chunk counted as its share of a stage."""
    more = () if chunks == 1 and order is not interleaved_order else (chunks,)
    orders = [order(stages, rank, microbatches, *more) for rank in range(stages)]
    held = [Memory(forward=Fraction(1, chunks)) for _ in range(stages)]
    return peaks(orders, held, chunks)[stage]


def run_tasks(orders: Sequence[Order], chunks: int = 1) -> list[tuple[int, Task]]:
    """Run every rank's tasks as soon as they can and return (rank, task) as they were started."""
    stages = positive_count("stages", len(orders))
    queues = [deque(order) for order in orders]
    done: set[tuple[Phase, int, int]] = set()  # (phase, micro-batch, stage of the whole model)
    log: list[tuple[int, Task]] = []
    while any(queues):
        ready = [
            rank for rank, queue in enumerate(queues)
            if queue and _needs(queue[0], rank, stages, chunks) <= done
        ]  # fmt: skip
        if not ready:
            raise AssertionError("The ranks wait for one another.")
        for rank in ready:
            task = queues[rank].popleft()
            log.append((rank, task))
            done.add((task.phase, task.microbatch, task.chunk * stages + rank))
    return log


def _needs(task: Task, rank: int, stages: int, chunks: int) -> set[tuple[Phase, int, int]]:
    """List what must be done before a task may start."""
    stage, last = task.chunk * stages + rank, chunks * stages - 1
    if task.phase == "F":
        return {("F", task.microbatch, stage - 1)} if stage else set()
    if task.phase == "W":
        return {("B", task.microbatch, stage)}
    needs: set[tuple[Phase, int, int]] = {("F", task.microbatch, stage)}
    return needs | {("B", task.microbatch, stage + 1)} if stage < last else needs


def _peak(order: Order, memory: Memory) -> Fraction:
    """Follow one rank's memory through its tasks, then through the optimizer's step."""
    halves = any(task.phase == "W" for task in order)
    held = peak = Fraction(memory.before)
    for task in order:
        if task.phase == "F":
            held += memory.forward
            peak = max(peak, held)
        elif task.phase == "B":
            peak = max(peak, held + memory.backward)
            held -= memory.forward - memory.weights if halves else memory.forward
            peak = max(peak, held)
        else:
            held -= memory.weights
    return max(peak, held + memory.step)
