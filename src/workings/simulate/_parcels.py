"""What ranks hold while a collective runs: chunks with their values, and since when."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from .clock import Clock, Link


class Parcel(NamedTuple):
    """A chunk's value, since when it is there, and how many ranks' values it sums."""

    value: int
    ready: Fraction = Fraction(0)
    addends: int = 1

    def plus(self, other: "Parcel") -> "Parcel":
        """Add two values of one chunk; the sum is there once both are (additions take no time)."""
        return Parcel(
            self.value + other.value, max(self.ready, other.ready), self.addends + other.addends
        )


Pack = dict[int, Parcel]
"""Parcels by the index of their chunk."""


def own_chunks(ranks: int) -> dict[int, Pack]:
    """Give each rank its own chunk only, with a value that no other has."""
    return {rank: {rank: Parcel(100 + rank)} for rank in range(ranks)}


def contributions(ranks: int, chunks: int) -> dict[int, Pack]:
    """Give each rank a value of every chunk, each a single bit that no other rank has."""
    return {rank: {c: Parcel(1 << rank) for c in range(chunks)} for rank in range(ranks)}


def ship(clock: Clock, link: Link, route: tuple[int, int], pack: Pack, chunk_bytes: Fraction) -> Pack:
    """Send a pack from one rank to another as one message; return it as it arrives."""
    ready = max(parcel.ready for parcel in pack.values())
    size = chunk_bytes * len(pack) if len(pack) > 1 else chunk_bytes
    arrival = clock.send(link, *route, size, ready)
    return {c: Parcel(p.value, arrival, p.addends) for c, p in pack.items()}


def merge(into: Pack, arrived: Pack) -> None:
    """Add arrived values to those held, chunk by chunk; keep chunks not held so far."""
    for chunk, parcel in arrived.items():
        into[chunk] = into[chunk].plus(parcel) if chunk in into else parcel


def require_all_chunks(held: dict[int, Pack], ranks: int) -> None:
    """Raise AssertionError unless every rank holds the chunk that each rank began with."""
    wanted = {rank: 100 + rank for rank in range(ranks)}
    for rank in range(ranks):
        _require({c: p.value for c, p in held[rank].items()} == wanted, rank)


def require_sums(held: dict[int, Pack], ranks: int, owned: Sequence[Iterable[int]]) -> None:
    """Raise AssertionError unless each rank holds the complete sums of the chunks it owns."""
    total = sum(1 << rank for rank in range(ranks))
    for rank, chunks in enumerate(owned):
        _require(all(held[rank][c].value == total for c in chunks), rank)


def _require(holds: bool, rank: int) -> None:
    if not holds:
        raise AssertionError(f"The simulated collective is wrong: rank {rank} ends with other data.")
