"""Interleaved 1F1B: each rank holds several chunks of layers, dealt out in turn.

Chunk c of rank r is stage c·p + r of p·v: a micro-batch goes round the p ranks v times. A rank
takes micro-batches in groups of p: the group through its first chunk, then through its second…
"""

from collections.abc import Sequence

from ._checks import amount, positive_count
from .pipeline import check_times, one_f_one_b_order
from .schedule import Schedule, Slot, Step, Time, run


def interleaved(
    ranks: int,
    microbatches: int,
    chunks: int,
    forward: Time = 1,
    backward: Time = 2,
    transfer: Time = 0,
) -> Schedule:
    """Run interleaved 1F1B; with one chunk on each rank it is 1F1B.

    `forward` and `backward` are the times of one task, that is of one chunk, `transfer` that of
    sending its result on. ValueError if a number is below 1, a time is not above 0, or the
    micro-batches are not a multiple of the ranks.
    """
    positive_count("chunks", chunks)
    alike = [[check_times(forward, backward)] * chunks] * positive_count("ranks", ranks)
    return unlike_chunks(alike, microbatches, transfer)


def unlike_chunks(
    times: Sequence[Sequence[tuple[Time, Time]]], microbatches: int, transfer: Time = 0
) -> Schedule:
    """Run interleaved 1F1B on chunks that differ: `times[rank][chunk]` has its forward and backward.

    ValueError if there is no rank, chunk or micro-batch, ranks have different numbers of chunks, a
    time is below 0, or with several chunks the micro-batches are not a multiple of the ranks.
    """
    ranks, chunks = positive_count("ranks", len(times)), positive_count("chunks", len(times[0]))
    if any(len(held) != chunks for held in times):
        raise ValueError(f"every rank must have {chunks} chunks.")
    for forward, backward in (pair for held in times for pair in held):
        amount("forward", forward), amount("backward", backward)
    if positive_count("microbatches", microbatches) % ranks and chunks > 1:
        raise ValueError(f"microbatches must be a multiple of {ranks}, not {microbatches}.")
    path = tuple((rank, chunk) for chunk in range(chunks) for rank in range(ranks))
    return run(
        [_order(rank, ranks, microbatches, chunks) for rank in range(ranks)],
        [path] * microbatches,
        lambda rank, slot: times[rank][slot[0].chunk][slot[0].kind == "backward"],
        transfer,
    )


def _order(rank: int, ranks: int, microbatches: int, chunks: int) -> list[Slot]:
    """List a rank's work: forwards to warm up, then one forward and one backward in turn.

    The warm-up is long enough for a micro-batch to come round through all but the last chunk, and
    two tasks longer for each rank that follows this one; with one chunk, one task.
    """
    if chunks == 1:
        return one_f_one_b_order(ranks - rank, microbatches)
    forwards = [Step(i, "forward", chunk) for i, chunk in _rounds(ranks, microbatches, chunks)]
    backwards = [
        Step(i, "backward", chunks - 1 - chunk) for i, chunk in _rounds(ranks, microbatches, chunks)
    ]
    warmup = min(2 * (ranks - rank - 1) + (chunks - 1) * ranks, len(forwards))
    order = forwards[:warmup]
    for forward, backward in zip(forwards[warmup:], backwards, strict=False):
        order += [forward, backward]
    order += backwards[len(forwards) - warmup :]
    return [(step,) for step in order]


def _rounds(ranks: int, microbatches: int, chunks: int) -> list[tuple[int, int]]:
    """List (micro-batch, chunk) in the order of the forwards: group by group, chunk by chunk."""
    return [
        (first + place, chunk)
        for first in range(0, microbatches, ranks)
        for chunk in range(chunks)
        for place in range(ranks)
    ]
