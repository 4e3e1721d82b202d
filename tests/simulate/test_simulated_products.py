"""A tape of matrix products, followed forward and back."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workings.simulate.counted_attention import attend_batch, merge_batch, project_batch
from workings.simulate.matmul import counted_matmul, ffn_backward, ffn_forward, ffn_numbers
from workings.simulate.products import Operand, Tape, write_attention, write_ffn, write_model

sizes = st.integers(min_value=1, max_value=7)


@settings(deadline=None, max_examples=25)
@given(rows=sizes, inner=sizes, columns=sizes)
def test_a_product_takes_what_nested_loops_count(rows: int, inner: int, columns: int) -> None:
    tape = Tape()
    result = tape.multiply("any", Operand(rows, inner), Operand(inner, columns))
    assert (result.rows, result.columns) == (rows, columns)
    assert (
        tape.forward() == counted_matmul(ffn_numbers(rows, inner, 1), ffn_numbers(inner, columns, 2))[1]
    )


@settings(deadline=None, max_examples=25)
@given(tokens=sizes, d_model=sizes, d_ff=sizes)
def test_a_plain_feed_forward_is_the_counted_one(tokens: int, d_model: int, d_ff: int) -> None:
    tape = Tape()
    write_ffn(tape, tokens, d_model, d_ff, 2)
    x, w_in, w_out = (
        ffn_numbers(tokens, d_model, 1),
        ffn_numbers(d_model, d_ff, 2),
        ffn_numbers(d_ff, d_model, 3),
    )
    run = ffn_forward(x, w_in, w_out)
    back = ffn_backward(x, run.hidden, w_in, w_out, ffn_numbers(tokens, d_model, 4))
    assert (tape.forward(), tape.backward()) == (run.flops, back.flops)


@settings(deadline=None, max_examples=15)
@given(tokens=sizes, d_model=sizes, heads=sizes, kv=sizes, width=sizes, causal=st.booleans())
def test_attention_is_the_counted_one(
    tokens: int, d_model: int, heads: int, kv: int, width: int, *, causal: bool
) -> None:
    tape = Tape()
    write_attention(tape, tokens, d_model, (heads, kv, width), causal=causal)
    assert tape.forward("core") == attend_batch(1, tokens, heads, width, causal=causal)
    assert tape.forward("projections") == project_batch(
        1, tokens, d_model, [width] * (heads + 2 * kv)
    ) + merge_batch(1, tokens, d_model, heads * width)


@settings(deadline=None, max_examples=20)
@given(blocks=sizes, sequences=sizes, vocab=sizes)
def test_every_product_has_two_behind_it(blocks: int, sequences: int, vocab: int) -> None:
    tape = write_model(blocks, sequences, lambda t: write_ffn(t, 3, 4, 5, 3), (3, 4, vocab))
    assert tape.backward() == 2 * tape.forward()
    assert tape.forward("ffn", "logits") == tape.forward()
    assert len(tape.products) == sequences * (3 * blocks + 1)


def test_an_input_without_a_gradient_saves_one_product() -> None:
    tape = Tape()
    tape.multiply("first", Operand(3, 4, wanted=False), Operand(4, 5))
    assert tape.backward() == tape.forward() == 120


def test_shapes_must_fit() -> None:
    with pytest.raises(ValueError, match="inner lengths"):
        Tape().multiply("any", Operand(3, 4), Operand(5, 6))
