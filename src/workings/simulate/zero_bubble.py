"""Zero-bubble schedules: the backward is split, and the gradients of the weights fill the gaps.

Ranks after this one wait only for the gradient of the input, so the gradient of the weights can
be put off. The later its rank, the more of them a rank puts off, and runs at the end.
"""

from collections.abc import Sequence

from ._checks import amount, positive_amount, positive_count
from .pipeline import straight
from .schedule import Kind, Schedule, Slot, Step, Time, run


def zb_h1(
    ranks: int,
    microbatches: int,
    forward: Time = 1,
    input_gradient: Time = 1,
    weight_gradient: Time = 1,
    transfer: Time = 0,
) -> Schedule:
    """Run ZB-H1: forwards as in 1F1B; rank r, from 0, puts off the gradients of r micro-batches.

    The times are those of one task; `transfer` is that of sending its result on. ValueError if a
    number is below 1 or a time is not above 0.
    """
    orders = [_order(microbatches, ranks - rank, rank) for rank in range(positive_count("ranks", ranks))]
    return _run(orders, microbatches, (forward, input_gradient, weight_gradient), transfer)


def zb_h2(
    ranks: int,
    microbatches: int,
    forward: Time = 1,
    input_gradient: Time = 1,
    weight_gradient: Time = 1,
    transfer: Time = 0,
) -> Schedule:
    """Run ZB-H2: about twice as many forwards before the first backward, twice as many put off.

    The times are those of one task; `transfer` is that of sending its result on. ValueError if a
    number is below 1 or a time is not above 0.
    """
    orders = [
        _order(microbatches, 2 * (ranks - rank) - 1, 2 * rank)
        for rank in range(positive_count("ranks", ranks))
    ]
    return _run(orders, microbatches, (forward, input_gradient, weight_gradient), transfer)


def warmed_up(
    warm_ups: Sequence[int], forward: Time = 1, input_gradient: Time = 1, transfer: Time = 0
) -> Schedule:
    """Run as many forwards before the first backward on each rank as it is given; all weights last.

    There are as many micro-batches as the longest warm-up has. The times are those of one task;
    `transfer` is that of sending its result on. ValueError if a number is below 1.
    """
    longest = max(positive_count("warm_up", forwards) for forwards in warm_ups)
    orders = [_order(longest, forwards, longest) for forwards in warm_ups]
    return _run(orders, longest, (forward, input_gradient, 0), transfer)


def wait_before_backward(schedule: Schedule, rank: int) -> Time:
    """Return how long a rank runs nothing between its first forward and its first backward."""
    tasks = schedule.of(rank)
    first = next(task.start for task in tasks if task.kind == "input gradient")
    before = [task for task in tasks if task.end <= first and task.kind == "forward"]
    return first - tasks[0].start - sum(task.end - task.start for task in before)


def _run(
    orders: list[list[Slot]], microbatches: int, tasks: tuple[Time, Time, Time], transfer: Time
) -> Schedule:
    """Run the orders with these times of one task: forward, gradient of the input, of the weights."""
    names: tuple[Kind, Kind, Kind] = ("forward", "input gradient", "weight gradient")
    times = {name: positive_amount(name, time) for name, time in zip(names[:2], tasks, strict=False)}
    times[names[2]] = amount(names[2], tasks[2])
    paths = straight(len(orders), positive_count("microbatches", microbatches))
    return run(orders, paths, lambda _, slot: times[slot[0].kind], transfer)


def _order(microbatches: int, allowed: int, put_off: int) -> list[Slot]:
    """List a rank's work: `allowed` forwards, then one backward and one forward in turn.

    After a backward the oldest gradient of weights is run if more than `put_off` are waiting;
    those still waiting after the last backward are run at the end.
    """
    order: list[Step] = []
    forwards = backwards = weights = 0
    while backwards < microbatches:
        if forwards < microbatches and forwards - backwards < allowed:
            order.append(Step(forwards, "forward"))
            forwards += 1
            continue
        order.append(Step(backwards, "input gradient"))
        backwards += 1
        if backwards - weights > put_off:
            order.append(Step(weights, "weight gradient"))
            weights += 1
    order += [Step(i, "weight gradient") for i in range(weights, microbatches)]
    return [(step,) for step in order]
