"""All-to-all: every rank has another parcel for each rank, and all of them get there."""

from collections.abc import Callable
from fractions import Fraction

from ._checks import positive_amount, positive_count
from .clock import Clock, Link

Pair = tuple[int, int]


def all_to_all(ranks: int, size: Fraction | int, link: Link) -> Clock:
    """Exchange over one kind of link; each rank starts with `size` bytes, one part for each rank."""
    return exchange(ranks, size, lambda _source, _target: link)


def all_to_all_in_nodes(
    ranks: int, per_node: int, size: Fraction | int, inside: Link, between: Link
) -> Clock:
    """Exchange among ranks of which every `per_node` in a row share a node.

    ValueError unless `per_node` divides `ranks`.
    """
    if ranks % positive_count("per_node", per_node):
        raise ValueError(f"{per_node} ranks a node do not divide {ranks} ranks.")

    def link_of(source: int, target: int) -> Link:
        return inside if source // per_node == target // per_node else between

    return exchange(ranks, size, link_of)


def exchange(ranks: int, size: Fraction | int, link_of: Callable[[int, int], Link]) -> Clock:
    """Send every part to its rank: in round d each rank sends to the rank d places on.

    `link_of` gives the link between two ranks. ValueError if `ranks` is below 1 or `size` is not
    above 0.
    """
    clock = Clock()
    part_bytes = positive_amount("size", size) / positive_count("ranks", ranks)
    mail = {
        (source, target): 1000 * source + target for source in range(ranks) for target in range(ranks)
    }
    delivered: dict[Pair, int] = {(rank, rank): mail[rank, rank] for rank in range(ranks)}
    for distance in range(1, ranks):
        for source in range(ranks):
            target = (source + distance) % ranks
            clock.send(link_of(source, target), source, target, part_bytes)
            delivered[source, target] = mail[source, target]
    if delivered != mail:
        raise AssertionError("The simulated exchange is wrong: a part is missing.")
    return clock


def exchange_on_a_ring(ranks: int, size: Fraction | int) -> tuple[Fraction, Fraction]:
    """All-to-all on a ring in which parts are handed on from neighbour to neighbour.

    Each part goes the shorter way round, to the right where both ways are equally long. Returns
    the bytes that rank 0 sends to its right and to its left, forwarded parts included; all ranks
    send the same. ValueError if `ranks` is below 1 or `size` is not above 0.
    """
    part_bytes = positive_amount("size", size) / positive_count("ranks", ranks)
    right, left = [Fraction(0)] * ranks, [Fraction(0)] * ranks
    for source in range(ranks):
        for target in range(ranks):
            to_right = (target - source) % ranks <= (source - target) % ranks
            wires, step = (right, 1) if to_right else (left, -1)
            at = source
            while at != target:
                wires[at] += part_bytes
                at = (at + step) % ranks
    if len(set(right)) != 1 or len(set(left)) != 1:
        raise AssertionError("The simulated ring is wrong: ranks send different amounts.")
    return right[0], left[0]


def exchange_one_way(ranks: int, size: Fraction | int) -> Fraction:
    """All-to-all on a ring that sends to the right only: the bytes that every rank sends on.

    In each round all ranks hand on what they hold of others' parts, and keep what is for them.
    """
    part_bytes = positive_amount("size", size) / positive_count("ranks", ranks)
    passing = [[(rank, target) for target in range(ranks) if target != rank] for rank in range(ranks)]
    sent, kept = [Fraction(0)] * ranks, [{(rank, rank)} for rank in range(ranks)]
    while any(passing):
        sent = [total + part_bytes * len(parts) for total, parts in zip(sent, passing, strict=True)]
        arrived = [passing[rank - 1] for rank in range(ranks)]
        for rank, parts in enumerate(arrived):
            kept[rank] |= {part for part in parts if part[1] == rank}
        passing = [[p for p in parts if p[1] != rank] for rank, parts in enumerate(arrived)]
    if any(len(parts) != ranks for parts in kept) or len(set(sent)) != 1:
        raise AssertionError("The simulated ring is wrong: a part is missing, or ranks differ.")
    return sent[0]
