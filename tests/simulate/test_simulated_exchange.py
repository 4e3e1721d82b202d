"""All-to-all over a switch, over nodes, and on a ring."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workings.simulate.clock import BYTES, Link
from workings.simulate.exchange import all_to_all, all_to_all_in_nodes, exchange_on_a_ring

ranks = st.integers(min_value=1, max_value=14)
sizes = st.fractions(min_value=Fraction(1, 50), max_value=10**6)


def test_four_ranks_exchange_8_bytes_each_in_three_rounds_of_2() -> None:
    clock = all_to_all(4, 8, Link(10, 1))
    assert clock.finish == 36
    assert clock.sent(0) == clock.received(3) == 6


def test_two_nodes_of_two_send_one_part_inside_and_two_between() -> None:
    inside, between = Link(name="inside"), Link(name="between")
    clock = all_to_all_in_nodes(4, 2, 8, inside, between)
    assert clock.sent(1, "inside") == 2
    assert clock.sent(1, "between") == 4


@settings(deadline=None, max_examples=30)
@given(ranks, sizes)
def test_on_a_ring_as_much_goes_left_as_right_but_for_the_farthest_parts(
    count: int, size: Fraction
) -> None:
    right, left = exchange_on_a_ring(count, size)
    farthest = 0 if count % 2 else size / count * (count // 2)
    assert right - left == farthest


@settings(deadline=None, max_examples=30)
@given(ranks, sizes)
def test_a_ring_never_sends_less_than_a_switch(count: int, size: Fraction) -> None:
    assert sum(exchange_on_a_ring(count, size)) >= all_to_all(count, size, BYTES).sent(0)


@pytest.mark.parametrize("count", [2, 3])
def test_up_to_three_ranks_everyone_is_a_neighbour(count: int) -> None:
    assert sum(exchange_on_a_ring(count, 6)) == all_to_all(count, 6, BYTES).sent(0)


def test_nodes_must_be_full() -> None:
    with pytest.raises(ValueError, match="do not divide"):
        all_to_all_in_nodes(6, 4, 8, BYTES, BYTES)
