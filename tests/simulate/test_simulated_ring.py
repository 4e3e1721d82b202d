"""Collectives on a simulated ring: what each rank sends, and in how many hops."""

from collections.abc import Callable
from fractions import Fraction
from operator import add

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workings.simulate._walks import all_reduce_walk, gather_walk, reduce_scatter_walk
from workings.simulate.ring import Traffic, all_gather, all_reduce, direct_all_reduce, reduce_scatter

Collective = Callable[[int, Fraction | int], Traffic]
COLLECTIVES: tuple[Collective, ...] = (all_gather, reduce_scatter, all_reduce, direct_all_reduce)
ranks_up_to_24 = st.integers(min_value=1, max_value=24)
sizes = st.fractions(min_value=Fraction(1, 100), max_value=10**12)


def test_all_reduce_of_8_bytes_on_4_ranks_sends_12_bytes_per_rank_in_6_hops() -> None:
    traffic = all_reduce(4, 8)
    assert traffic == Traffic((Fraction(12),) * 4, (Fraction(12),) * 4, 6, (Fraction(8),) * 4)


def test_all_gather_of_8_bytes_on_4_ranks_sends_6_bytes_per_rank_in_3_hops() -> None:
    traffic = all_gather(4, 8)
    assert traffic == Traffic((Fraction(6),) * 4, (Fraction(6),) * 4, 3, (Fraction(8),) * 4)


def test_reduce_scatter_leaves_each_rank_one_chunk() -> None:
    traffic = reduce_scatter(4, 8)
    assert traffic == Traffic((Fraction(6),) * 4, (Fraction(6),) * 4, 3, (Fraction(2),) * 4)


def test_a_direct_all_reduce_sends_the_whole_vector_to_each_other_rank() -> None:
    traffic = direct_all_reduce(4, 8)
    assert traffic == Traffic((Fraction(24),) * 4, (Fraction(24),) * 4, 3, (Fraction(8),) * 4)


def test_a_message_need_not_be_divisible_by_the_ranks() -> None:
    assert all_gather(3, 10).sent == (Fraction(20, 3),) * 3


@pytest.mark.parametrize("collective", COLLECTIVES)
def test_one_rank_sends_nothing_and_holds_the_message(collective: Collective) -> None:
    assert collective(1, 5) == Traffic((Fraction(0),), (Fraction(0),), 0, (Fraction(5),))


@settings(deadline=None, max_examples=50)
@given(ranks=ranks_up_to_24, size=sizes)
def test_an_all_reduce_moves_what_a_reduce_scatter_and_an_all_gather_move(
    ranks: int, size: Fraction
) -> None:
    whole = all_reduce(ranks, size)
    first, second = reduce_scatter(ranks, size), all_gather(ranks, size)
    assert whole.sent == tuple(map(add, first.sent, second.sent))
    assert whole.hops == first.hops + second.hops


@settings(deadline=None, max_examples=50)
@given(ranks=ranks_up_to_24, size=sizes)
def test_all_ranks_send_and_receive_the_same(ranks: int, size: Fraction) -> None:
    for collective in COLLECTIVES:
        traffic = collective(ranks, size)
        assert set(traffic.sent) == set(traffic.received)
        assert len(set(traffic.sent)) == 1
        assert len(traffic.sent) == len(traffic.held) == ranks


@settings(deadline=None, max_examples=50)
@given(ranks=ranks_up_to_24, size=sizes)
def test_a_gathering_rank_receives_all_that_it_did_not_start_with(ranks: int, size: Fraction) -> None:
    traffic = all_gather(ranks, size)
    assert all(received + size / ranks == size for received in traffic.received)
    assert traffic.held == (size,) * ranks


@settings(deadline=None, max_examples=50)
@given(ranks=st.integers(min_value=3, max_value=24), size=sizes)
def test_from_3_ranks_on_the_ring_sends_less_than_the_direct_way(ranks: int, size: Fraction) -> None:
    assert all_reduce(ranks, size).sent[0] < direct_all_reduce(ranks, size).sent[0]


@settings(deadline=None, max_examples=50)
@given(st.lists(st.text(max_size=3), min_size=1, max_size=12))
def test_a_gather_walk_gives_every_rank_all_shards_in_order(shards: list[str]) -> None:
    assert gather_walk(shards).held == (tuple(shards),) * len(shards)


def test_reducing_walks_add_every_rank_once_and_in_place() -> None:
    vectors = [[f"{rank}{chunk} " for chunk in "abc"] for rank in range(3)]

    def merge(left: str, right: str) -> str:
        return " ".join(sorted((left + right).split())) + " "

    sums = ("0a 1a 2a ", "0b 1b 2b ", "0c 1c 2c ")
    assert reduce_scatter_walk(vectors, merge).held == tuple((total,) for total in sums)
    assert all_reduce_walk(vectors, merge).held == (sums,) * 3


@pytest.mark.parametrize("collective", COLLECTIVES)
@pytest.mark.parametrize(("ranks", "size"), [(0, 8), (-1, 8), (4, 0), (4, Fraction(-1, 2))])
def test_no_ranks_or_no_bytes_are_refused(
    collective: Collective, ranks: int, size: Fraction | int
) -> None:
    with pytest.raises(ValueError, match="must be"):
        collective(ranks, size)
