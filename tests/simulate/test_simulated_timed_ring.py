"""Rings by the clock, against the walks without one and against times counted by hand."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workings.simulate import ring
from workings.simulate._parcels import Parcel
from workings.simulate.clock import BYTES, Clock, Link
from workings.simulate.timed_ring import (
    all_gather,
    all_reduce,
    chain_broadcast,
    pass_round,
    reduce_scatter,
    sum_round,
)

ranks = st.integers(min_value=1, max_value=14)
sizes = st.fractions(min_value=Fraction(1, 50), max_value=10**6)
latencies = st.fractions(min_value=0, max_value=100)
bandwidths = st.fractions(min_value=Fraction(1, 50), max_value=1000)


def test_a_gather_of_8_bytes_on_4_ranks_takes_3_hops_of_2_bytes() -> None:
    assert all_gather(4, 8, Link(10, 1)).finish == 3 * (10 + 2)
    assert reduce_scatter(4, 8, Link(10, 1)).finish == 36
    assert all_reduce(4, 8, Link(10, 1)).finish == 72


def test_a_chain_of_4_ranks_hands_3_pieces_on_in_5_steps() -> None:
    assert chain_broadcast(4, 6, 3, Link(10, 1)).finish == 5 * 12
    assert chain_broadcast(1, 6, 3, Link(10, 1)).finish == 0


@settings(deadline=None, max_examples=40)
@given(ranks, sizes)
def test_bytes_are_those_of_the_walks_without_a_clock(count: int, size: Fraction) -> None:
    pairs = (
        (all_gather, ring.all_gather),
        (reduce_scatter, ring.reduce_scatter),
        (all_reduce, ring.all_reduce),
    )
    for timed, plain in pairs:
        clock, traffic = timed(count, size, BYTES), plain(count, size)
        assert tuple(clock.sent(rank) for rank in range(count)) == traffic.sent
        assert tuple(clock.received(rank) for rank in range(count)) == traffic.received


@settings(deadline=None, max_examples=40)
@given(ranks, sizes, latencies, bandwidths)
def test_an_all_reduce_takes_as_long_as_its_two_halves(
    count: int, size: Fraction, latency: Fraction, bandwidth: Fraction
) -> None:
    link = Link(latency, bandwidth)
    halves = reduce_scatter(count, size, link).finish + all_gather(count, size, link).finish
    assert all_reduce(count, size, link).finish == halves


@settings(deadline=None, max_examples=40)
@given(ranks, st.integers(min_value=1, max_value=9), sizes)
def test_every_rank_of_a_chain_but_the_last_sends_the_message_once(
    count: int, pieces: int, size: Fraction
) -> None:
    clock = chain_broadcast(count, size, pieces, BYTES)
    assert [clock.sent(rank) for rank in range(count)] == [size] * (count - 1) + [0]


def test_rings_of_any_ranks_hand_on_what_each_holds() -> None:
    held = {7: {1: Parcel(11), 2: Parcel(12)}, 3: {5: Parcel(15), 6: Parcel(16)}}
    clock = Clock()
    pass_round(clock, BYTES, (7, 3), held, Fraction(1))
    assert {c: p.value for c, p in held[3].items()} == {1: 11, 2: 12, 5: 15, 6: 16}
    assert clock.sent(7) == 2
    assert clock.messages == 2


def test_sums_of_blocks_land_at_the_member_they_are_for() -> None:
    held = {rank: {c: Parcel(10**rank * (c + 1)) for c in range(6)} for rank in range(3)}
    blocks = [(0, 5), (1,), (2, 3, 4)]
    sum_round(Clock(), BYTES, range(3), held, blocks, Fraction(1))
    assert {r: {c: p.value for c, p in held[r].items()} for r in held} == {
        0: {0: 111, 5: 666}, 1: {1: 222}, 2: {2: 333, 3: 444, 4: 555},
    }  # fmt: skip


@pytest.mark.parametrize(("count", "size"), [(0, 8), (4, 0), (4, -1)])
def test_no_ranks_or_no_bytes_are_refused(count: int, size: int) -> None:
    for collective in (all_gather, reduce_scatter, all_reduce):
        with pytest.raises(ValueError, match="must be"):
            collective(count, size, BYTES)
