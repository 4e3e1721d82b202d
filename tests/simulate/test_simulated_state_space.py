"""A state fed token by token and chunk by chunk gives the same numbers, for unlike work."""

import pytest

from workings.simulate.counted_attention import attend
from workings.simulate.matmul import ffn_numbers
from workings.simulate.products import Tape, write_attention, write_cross_attention
from workings.simulate.state_space import Head, by_chunks, by_tokens, convolve, make_group
from workings.simulate.weights import count, state_space


@pytest.mark.parametrize(
    ("tokens", "length", "state", "width", "heads"),
    [(1, 1, 1, 1, 1), (6, 2, 3, 4, 2), (6, 3, 2, 5, 3), (6, 6, 4, 1, 1), (12, 4, 1, 3, 2)],
)
def test_chunks_of_any_length_give_what_the_recurrence_gives(
    tokens: int, length: int, state: int, width: int, heads: int
) -> None:
    group = make_group(tokens, state, width, heads)
    assert len({tuple(head.decays or ()) for head in group}) == (heads if tokens > 1 else 1)
    assert by_chunks(group, length).outputs == [by_tokens(head).output for head in group]


def test_a_state_worked_out_by_hand() -> None:
    head = Head(queries=[[1, 0], [2, 1]], keys=[[3, 1], [1, 4]], values=[[5], [7]], decays=[9, 2])
    ran = by_tokens(head)
    assert ran.state == [[2 * 3 * 5 + 7], [2 * 5 + 4 * 7]]
    assert ran.output == [[15], [2 * 37 + 38]]
    assert (ran.written, ran.read) == (2 * (2 + 4), 2 * 4)
    assert by_chunks([head], 2).outputs == [ran.output]


def test_without_decays_it_is_causal_attention_without_a_softmax() -> None:
    head = Head(ffn_numbers(7, 3, 1), ffn_numbers(7, 3, 2), ffn_numbers(7, 5, 3))
    ran = by_tokens(head)
    assert ran.output == attend(head.queries, head.keys, head.values, causal=True).output
    assert ran.written == ran.read == 7 * 2 * 3 * 5
    assert by_chunks([head], 7).outputs == [ran.output]


def test_heads_of_a_group_share_the_scores_and_nothing_else() -> None:
    one, three = (by_chunks(make_group(8, 2, 3, heads), 4) for heads in (1, 3))
    scores = 2 * (2 * 4 * 4 * 2)
    assert three.within - scores == 3 * (one.within - scores)
    assert (three.states, three.passed, three.across) == (
        3 * one.states, 3 * one.passed, 3 * one.across
    )  # fmt: skip


def test_a_chunk_that_is_not_full_is_refused() -> None:
    with pytest.raises(ValueError, match="whole number of chunks"):
        by_chunks(make_group(5, 2, 2, 1), 2)


def test_a_convolution_sees_zeros_before_the_first_token() -> None:
    output, flops = convolve([[1, 10], [2, 20], [3, 30]], [[5, 1], [7, 2]])
    assert output == [[7, 20], [5 + 14, 10 + 40], [10 + 21, 20 + 60]]
    assert flops == 2 * 3 * 2 * 2


def test_a_state_space_blocks_tensors_come_by_head_and_by_group() -> None:
    weights = list(state_space(width=6, heads=2, head_dim=3, state=4, groups=1, kernel=2))
    assert len({w.name for w in weights}) == len(weights)
    led_in = [w for w in weights if w.shape[0] == 6]
    assert count(led_in) == 6 * (2 * 6 + 2 * 4 + 2)
    assert count(w for w in weights if "convolution" in w.name) == (6 + 2 * 4) * 3


def test_attention_to_an_input_as_long_as_the_sequence_is_the_same_work() -> None:
    own, other = Tape(), Tape()
    write_attention(own, 5, 6, (4, 2, 3))
    write_cross_attention(other, 5, 5, 6, (4, 2, 3))
    assert own.forward("projections") == other.forward("projections")
    assert own.forward("core") == other.forward("core")
