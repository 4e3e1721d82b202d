"""Pipeline schedules with one chunk of layers on a rank: naive, GPipe and 1F1B."""

from collections.abc import Sequence

from ._checks import positive_amount, positive_count
from .schedule import Kind, Path, Schedule, Slot, Step, Task, Time, run

__all__ = ["Kind", "Schedule", "Task", "gpipe", "naive", "one_f_one_b", "unequal_gpipe"]


def gpipe(
    ranks: int, microbatches: int, forward: Time = 1, backward: Time = 2, transfer: Time = 0
) -> Schedule:
    """Run all forwards, then all backwards, the last micro-batch first, on every rank.

    `forward` and `backward` are the times of one task, `transfer` that of sending its result on.
    ValueError if a number is below 1 or a time is not above 0.
    """
    times = check_times(forward, backward)
    order = _gpipe_order(positive_count("microbatches", microbatches))
    return run(
        [order] * positive_count("ranks", ranks), straight(ranks, microbatches),
        lambda _, slot: times[slot[0].kind == "backward"], transfer,
    )  # fmt: skip


def unequal_gpipe(forwards: Sequence[Time], backwards: Sequence[Time], microbatches: int) -> Schedule:
    """Run GPipe on stages that differ: times of one forward and one backward, rank by rank.

    ValueError if there is no stage or no micro-batch, or a time is not above 0.
    """
    ranks = positive_count("ranks", len(forwards))
    times = [check_times(*pair) for pair in zip(forwards, backwards, strict=True)]
    order = _gpipe_order(positive_count("microbatches", microbatches))
    return run(
        [order] * ranks, straight(ranks, microbatches),
        lambda rank, slot: times[rank][slot[0].kind == "backward"],
    )  # fmt: skip


def one_f_one_b(
    ranks: int, microbatches: int, forward: Time = 1, backward: Time = 2, transfer: Time = 0
) -> Schedule:
    """Run 1F1B without interleaving: backwards as early as possible, to hold fewer activations.

    `forward` and `backward` are the times of one task, `transfer` that of sending its result on.
    ValueError if a number is below 1 or a time is not above 0.
    """
    times = check_times(forward, backward)
    positive_count("microbatches", microbatches)
    orders = [one_f_one_b_order(ranks - r, microbatches) for r in range(positive_count("ranks", ranks))]
    return run(
        orders, straight(ranks, microbatches),
        lambda _, slot: times[slot[0].kind == "backward"], transfer,
    )  # fmt: skip


def naive(ranks: int, forward: Time = 1, backward: Time = 2) -> Schedule:
    """Run the whole batch as one micro-batch, so that one rank works at a time.

    `forward` and `backward` are the times of one rank. ValueError if a number is below 1 or a time
    is not above 0.
    """
    return gpipe(ranks, 1, forward, backward)


def straight(ranks: int, microbatches: int) -> list[Path]:
    """Give every micro-batch the path from the first rank to the last, one chunk on each."""
    return [tuple((rank, 0) for rank in range(ranks))] * microbatches


def check_times(forward: Time, backward: Time) -> tuple[Time, Time]:
    """Return both times; ValueError unless they are above 0."""
    positive_amount("forward", forward)
    positive_amount("backward", backward)
    return forward, backward


def _gpipe_order(microbatches: int) -> list[Slot]:
    """List a rank's work: forwards in turn, then backwards in the opposite order."""
    forwards: list[Slot] = [(Step(i, "forward"),) for i in range(microbatches)]
    backwards: list[Slot] = [(Step(i, "backward"),) for i in reversed(range(microbatches))]
    return forwards + backwards


def one_f_one_b_order(allowed: int, microbatches: int) -> list[Slot]:
    """List a rank's work: forward while fewer than `allowed` are in flight, else backward.

    `allowed` is the number of ranks from this one to the last: that many forwards must have
    begun here before the first backward can come back.
    """
    order: list[Slot] = []
    forwards = backwards = 0
    while backwards < microbatches:
        if forwards < microbatches and forwards - backwards < allowed:
            order.append((Step(forwards, "forward"),))
            forwards += 1
        else:
            order.append((Step(backwards, "backward"),))
            backwards += 1
    return order
