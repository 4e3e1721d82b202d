"""Collectives in rounds whose partners are 1, 2, 4, … ranks away, by the clock."""

from fractions import Fraction

from ._checks import positive_amount, positive_count
from ._parcels import (
    Pack,
    Parcel,
    contributions,
    merge,
    own_chunks,
    require_all_chunks,
    require_sums,
    ship,
)
from .clock import Clock, Link


def binomial_broadcast(ranks: int, size: Fraction | int, link: Link) -> Clock:
    """Broadcast from rank 0: in each round every rank that has the message sends it to one more."""
    clock = Clock()
    whole = positive_amount("size", size)
    held: dict[int, Pack] = {0: {0: Parcel(100)}}
    while len(held) < positive_count("ranks", ranks):
        for source, pack in list(held.items()):
            target = len(held)
            if target < ranks:
                held[target] = ship(clock, link, (source, target), pack, whole)
    return clock


def binomial_reduce(ranks: int, size: Fraction | int, link: Link) -> Clock:
    """Reduce to rank 0: in each round half of the ranks left send their sums to the other half."""
    clock = Clock()
    held = contributions(positive_count("ranks", ranks), 1)
    _reduce(clock, link, held, positive_amount("size", size))
    require_sums(held, ranks, [(0,)])
    return clock


def tree_all_reduce(ranks: int, size: Fraction | int, link: Link) -> Clock:
    """All-reduce as a binomial reduce to rank 0 and a binomial broadcast of the sum."""
    clock = Clock()
    whole = positive_amount("size", size)
    held = contributions(positive_count("ranks", ranks), 1)
    _reduce(clock, link, held, whole)
    informed = [0]
    while len(informed) < ranks:
        for source in list(informed):
            target = len(informed)
            if target < ranks:
                held[target] = ship(clock, link, (source, target), held[source], whole)
                informed.append(target)
    require_sums(held, ranks, [(0,)] * ranks)
    return clock


def doubling_all_gather(ranks: int, size: Fraction | int, link: Link) -> Clock:
    """All-gather of a power of two of ranks: pairs exchange all they hold, 1, 2, 4, … apart."""
    _require_power_of_two(ranks)
    clock, chunk_bytes = Clock(), positive_amount("size", size) / ranks
    held = own_chunks(ranks)
    _double(clock, link, held, chunk_bytes)
    require_all_chunks(held, ranks)
    return clock


def halving_doubling_all_reduce(ranks: int, size: Fraction | int, link: Link) -> Clock:
    """All-reduce of a power of two of ranks: recursive halving of sums, then recursive doubling.

    In each round of halving a rank keeps half of its chunks and sends its values of the other
    half to a partner that keeps those.
    """
    _require_power_of_two(ranks)
    clock, chunk_bytes = Clock(), positive_amount("size", size) / ranks
    held = contributions(ranks, ranks)
    distance = ranks // 2
    while distance:
        arrived = {
            rank ^ distance: ship(
                clock,
                link,
                (rank, rank ^ distance),
                {c: p for c, p in held[rank].items() if (c ^ rank) & distance},
                chunk_bytes,
            )
            for rank in range(ranks)
        }
        for rank in range(ranks):
            held[rank] = {c: p for c, p in held[rank].items() if not (c ^ rank) & distance}
            merge(held[rank], arrived[rank])
        distance //= 2
    require_sums(held, ranks, [(rank,) for rank in range(ranks)])
    _double(clock, link, held, chunk_bytes)
    require_sums(held, ranks, [range(ranks)] * ranks)
    return clock


def bruck_all_gather(ranks: int, size: Fraction | int, link: Link) -> Clock:
    """All-gather of any number of ranks in rounds of doubling, the last of which may be partial.

    In a round at distance d each rank sends to the rank d places to its left what that one lacks.
    """
    clock = Clock()
    chunk_bytes = positive_amount("size", size) / positive_count("ranks", ranks)
    held = own_chunks(ranks)
    distance = 1
    while any(len(pack) < ranks for pack in held.values()):
        arrived: dict[int, Pack] = {}
        for rank in range(ranks):
            target = (rank - distance) % ranks
            lacking = {c: p for c, p in held[rank].items() if c not in held[target]}
            arrived[target] = ship(clock, link, (rank, target), lacking, chunk_bytes)
        for rank, pack in arrived.items():
            merge(held[rank], pack)
        distance *= 2
    require_all_chunks(held, ranks)
    return clock


def _reduce(clock: Clock, link: Link, held: dict[int, Pack], whole: Fraction) -> None:
    """Fold the upper half of the ranks left onto the lower half until rank 0 has the sum."""
    left = len(held)
    while left > 1:
        keep = -(-left // 2)
        for source in range(keep, left):
            merge(held[source - keep], ship(clock, link, (source, source - keep), held[source], whole))
        left = keep


def _double(clock: Clock, link: Link, held: dict[int, Pack], chunk_bytes: Fraction) -> None:
    """Exchange all that is held with partners 1, 2, 4, … apart."""
    ranks, distance = len(held), 1
    while distance < ranks:
        arrived = {
            rank ^ distance: ship(clock, link, (rank, rank ^ distance), held[rank], chunk_bytes)
            for rank in range(ranks)
        }
        for rank, pack in arrived.items():
            merge(held[rank], pack)
        distance *= 2


def _require_power_of_two(ranks: int) -> None:
    if positive_count("ranks", ranks) & (ranks - 1):
        raise ValueError(f"ranks must be a power of two, not {ranks}.")
