"""Collectives on a ring of ranks, in one direction, by the clock.

Every rank sends to its right neighbour what reached it last. `members` may be any ranks, so that
rings inside nodes and between nodes can be put together.
"""

from collections.abc import Sequence
from fractions import Fraction

from ._checks import positive_amount, positive_count
from ._parcels import (
    Pack,
    contributions,
    merge,
    own_chunks,
    require_all_chunks,
    require_sums,
    ship,
)
from .clock import Clock, Link


def pass_round(
    clock: Clock, link: Link, members: Sequence[int], held: dict[int, Pack], chunk_bytes: Fraction
) -> None:
    """All-gather among members: what each holds goes round until all hold everything."""
    everything = {chunk for member in members for chunk in held[member]}
    carried = {member: dict(held[member]) for member in members}
    while any(len(held[member]) < len(everything) for member in members):
        carried = _hop(clock, link, members, carried, chunk_bytes)
        for member in members:
            merge(held[member], carried[member])


def sum_round(
    clock: Clock,
    link: Link,
    members: Sequence[int],
    held: dict[int, Pack],
    blocks: Sequence[Sequence[int]],
    chunk_bytes: Fraction,
) -> None:
    """Reduce-scatter among members: member i ends with the sums of the chunks in blocks[i] only.

    A partial sum starts at the right neighbour of the member it is for, and gathers each
    member's part on its way there.
    """
    count = len(members)
    at = [(place - 1) % count for place in range(count)]
    carried = {m: {c: held[m][c] for c in blocks[at[i]]} for i, m in enumerate(members)}
    for _ in range(count - 1):
        carried = _hop(clock, link, members, carried, chunk_bytes)
        at = [at[(place - 1) % count] for place in range(count)]
        for place, member in enumerate(members):
            merge(carried[member], {c: held[member][c] for c in blocks[at[place]]})
    for member in members:
        held[member] = carried[member]


def all_gather(ranks: int, size: Fraction | int, link: Link) -> Clock:
    """All-gather a message of `size` bytes of which each rank starts with one chunk."""
    clock, chunk_bytes = Clock(), chunk_of(ranks, size)
    held = own_chunks(ranks)
    pass_round(clock, link, range(ranks), held, chunk_bytes)
    require_all_chunks(held, ranks)
    return clock


def reduce_scatter(ranks: int, size: Fraction | int, link: Link) -> Clock:
    """Reduce-scatter: each rank starts with `size` bytes and ends with one summed chunk."""
    clock, chunk_bytes = Clock(), chunk_of(ranks, size)
    held, each = contributions(ranks, ranks), [(rank,) for rank in range(ranks)]
    sum_round(clock, link, range(ranks), held, each, chunk_bytes)
    require_sums(held, ranks, each)
    return clock


def all_reduce(ranks: int, size: Fraction | int, link: Link) -> Clock:
    """All-reduce: the chunks are summed on one way round and gathered on a second."""
    clock, chunk_bytes = Clock(), chunk_of(ranks, size)
    held, each = contributions(ranks, ranks), [(rank,) for rank in range(ranks)]
    sum_round(clock, link, range(ranks), held, each, chunk_bytes)
    pass_round(clock, link, range(ranks), held, chunk_bytes)
    require_sums(held, ranks, [range(ranks)] * ranks)
    return clock


def chain_broadcast(ranks: int, size: Fraction | int, pieces: int, link: Link) -> Clock:
    """Broadcast from rank 0 along a chain: the message is cut up, and each piece handed on."""
    clock = Clock()
    piece_bytes = positive_amount("size", size) / positive_count("pieces", pieces)
    arrived = [Fraction(0)] * pieces
    for rank in range(positive_count("ranks", ranks) - 1):
        arrived = [clock.send(link, rank, rank + 1, piece_bytes, ready) for ready in arrived]
    return clock


def chunk_of(ranks: int, size: Fraction | int) -> Fraction:
    """Return the bytes of one of `ranks` equal chunks of a message."""
    return positive_amount("size", size) / positive_count("ranks", ranks)


def _hop(
    clock: Clock, link: Link, members: Sequence[int], carried: dict[int, Pack], chunk_bytes: Fraction
) -> dict[int, Pack]:
    """Send what each member carries to its right; return what each carries then."""
    arrived: dict[int, Pack] = {}
    for place, member in enumerate(members):
        right = members[(place + 1) % len(members)]
        arrived[right] = ship(clock, link, (member, right), carried[member], chunk_bytes)
    return arrived
