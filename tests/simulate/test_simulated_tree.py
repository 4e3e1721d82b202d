"""Trees and rounds of doubling by the clock, and all-reduce over two binary trees."""

from collections.abc import Iterator
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workings.simulate.clock import BYTES, Link
from workings.simulate.timed_ring import all_gather, all_reduce
from workings.simulate.tree import (
    binomial_broadcast,
    binomial_reduce,
    bruck_all_gather,
    doubling_all_gather,
    halving_doubling_all_reduce,
    tree_all_reduce,
)
from workings.simulate.two_trees import Children, double_tree_all_reduce, first_tree, second_tree

ranks = st.integers(min_value=1, max_value=33)
powers = st.integers(min_value=0, max_value=5).map(lambda e: 2**e)
sizes = st.fractions(min_value=Fraction(1, 50), max_value=10**6)
LINK = Link(10, 1)


def test_five_ranks_are_reached_in_three_rounds() -> None:
    assert binomial_broadcast(5, 7, LINK).finish == 3 * 17
    assert binomial_reduce(5, 7, LINK).finish == 3 * 17
    assert tree_all_reduce(5, 7, LINK).finish == 6 * 17


@settings(deadline=None, max_examples=40)
@given(ranks, sizes)
def test_every_rank_but_the_root_receives_a_broadcast_once(count: int, size: Fraction) -> None:
    clock = binomial_broadcast(count, size, BYTES)
    assert [clock.received(rank) for rank in range(count)] == [0] + [size] * (count - 1)


@settings(deadline=None, max_examples=40)
@given(ranks, sizes)
def test_every_rank_but_the_root_sends_its_sum_once(count: int, size: Fraction) -> None:
    clock = binomial_reduce(count, size, BYTES)
    assert [clock.sent(rank) for rank in range(count)] == [0] + [size] * (count - 1)


@settings(deadline=None, max_examples=30)
@given(powers, sizes)
def test_doubling_moves_the_bytes_of_a_ring_in_fewer_messages(count: int, size: Fraction) -> None:
    doubled, ring = doubling_all_gather(count, size, BYTES), all_gather(count, size, BYTES)
    assert doubled.sent(0) == ring.sent(0)
    assert doubled.messages <= ring.messages
    halved, ring = halving_doubling_all_reduce(count, size, BYTES), all_reduce(count, size, BYTES)
    assert halved.sent(count - 1) == ring.sent(count - 1)


@settings(deadline=None, max_examples=30)
@given(ranks, sizes)
def test_bruck_needs_no_power_of_two(count: int, size: Fraction) -> None:
    clock = bruck_all_gather(count, size, BYTES)
    assert clock.sent(0) == all_gather(count, size, BYTES).sent(0)
    if count & (count - 1) == 0:
        assert clock.finish == doubling_all_gather(count, size, BYTES).finish


@pytest.mark.parametrize("count", [3, 6, 12])
def test_doubling_refuses_other_numbers_of_ranks(count: int) -> None:
    for collective in (doubling_all_gather, halving_doubling_all_reduce):
        with pytest.raises(ValueError, match="power of two"):
            collective(count, 8, BYTES)


# --- two binary trees --------------------------------------------------------------------------


def below(children: Children, rank: int) -> Iterator[int]:
    yield rank
    for child in children[rank]:
        yield from below(children, child)


@given(ranks)
def test_both_trees_reach_every_rank_once_and_have_two_children_at_most(count: int) -> None:
    for root, children in (first_tree(count), second_tree(count)):
        assert sorted(below(children, root)) == list(range(count))
        assert max(len(kids) for kids in children.values()) <= 2


@given(ranks)
def test_an_inner_rank_of_one_tree_is_a_leaf_of_the_other(count: int) -> None:
    first, second = first_tree(count)[1], second_tree(count)[1]
    inner_in_both = {rank for rank in range(count) if first[rank] and second[rank]}
    assert inner_in_both <= ({0} if count % 2 else set())


@settings(deadline=None, max_examples=40)
@given(ranks, sizes)
def test_no_rank_sends_or_receives_more_than_twice_the_message(count: int, size: Fraction) -> None:
    clock = double_tree_all_reduce(count, size)
    for rank in range(count):
        assert clock.sent(rank) <= 2 * size
        assert clock.received(rank) <= 2 * size
    assert sum(clock.sent(rank) for rank in range(count)) == 2 * (count - 1) * size
