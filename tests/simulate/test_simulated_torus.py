"""Rings that work both ways, square tori, and the links that a cut through a torus meets."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workings.simulate.clock import BYTES, Link
from workings.simulate.timed_ring import all_gather
from workings.simulate.torus import (
    both_ways,
    fewest_links_cut,
    gather_in_halves,
    gather_on_square,
    gather_the_shorter_way,
    links_cut,
    reduce_scatter_on_torus,
    torus_links,
)

ranks = st.integers(min_value=1, max_value=13)
sizes = st.fractions(min_value=Fraction(1, 50), max_value=10**6)


def test_an_axis_has_half_of_its_bandwidth_each_way() -> None:
    right, left = both_ways(Link(3, 10))
    assert (right.bandwidth, left.bandwidth, right.latency) == (5, 5, 3)


def test_on_four_ranks_whole_chunks_need_two_hops_and_halves_three() -> None:
    axis = Link(10, 2)  # one byte a second each way
    assert gather_the_shorter_way(4, 8, axis).finish == 2 * (10 + 2)
    assert gather_in_halves(4, 8, axis).finish == 3 * (10 + 1)


@settings(deadline=None, max_examples=40)
@given(ranks, sizes)
def test_halves_move_the_bytes_of_one_direction_in_two(count: int, size: Fraction) -> None:
    clock = gather_in_halves(count, size, BYTES)
    both = clock.sent(0, "right") + clock.sent(0, "left")
    assert both == all_gather(count, size, BYTES).sent(0)
    assert clock.sent(0, "right") == clock.sent(0, "left")


@settings(deadline=None, max_examples=40)
@given(ranks, sizes)
def test_on_an_odd_ring_the_shorter_way_sends_nothing_twice(count: int, size: Fraction) -> None:
    clock = gather_the_shorter_way(count, size, BYTES)
    both = clock.sent(0, "right") + clock.sent(0, "left")
    twice = 0 if count % 2 else size / count  # the farthest chunk comes from both sides
    assert both == all_gather(count, size, BYTES).sent(0) + twice


@settings(deadline=None, max_examples=12)
@given(st.integers(min_value=1, max_value=5), sizes)
def test_a_square_torus_uses_both_axes_alike(side: int, size: Fraction) -> None:
    clock = gather_on_square(side, size, BYTES)
    sent = {clock.sent(0, f"{axis} {way}") for axis in ("row", "column") for way in ("right", "left")}
    assert sent == {all_gather(side * side, size, BYTES).sent(0) / 4}


def test_a_square_torus_gathers_twice_as_fast_as_one_axis() -> None:
    axis = Link(0, 2)
    assert gather_on_square(4, 16, axis).finish * 2 == gather_in_halves(16, 16, axis).finish


# --- links ---------------------------------------------------------------------------------------


def test_a_torus_has_one_link_for_each_device_and_axis() -> None:
    assert len(list(torus_links((4, 3)))) == 2 * 12
    assert len(list(torus_links((2, 2, 2)))) == 3 * 8


def test_a_cut_meets_every_ring_along_its_axis_twice() -> None:
    assert links_cut((16, 16), 0) == 32
    assert links_cut((4, 2), 0) == 2 * 2
    assert links_cut((4, 2), 1) == 2 * 4


@pytest.mark.parametrize("sides", [(2,), (4,), (8,), (2, 2), (4, 2), (4, 4), (6, 2), (2, 2, 2), (4, 3)])
def test_no_split_into_halves_meets_fewer_links_than_a_cut_across_the_longest_axis(
    sides: tuple[int, ...],
) -> None:
    assert fewest_links_cut(sides) == links_cut(sides, 0)


@pytest.mark.parametrize("sides", [(1,), (5,), (2, 3), (4, 2), (2, 3, 2), (1, 4, 1)])
def test_sums_along_the_axes_move_all_parts_of_a_vector_but_one(sides: tuple[int, ...]) -> None:
    devices = len({end for link in torus_links(sides) for end in link})
    assert reduce_scatter_on_torus(sides, devices) == devices - 1


def test_what_has_no_halves_is_refused() -> None:
    with pytest.raises(ValueError, match="has no halves"):
        links_cut((3, 4), 0)
    with pytest.raises(ValueError, match="not split in every way"):
        fewest_links_cut((3, 3))
