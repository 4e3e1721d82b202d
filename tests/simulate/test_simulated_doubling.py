"""Recursive doubling: rounds, chunks sent, chunks held."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workings.simulate.doubling import Exchange, doubling_all_gather


def test_eight_ranks_take_three_rounds_of_one_two_and_four_chunks() -> None:
    assert doubling_all_gather(8) == Exchange(rounds=3, sent=7, held=8)


def test_one_rank_has_all_there_is() -> None:
    assert doubling_all_gather(1) == Exchange(rounds=0, sent=0, held=1)


@given(st.integers(1, 150))
def test_only_powers_of_two_can_be_exchanged(ranks: int) -> None:
    assert (doubling_all_gather(ranks) is not None) == (ranks.bit_count() == 1)


def test_there_is_at_least_one_rank() -> None:
    with pytest.raises(ValueError, match="ranks must be at least 1"):
        doubling_all_gather(0)
