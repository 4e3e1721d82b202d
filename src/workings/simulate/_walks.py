"""Walks of chunks around a ring of ranks, for payloads of any type.

In one hop every rank sends exactly one chunk to its right neighbour (rank + 1, the last rank
to rank 0), all at the same time. A walk goes on until a check of what the ranks hold says
that it is complete, so the number of hops is observed and not computed beforehand.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")


class Parcel(NamedTuple, Generic[T]):
    """A chunk on its way: its index, its payload, and how many ranks' payloads it sums."""

    chunk: int
    value: T
    addends: int


@dataclass(frozen=True)
class Walk(Generic[T]):
    """What a walk did; every tuple has one entry per rank.

    held: the payloads the rank ends with, in the order of their chunk index.
    sent, received: the payloads the rank sent and received, one per hop.
    hops: the number of hops until the walk was complete.
    """

    held: tuple[tuple[T, ...], ...]
    sent: tuple[tuple[T, ...], ...]
    received: tuple[tuple[T, ...], ...]
    hops: int


class _Ring(Generic[T]):
    """The wires of a ring, with a log of every payload that left a rank or arrived, hop by hop."""

    def __init__(self, ranks: int) -> None:
        self.ranks = ranks
        self.hops = 0
        self.left: list[list[T]] = []
        self.arrived: list[list[T]] = []

    def hop(self, outgoing: Sequence[Parcel[T]]) -> list[Parcel[T]]:
        """Send each rank's parcel to its right; return the parcel that arrived at each rank."""
        incoming = [outgoing[-1], *outgoing[:-1]]
        self.left.append([parcel.value for parcel in outgoing])
        self.arrived.append([parcel.value for parcel in incoming])
        self.hops += 1
        return incoming

    def finish(self, held: Sequence[dict[int, T]]) -> Walk[T]:
        """Close the log; `held` maps, for each rank, chunk indices to final payloads."""
        in_order = tuple(tuple(chunks[c] for c in sorted(chunks)) for chunks in held)
        return Walk(in_order, self._by_rank(self.left), self._by_rank(self.arrived), self.hops)

    def _by_rank(self, by_hop: Sequence[Sequence[T]]) -> tuple[tuple[T, ...], ...]:
        """A log of hops as one of ranks, which have sent nothing where there was no hop."""
        return tuple(zip(*by_hop, strict=True)) or ((),) * self.ranks


def gather_walk(shards: Sequence[T]) -> Walk[T]:
    """All-gather: rank r starts with shards[r] only and ends with every shard.

    Each rank passes on the chunk that reached it last, beginning with its own.
    """
    ring: _Ring[T] = _Ring(len(shards))
    carried = [Parcel(rank, shard, 1) for rank, shard in enumerate(shards)]
    held = [{parcel.chunk: parcel.value} for parcel in carried]
    while any(len(chunks) < ring.ranks for chunks in held):
        carried = ring.hop(carried)
        for chunks, parcel in zip(held, carried, strict=True):
            chunks[parcel.chunk] = parcel.value
    return ring.finish(held)


def reduce_scatter_walk(vectors: Sequence[Sequence[T]], add: Callable[[T, T], T]) -> Walk[T]:
    """Reduce-scatter: vectors[r][c] is rank r's part of chunk c; rank r ends with chunk r summed.

    Each rank adds its own part to the chunk that reached it and passes the sum on, beginning
    with its own part of its left neighbour's chunk, which thus comes home last.
    """
    ring: _Ring[T] = _Ring(len(vectors))
    carried = _first_parcels(vectors)
    while any(parcel.addends < ring.ranks for parcel in carried):
        arrived = ring.hop(carried)
        carried = [_add_own(p, own, add) for p, own in zip(arrived, vectors, strict=True)]
    return ring.finish([{parcel.chunk: parcel.value} for parcel in carried])


def all_reduce_walk(vectors: Sequence[Sequence[T]], add: Callable[[T, T], T]) -> Walk[T]:
    """All-reduce in one walk: every rank ends with every chunk summed over all ranks.

    A rank adds its own part to an arriving sum that still lacks parts, and keeps a complete
    sum as it is; in both cases it passes the chunk on, until all ranks have all sums.
    """
    ring: _Ring[T] = _Ring(len(vectors))
    carried = _first_parcels(vectors)
    sums: list[dict[int, T]] = [{} for _ in vectors]
    _keep_complete(sums, carried)
    while any(len(chunks) < ring.ranks for chunks in sums):
        arrived = ring.hop(carried)
        carried = [
            parcel if parcel.addends == ring.ranks else _add_own(parcel, own, add)
            for parcel, own in zip(arrived, vectors, strict=True)
        ]
        _keep_complete(sums, carried)
    return ring.finish(sums)


def _first_parcels(vectors: Sequence[Sequence[T]]) -> list[Parcel[T]]:
    """Return each rank's own part of its left neighbour's chunk."""
    ranks = len(vectors)
    left = [(rank - 1) % ranks for rank in range(ranks)]
    return [Parcel(left[rank], vectors[rank][left[rank]], 1) for rank in range(ranks)]


def _add_own(parcel: Parcel[T], own: Sequence[T], add: Callable[[T, T], T]) -> Parcel[T]:
    """Return the parcel with the rank's own part of that chunk added."""
    return Parcel(parcel.chunk, add(parcel.value, own[parcel.chunk]), parcel.addends + 1)


def _keep_complete(sums: Sequence[dict[int, T]], carried: Sequence[Parcel[T]]) -> None:
    """Store each rank's parcel among its sums if all ranks have been added to it."""
    for chunks, parcel in zip(sums, carried, strict=True):
        if parcel.addends == len(carried):
            chunks[parcel.chunk] = parcel.value
