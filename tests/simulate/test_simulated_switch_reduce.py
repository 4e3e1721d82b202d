"""An all-reduce that the switch sums."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workings.simulate.ring import all_reduce
from workings.simulate.switch_reduce import switched_all_reduce

RANKS = st.sampled_from([2, 3, 5, 7, 8, 13])


@given(RANKS, st.fractions(Fraction(1, 3), 1000))
def test_every_link_carries_the_message_once_each_way(ranks: int, size: Fraction) -> None:
    for link in switched_all_reduce(ranks, size):
        assert link.up == link.down == size


@given(RANKS)
def test_a_ring_sends_almost_twice_as_much(ranks: int) -> None:
    ring, switch = all_reduce(ranks, 60).sent[0], switched_all_reduce(ranks, 60)[0].up
    assert switch <= ring < 2 * switch


def test_one_rank_sends_nothing() -> None:
    [link] = switched_all_reduce(1, 5)
    assert link.up == link.down == 0


@pytest.mark.parametrize(("ranks", "size"), [(0, 1), (2, 0)])
def test_no_ranks_or_an_empty_message_is_refused(ranks: int, size: int) -> None:
    with pytest.raises(ValueError, match="must be"):
        switched_all_reduce(ranks, size)
