"""An all-reduce over two binary trees at once, half of the message over each.

An inner rank of one tree is a leaf of the other (but for rank 0 where the number of ranks is odd), so
that both directions of its link are busy.
"""

from fractions import Fraction

from ._checks import positive_amount, positive_count
from .clock import BYTES, Clock

Children = dict[int, list[int]]


def first_tree(ranks: int) -> tuple[int, Children]:
    """Return root and children of a binary tree in which ranks of odd number are leaves.

    Ranks are in order from left to right; rank 0 is the root, with one child.
    """
    children: Children = {rank: [] for rank in range(positive_count("ranks", ranks))}
    step = 1
    while step < ranks:
        step *= 2
    _hang(children, 0, 0, step)
    return 0, children


def second_tree(ranks: int) -> tuple[int, Children]:
    """Return the first tree turned round (even) or moved by one place (odd), so that leaves differ."""
    root, children = first_tree(ranks)

    def renamed(rank: int) -> int:
        return (rank + 1) % ranks if ranks % 2 else ranks - 1 - rank

    return renamed(root), {renamed(r): [renamed(c) for c in kids] for r, kids in children.items()}


def double_tree_all_reduce(ranks: int, size: Fraction | int) -> Clock:
    """Sum both halves up their trees and hand the sums down again; count bytes only."""
    clock = Clock()
    half = positive_amount("size", size) / 2
    for root, children in (first_tree(ranks), second_tree(ranks)):
        sums: dict[int, int] = {}
        _sum_up(clock, children, root, half, sums)
        if sums[root] != (1 << ranks) - 1:
            raise AssertionError("The simulated tree is wrong: the root lacks a part of the sum.")
        _hand_down(clock, children, root, half, sums)
        if set(sums.values()) != {sums[root]} or len(sums) != ranks:
            raise AssertionError("The simulated tree is wrong: a rank lacks the sum.")
    return clock


def _hang(children: Children, parent: int, low: int, span: int) -> None:
    """Hang the middle of the ranks after `low`, up to `low + span`, under a parent, and so on."""
    ranks = len(children)
    while span > 1:
        middle = low + span // 2
        if middle < ranks:
            children[parent].append(middle)
            _hang(children, middle, low, span // 2)
            _hang(children, middle, middle, span // 2)
            return
        span //= 2


def _sum_up(clock: Clock, children: Children, rank: int, half: Fraction, sums: dict[int, int]) -> None:
    total = 1 << rank
    for child in children[rank]:
        _sum_up(clock, children, child, half, sums)
        clock.send(BYTES, child, rank, half)
        total += sums[child]
    sums[rank] = total


def _hand_down(clock: Clock, children: Children, rank: int, half: Fraction, sums: dict[int, int]) -> None:
    for child in children[rank]:
        clock.send(BYTES, rank, child, half)
        sums[child] = sums[rank]
        _hand_down(clock, children, child, half, sums)
