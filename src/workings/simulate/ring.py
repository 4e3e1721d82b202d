"""Collectives on a ring of ranks, hop by hop, with the bytes each rank sends and receives.

A message of `size` bytes is cut into as many equal chunks as there are ranks. `size` is any
positive Fraction: a chunk may be a fraction of a byte, so nothing has to be divisible. What
travels are integers chosen so that a lost, repeated or misplaced chunk shows in the result,
and each run checks its result and raises AssertionError if it is wrong.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import add

from ._checks import positive_amount, positive_count
from ._walks import Walk, all_reduce_walk, gather_walk, reduce_scatter_walk


@dataclass(frozen=True)
class Traffic:
    """What a collective moved; every tuple has one entry per rank, in bytes.

    sent, received: bytes the rank sent and received over the whole run.
    hops: rounds in which all ranks sent at the same time.
    held: bytes of the distinct final chunks the rank ends with, its own included.
    """

    sent: tuple[Fraction, ...]
    received: tuple[Fraction, ...]
    hops: int
    held: tuple[Fraction, ...]


def all_gather(ranks: int, size: Fraction | int) -> Traffic:
    """All-gather a message of `size` bytes of which each rank starts with one chunk.

    ValueError if `ranks` is below 1 or `size` is not above 0.
    """
    chunk_bytes = _chunk_bytes(ranks, size)
    shards = [100 + rank for rank in range(ranks)]
    walk = gather_walk(shards)
    for rank in range(ranks):
        _require(list(walk.held[rank]) == shards, f"rank {rank} lacks a chunk")
    return _traffic(walk, chunk_bytes)


def reduce_scatter(ranks: int, size: Fraction | int) -> Traffic:
    """Reduce-scatter: each rank starts with `size` bytes and ends with one summed chunk.

    ValueError if `ranks` is below 1 or `size` is not above 0.
    """
    chunk_bytes = _chunk_bytes(ranks, size)
    vectors = _contributions(ranks)
    walk = reduce_scatter_walk(vectors, add)
    for rank, total in enumerate(_sums(vectors)):
        _require(walk.held[rank] == (total,), f"rank {rank} has a wrong sum")
    return _traffic(walk, chunk_bytes)


def all_reduce(ranks: int, size: Fraction | int) -> Traffic:
    """All-reduce: each rank starts with `size` bytes and ends with all of them summed.

    One walk of its own: chunks gather sums while they are passed on, and the complete sums
    are passed on further. ValueError if `ranks` is below 1 or `size` is not above 0.
    """
    chunk_bytes = _chunk_bytes(ranks, size)
    vectors = _contributions(ranks)
    walk = all_reduce_walk(vectors, add)
    totals = _sums(vectors)
    for rank in range(ranks):
        _require(list(walk.held[rank]) == totals, f"rank {rank} has a wrong sum")
    return _traffic(walk, chunk_bytes)


def direct_all_reduce(ranks: int, size: Fraction | int) -> Traffic:
    """All-reduce without a ring: every rank sends its whole vector to each other rank.

    A hop is one round, in which each rank sends one whole vector of `size` bytes.
    ValueError if `ranks` is below 1 or `size` is not above 0.
    """
    positive_count("ranks", ranks)
    whole = positive_amount("size", size)
    vectors = _contributions(ranks)
    totals = [list(vector) for vector in vectors]
    sent, received = [Fraction(0)] * ranks, [Fraction(0)] * ranks
    hops = 0
    for distance in range(1, ranks):
        for rank, vector in enumerate(vectors):
            target = (rank + distance) % ranks
            sent[rank] += whole
            received[target] += whole
            totals[target] = list(map(add, totals[target], vector))
        hops += 1
    for rank in range(ranks):
        _require(totals[rank] == _sums(vectors), f"rank {rank} has a wrong sum")
    return Traffic(tuple(sent), tuple(received), hops, (whole,) * ranks)


def _chunk_bytes(ranks: int, size: Fraction | int) -> Fraction:
    """Return the bytes of one of `ranks` equal chunks of a message."""
    return positive_amount("size", size) / positive_count("ranks", ranks)


def _contributions(ranks: int) -> list[list[int]]:
    """Give each rank a vector of `ranks` chunk values, each a single bit that no other has."""
    return [[1 << (chunk + ranks * rank) for chunk in range(ranks)] for rank in range(ranks)]


def _sums(vectors: Sequence[Sequence[int]]) -> list[int]:
    """Add up each chunk over the ranks, directly."""
    return [sum(column) for column in zip(*vectors, strict=True)]


def _traffic(walk: Walk[int], chunk_bytes: Fraction) -> Traffic:
    """Count the bytes of a walk, in which every payload is one chunk."""
    return Traffic(
        _bytes_by_rank(walk.sent, chunk_bytes),
        _bytes_by_rank(walk.received, chunk_bytes),
        walk.hops,
        _bytes_by_rank([tuple(set(held)) for held in walk.held], chunk_bytes),
    )


def _bytes_by_rank(payloads: Sequence[Sequence[int]], chunk_bytes: Fraction) -> tuple[Fraction, ...]:
    """Count, for each rank, its payloads one by one, and say how many bytes that is."""
    return tuple(chunk_bytes * sum(1 for _ in chunks) for chunks in payloads)


def _require(holds: bool, fault: str) -> None:
    """Raise AssertionError, also under `python -O`, if a simulated collective went wrong."""
    if not holds:
        raise AssertionError(f"The simulated collective is wrong: {fault}.")
