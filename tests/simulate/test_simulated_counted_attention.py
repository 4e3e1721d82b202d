"""Attention of integers, every multiplication and addition counted."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workings.simulate.counted_attention import attend, attend_batch, merge_batch, project_batch
from workings.simulate.matmul import counted_matmul, ffn_numbers, transpose

sizes = st.integers(min_value=1, max_value=7)


def test_two_tokens_of_width_one_by_hand() -> None:
    q, k, v = [[1], [2]], [[3], [5]], [[7], [11]]
    assert attend(q, k, v, causal=False).output == [[3 * 7 + 5 * 11], [6 * 7 + 10 * 11]]
    assert attend(q, k, v, causal=True).output == [[3 * 7], [6 * 7 + 10 * 11]]
    assert attend(q, k, v, causal=False).flops == 16
    assert attend(q, k, v, causal=True).flops == 12


@settings(deadline=None, max_examples=25)
@given(tokens=sizes, width=sizes)
def test_full_attention_is_two_matrix_products(tokens: int, width: int) -> None:
    q, k, v = (ffn_numbers(tokens, width, seed) for seed in (1, 2, 3))
    scores, first = counted_matmul(q, transpose(k))
    output, second = counted_matmul(scores, v)
    done = attend(q, k, v, causal=False)
    assert (done.output, done.flops) == (output, first + second)


@settings(deadline=None, max_examples=25)
@given(tokens=sizes, width=sizes)
def test_a_causal_token_attends_to_the_sequence_up_to_it(tokens: int, width: int) -> None:
    q, k, v = (ffn_numbers(tokens, width, seed) for seed in (1, 2, 3))
    causal = attend(q, k, v, causal=True)
    for place in range(tokens):
        seen = place + 1
        alone = attend(q[:seen], k[:seen], v[:seen], causal=False)
        assert causal.output[place] == alone.output[place]
    steps = [attend(q[:n], k[:n], v[:n], causal=True).flops for n in range(1, tokens + 1)]
    assert steps[-1] == causal.flops
    assert steps == sorted(set(steps))


@settings(deadline=None, max_examples=20)
@given(sequences=sizes, tokens=sizes, heads=sizes)
def test_sequences_and_heads_add_up(sequences: int, tokens: int, heads: int) -> None:
    one = attend_batch(1, tokens, 1, 3, causal=True)
    assert attend_batch(sequences, tokens, heads, 3, causal=True) == sum(
        one for _ in range(sequences * heads)
    )


def test_projections_count_every_head_and_merging_is_one_product() -> None:
    assert project_batch(2, 3, 5, [4, 4, 2]) == 2 * sum(
        counted_matmul(ffn_numbers(3, 5, 0), ffn_numbers(5, out, 0))[1] for out in (4, 4, 2)
    )
    assert merge_batch(1, 3, 5, 8) == counted_matmul(ffn_numbers(3, 8, 0), ffn_numbers(8, 5, 0))[1]


def test_as_many_queries_as_keys() -> None:
    with pytest.raises(ValueError, match="as many queries"):
        attend([[1]], [[1], [2]], [[1], [2]], causal=False)
