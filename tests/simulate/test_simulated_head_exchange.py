"""All-to-all from tokens to heads and back."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from workings.simulate.head_exchange import exchange_heads


def test_two_ranks_exchange_half_of_what_they_have() -> None:
    found = exchange_heads(tokens=4, heads=2, ranks=2)
    assert found.to_heads == found.to_tokens == 2


@given(tokens=st.integers(1, 9), heads=st.integers(1, 9), ranks=st.integers(1, 9))
def test_the_way_back_sends_what_the_way_there_sent(tokens: int, heads: int, ranks: int) -> None:
    found = exchange_heads(tokens, heads, ranks)
    assert found.to_heads == found.to_tokens <= Fraction(tokens * heads, ranks)


def test_one_rank_sends_nothing() -> None:
    assert exchange_heads(5, 3, 1).to_heads == 0
