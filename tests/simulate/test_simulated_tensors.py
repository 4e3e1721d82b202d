"""Lists of tensors: weights, training state, activations saved for the backward pass."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workings.simulate.tensors import (
    Tensor,
    ffn_weights,
    saved_for_backward,
    total_bytes,
    total_elements,
    training_state,
)

lengths = st.integers(min_value=1, max_value=50)


def test_a_tensor_counts_its_elements_and_bytes() -> None:
    tensor = Tensor("t", (2, 3, 5), 4)
    assert tensor.elements == 30
    assert tensor.bytes == 120


def test_a_value_may_take_half_a_byte() -> None:
    assert Tensor("int4", (3,), Fraction(1, 2)).bytes == Fraction(3, 2)


def test_a_block_has_two_weight_matrices() -> None:
    assert ffn_weights(2, 4, 16, 2) == (
        Tensor("block0.w_in", (4, 16), 2),
        Tensor("block0.w_out", (16, 4), 2),
        Tensor("block1.w_in", (4, 16), 2),
        Tensor("block1.w_out", (16, 4), 2),
    )


def test_training_state_is_weights_gradients_and_two_moments() -> None:
    weights = ffn_weights(1, 4, 16, 2)
    state = training_state(weights, 2, 4)
    assert [tensor.name for tensor in state] == [
        "block0.w_in",
        "block0.w_out",
        "block0.w_in.gradient",
        "block0.w_out.gradient",
        "block0.w_in.first_moment",
        "block0.w_out.first_moment",
        "block0.w_in.second_moment",
        "block0.w_out.second_moment",
    ]
    assert total_elements(state) == 4 * 128
    assert total_bytes(state) == 128 * (2 + 2 + 4 + 4)


def test_a_block_saves_its_input_and_its_hidden_tensor_but_no_weights() -> None:
    saved = saved_for_backward(1, 4, 16, 3, 2)
    assert [tensor.shape for tensor in saved] == [(3, 4), (3, 16)]


def test_the_output_of_the_last_block_is_not_saved() -> None:
    saved = saved_for_backward(2, 4, 16, 3, 2)
    assert [tensor.name for tensor in saved] == [
        "input",
        "block0.w_in.output",
        "block0.w_out.output",
        "block1.w_in.output",
    ]


@settings(deadline=None, max_examples=50)
@given(blocks=st.integers(1, 8), d_model=lengths, d_ff=lengths, tokens=lengths)
def test_each_block_saves_as_much_as_the_first(blocks: int, d_model: int, d_ff: int, tokens: int) -> None:
    one = total_bytes(saved_for_backward(1, d_model, d_ff, tokens, 2))
    assert total_bytes(saved_for_backward(blocks, d_model, d_ff, tokens, 2)) == one * blocks


@pytest.mark.parametrize("shape", [(0,), (3, -1)])
def test_an_empty_dimension_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="a dimension of t must be at least 1"):
        Tensor("t", shape, 2)


def test_values_may_take_nothing_but_not_less() -> None:
    assert total_bytes(ffn_weights(1, 4, 16, 0)) == 0
    with pytest.raises(ValueError, match="bytes_per_value must not be below 0"):
        ffn_weights(1, 4, 16, -1)


def test_no_blocks_and_no_tokens_are_refused() -> None:
    with pytest.raises(ValueError, match="blocks must be at least 1"):
        ffn_weights(0, 4, 16, 2)
    with pytest.raises(ValueError, match="tokens must be at least 1"):
        saved_for_backward(1, 4, 16, 0, 2)
