"""Collectives on two levels, and a flat ring through nodes."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workings.simulate import timed_ring
from workings.simulate.clock import Link
from workings.simulate.hierarchy import all_gather, all_reduce, flat_all_gather

nodes = st.integers(min_value=1, max_value=5)
places = st.integers(min_value=1, max_value=5)
sizes = st.fractions(min_value=Fraction(1, 50), max_value=10**6)
INSIDE, BETWEEN = Link(1, 9, "inside"), Link(10, 1, "between")


def test_two_nodes_of_two_ranks_all_reduce_8_bytes() -> None:
    clock = all_reduce(4, 2, 8, Link(1, 1, "inside"), Link(10, 1, "between"))
    # 4 bytes to the neighbour, 2 bytes twice to the other node, 4 bytes to the neighbour
    assert clock.finish == (1 + 4) + 2 * (10 + 2) + (1 + 4)
    assert clock.sent(0, "inside") == 8
    assert clock.sent(0, "between") == 4


@settings(deadline=None, max_examples=30)
@given(nodes, places, sizes)
def test_all_ranks_send_the_same_on_each_level(node: int, place: int, size: Fraction) -> None:
    for collective in (all_reduce, all_gather):
        clock = collective(node * place, place, size, INSIDE, BETWEEN)
        for level in ("inside", "between"):
            assert len({clock.sent(rank, level) for rank in range(node * place)}) == 1


@settings(deadline=None, max_examples=30)
@given(places, sizes)
def test_in_one_node_or_with_one_rank_a_node_it_is_a_plain_ring(place: int, size: Fraction) -> None:
    assert (
        all_reduce(place, place, size, INSIDE, BETWEEN).finish
        == timed_ring.all_reduce(place, size, INSIDE).finish
    )
    assert (
        all_gather(place, 1, size, INSIDE, BETWEEN).finish
        == timed_ring.all_gather(place, size, BETWEEN).finish
    )


@settings(deadline=None, max_examples=30)
@given(nodes, places, sizes)
def test_a_flat_ring_is_as_fast_as_a_ring_of_its_slowest_hops(
    node: int, place: int, size: Fraction
) -> None:
    slowest = BETWEEN if node > 1 else INSIDE
    flat = flat_all_gather(node * place, place, size, INSIDE, BETWEEN)
    assert flat.finish == timed_ring.all_gather(node * place, size, slowest).finish


@pytest.mark.parametrize("collective", [all_reduce, all_gather, flat_all_gather])
def test_nodes_must_be_full(collective: object) -> None:
    with pytest.raises(ValueError, match="do not divide"):
        collective(6, 4, 8, INSIDE, BETWEEN)  # type: ignore[operator]
