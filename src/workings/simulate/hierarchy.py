"""Collectives on two levels, inside nodes and between them, by the clock.

Rank r is in node r // per_node, at place r % per_node. Ranks at one place of all nodes form a ring
between nodes; links inside nodes and between them are ports of their own.
"""

from collections.abc import Sequence
from fractions import Fraction

from ._checks import positive_count
from ._parcels import contributions, own_chunks, require_all_chunks, require_sums
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


def _members(ranks: int, per_node: int) -> tuple[list[Sequence[int]], list[Sequence[int]]]:
    """Return the ranks of each node, and the ranks at each place of all nodes."""
    if positive_count("ranks", ranks) % positive_count("per_node", per_node):
        raise ValueError(f"{per_node} ranks a node do not divide {ranks} ranks.")
    nodes: list[Sequence[int]] = [range(first, first + per_node) for first in range(0, ranks, per_node)]
    places: list[Sequence[int]] = [range(place, ranks, per_node) for place in range(per_node)]
    return nodes, places
