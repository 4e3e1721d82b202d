"""Rings over nodes: what they carry, and which link is the busiest."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workings.simulate.node_rings import all_gather_time, ring_order


def test_a_ring_visits_every_device_once_and_leaves_each_node_at_its_own_device() -> None:
    order = ring_order(1, nodes=2, per_node=4)
    assert sorted(order) == [(node, device) for node in range(2) for device in range(4)]
    assert [order[3], order[7]] == [(0, 1), (1, 1)]


def test_inside_one_node_a_device_sends_all_but_its_own_part() -> None:
    assert all_gather_time(1, 4, 1, Fraction(4), Fraction(1), Fraction(1, 99)) == 3


def test_one_ring_between_nodes_is_as_slow_as_its_card_and_eight_share_it() -> None:
    one = all_gather_time(2, 8, 1, Fraction(16), Fraction(9), Fraction(1))
    assert one == 15
    assert all_gather_time(2, 8, 8, Fraction(16), Fraction(9), Fraction(1)) == one / 8


@settings(deadline=None, max_examples=30)
@given(nodes=st.integers(1, 4), per_node=st.integers(1, 4), fast=st.fractions(1, 9))
def test_no_link_is_busy_longer_than_if_it_carried_everything(
    nodes: int, per_node: int, fast: Fraction
) -> None:
    time = all_gather_time(nodes, per_node, per_node, Fraction(1), fast, Fraction(1))
    assert 0 <= time <= 1


def test_more_rings_than_devices_are_refused() -> None:
    with pytest.raises(ValueError, match="3 rings cannot leave a node of 2"):
        all_gather_time(2, 2, 3, Fraction(1), Fraction(1), Fraction(1))
