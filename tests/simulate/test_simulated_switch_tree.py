"""Gathers through switches that copy, in two hops, one way round, and along every axis of a torus."""

from fractions import Fraction

import pytest

from workings.simulate.clock import BYTES, Link
from workings.simulate.exchange import exchange_one_way
from workings.simulate.hierarchy import reduce_in_two_hops
from workings.simulate.prefetch import units_gathered
from workings.simulate.switch_tree import gather_through_switches
from workings.simulate.torus import all_to_all_on_torus, furthest


def test_two_nodes_of_two_ranks_pass_every_chunk_through_the_spine_once() -> None:
    # By hand: each of 4 chunks goes to the mate and up, comes down once, and to two devices there
    traffic = gather_through_switches(4, 2, 4)
    assert [traffic.into_spine, traffic.out_of_spine] == [4, 4]
    assert [traffic.into_node, traffic.out_of_node] == [4, 2 * 2 + 2 * 2]


def test_ranks_that_fill_no_two_nodes_are_refused() -> None:
    for ranks, per_node in ((6, 4), (4, 4)):
        with pytest.raises(ValueError, match="do not divide"):
            gather_through_switches(ranks, per_node, 1)


def test_two_hops_send_a_summed_chunk_to_each_other_node() -> None:
    clock = reduce_in_two_hops(6, 2, 6, BYTES, Link(name="between"))
    assert clock.sent(0, "between") == 2  # its chunk of the two other nodes, a byte each
    assert clock.sent(0) == 3  # the three chunks of its mate's place


def test_three_ranks_hand_parts_one_way_over_one_and_two_links() -> None:
    assert exchange_one_way(3, 3) == 1 + 2
    assert exchange_one_way(1, 5) == 0


def test_word_needs_half_of_each_axis_of_a_torus_and_all_of_an_open_one() -> None:
    assert [furthest([4]), furthest([5]), furthest([4, 6])] == [2, 2, 5]
    assert [furthest([4], closed=False), furthest([2, 3], closed=False)] == [3, 3]
    assert furthest([1]) == 0


def test_the_longest_axis_of_a_torus_carries_most() -> None:
    # By hand, over the link from 0 to 1: the part for the neighbour, and half of both that go across
    assert all_to_all_on_torus((4,), 4) == 1 + Fraction(1, 2) + Fraction(1, 2)
    assert all_to_all_on_torus((4, 2), 4) == all_to_all_on_torus((4, 4), 4)


def test_the_last_unit_is_gathered_once() -> None:
    assert [units_gathered(units) for units in (1, 2, 3)] == [1, 3, 5]
