"""An all-reduce that the switch sums: every rank has one link to it, and it adds and copies.

Each rank owns one part of the vector. The switch draws that part from all other ranks, adds them up
and hands its owner one sum; the owner adds its own part and sends the total once; the switch copies
it to all others. Every number that crosses a link is counted there.
"""

from dataclasses import dataclass
from fractions import Fraction

from ._checks import positive_amount, positive_count


@dataclass
class Wire:
    """What one rank sent to the switch and got from it, in bytes."""

    up: Fraction = Fraction(0)
    down: Fraction = Fraction(0)


def switched_all_reduce(ranks: int, size: Fraction | int) -> list[Wire]:
    """Sum a message of `size` bytes over all ranks; each link's bytes.

    ValueError if `ranks` is below 1 or `size` is not above 0.
    """
    positive_count("ranks", ranks)
    part = Fraction(positive_amount("size", size)) / ranks
    vectors = [[3**rank + owner for owner in range(ranks)] for rank in range(ranks)]
    links = [Wire() for _ in range(ranks)]
    results = [[0] * ranks for _ in range(ranks)]
    for owner in range(ranks):
        others = [rank for rank in range(ranks) if rank != owner]
        drawn = 0
        for rank in others:
            drawn += vectors[rank][owner]
            links[rank].up += part
        if others:
            links[owner].down += part
        total = drawn + vectors[owner][owner]
        results[owner][owner] = total
        if others:
            links[owner].up += part
        for rank in others:
            results[rank][owner] = total
            links[rank].down += part
    sums = [sum(vector[owner] for vector in vectors) for owner in range(ranks)]
    if any(result != sums for result in results):
        raise AssertionError("A rank has a wrong sum.")
    return links
