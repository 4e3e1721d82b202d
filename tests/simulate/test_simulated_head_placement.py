"""Heads dealt out to ranks."""

from hypothesis import given
from hypothesis import strategies as st

from workings.simulate.head_placement import deal_heads


def test_eight_query_heads_on_four_ranks_with_two_key_and_value_heads() -> None:
    placed = deal_heads(8, 2, 4)
    assert placed.queries == ((0, 1), (2, 3), (4, 5), (6, 7))
    assert placed.keys == ((0,), (0,), (1,), (1,))
    assert placed.copies(0) == 2
    assert placed.values(0, d_model=10, width=3) == 10 * 3 * (2 * 2 + 2)


def test_a_rank_whose_queries_straddle_two_groups_holds_both() -> None:
    assert deal_heads(12, 3, 2).keys == ((0, 1), (1, 2))


@given(per=st.integers(1, 6), kv=st.integers(1, 8), ranks=st.integers(1, 13))
def test_every_query_head_is_dealt_once_and_every_key_head_at_least_once(
    per: int, kv: int, ranks: int
) -> None:
    placed = deal_heads(per * kv, kv, ranks)
    assert [head for own in placed.queries for head in own] == list(range(per * kv))
    assert all(placed.copies(head) >= 1 for head in range(kv))
