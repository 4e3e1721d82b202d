"""Collectives on two levels, inside nodes and between them, by the clock.

Rank r is in node r // per_node, at place r % per_node. Ranks at one place of all nodes form a ring
between nodes; links inside nodes and between them are ports of their own.
"""

from collections.abc import Sequence
from fractions import Fraction

from ._checks import positive_count
from ._parcels import Pack, contributions, merge, own_chunks, require_all_chunks, require_sums, ship
from .clock import Clock, Link
from .timed_ring import chunk_of, pass_round, sum_round


def all_reduce(ranks: int, per_node: int, size: Fraction | int, inside: Link, between: Link) -> Clock:
    """All-reduce: reduce-scatter in every node, all-reduce between nodes, all-gather in every node.

    ValueError unless `per_node` divides `ranks`.
    """
    nodes, places = _members(ranks, per_node)
    clock, chunk_bytes = Clock(), chunk_of(ranks, size)
    held = contributions(ranks, ranks)
    shares = [range(p * len(nodes), (p + 1) * len(nodes)) for p in range(per_node)]
    for node in nodes:
        sum_round(clock, inside, node, held, shares, chunk_bytes)
    for place, share in zip(places, shares, strict=True):
        sum_round(clock, between, place, held, [(chunk,) for chunk in share], chunk_bytes)
        pass_round(clock, between, place, held, chunk_bytes)
    for node in nodes:
        pass_round(clock, inside, node, held, chunk_bytes)
    require_sums(held, ranks, [range(ranks)] * ranks)
    return clock


def all_gather(ranks: int, per_node: int, size: Fraction | int, inside: Link, between: Link) -> Clock:
    """All-gather: between nodes among ranks of one place first, then inside every node.

    ValueError unless `per_node` divides `ranks`.
    """
    nodes, places = _members(ranks, per_node)
    clock, chunk_bytes = Clock(), chunk_of(ranks, size)
    held = own_chunks(ranks)
    for place in places:
        pass_round(clock, between, place, held, chunk_bytes)
    for node in nodes:
        pass_round(clock, inside, node, held, chunk_bytes)
    require_all_chunks(held, ranks)
    return clock


def reduce_in_two_hops(
    ranks: int, per_node: int, size: Fraction | int, inside: Link, between: Link
) -> Clock:
    """Reduce-scatter by two all-to-alls: rank to rank of one node, then among ranks of one place.

    Every rank begins with a value of every rank's chunk. Inside a node a mate gets the chunks of its
    place in all nodes, and adds them up; of these sums each goes to the node of its owner.
    ValueError unless `per_node` divides `ranks`.
    """
    nodes, places = _members(ranks, per_node)
    clock, chunk_bytes = Clock(), chunk_of(ranks, size)
    held = contributions(ranks, ranks)
    for node in nodes:
        _hand_out(clock, inside, node, held, [places[rank % per_node] for rank in node], chunk_bytes)
    for place in places:
        _hand_out(clock, between, place, held, [(rank,) for rank in place], chunk_bytes)
    require_sums(held, ranks, [(rank,) for rank in range(ranks)])
    return clock


def flat_all_gather(
    ranks: int, per_node: int, size: Fraction | int, inside: Link, between: Link
) -> Clock:
    """All-gather on one ring through all nodes, whose hops are inside a node or between two.

    ValueError unless `per_node` divides `ranks`.
    """
    _members(ranks, per_node)
    clock, chunk_bytes = Clock(), chunk_of(ranks, size)
    arrived = [Fraction(0)] * ranks
    for _ in range(ranks - 1):
        onward = list(arrived)
        for rank in range(ranks):
            right = (rank + 1) % ranks
            link = inside if rank // per_node == right // per_node else between
            onward[right] = clock.send(link, rank, right, chunk_bytes, arrived[rank])
        arrived = onward
    return clock


def _hand_out(
    clock: Clock, link: Link, members: Sequence[int], held: dict[int, Pack],
    owned: Sequence[Sequence[int]], chunk_bytes: Fraction,
) -> None:  # fmt: skip
    """Send each member the values of the chunks that it is to own, as they are before the exchange."""
    before = {member: dict(held[member]) for member in members}
    for target, chunks in zip(members, owned, strict=True):
        for source in members:
            if source != target:
                pack = {chunk: before[source][chunk] for chunk in chunks}
                merge(held[target], ship(clock, link, (source, target), pack, chunk_bytes))


def _members(ranks: int, per_node: int) -> tuple[list[Sequence[int]], list[Sequence[int]]]:
    """Return the ranks of each node, and the ranks at each place of all nodes."""
    if positive_count("ranks", ranks) % positive_count("per_node", per_node):
        raise ValueError(f"{per_node} ranks a node do not divide {ranks} ranks.")
    nodes: list[Sequence[int]] = [range(first, first + per_node) for first in range(0, ranks, per_node)]
    places: list[Sequence[int]] = [range(place, ranks, per_node) for place in range(per_node)]
    return nodes, places
