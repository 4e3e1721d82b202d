"""Matrix products that count their FLOPs."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workings.simulate.matmul import (
    Matrix,
    counted_matmul,
    ffn_backward,
    ffn_forward,
    ffn_numbers,
    transpose,
)

lengths = st.integers(min_value=1, max_value=6)


def test_a_small_product_is_right_and_each_multiply_and_add_counts() -> None:
    product, flops = counted_matmul([[1, 2, 3], [4, 5, 6]], [[1, 0], [0, 1], [2, 2]])
    assert product == [[7, 8], [16, 17]]
    assert flops == 4 * (3 + 3)


def test_forward_runs_both_layers() -> None:
    forward = ffn_forward([[1, 2]], [[1, 0, 1], [0, 1, 1]], [[1, 1], [1, -1], [2, 0]])
    assert forward.hidden == [[1, 2, 3]]
    assert forward.output == [[9, -1]]
    assert forward.flops == 12 + 12


@settings(deadline=None, max_examples=50)
@given(tokens=lengths, d_model=lengths, d_ff=lengths, seed=st.integers())
def test_backward_takes_twice_the_flops_of_forward(
    tokens: int, d_model: int, d_ff: int, seed: int
) -> None:
    x, w_in, w_out, grad = _numbers(tokens, d_model, d_ff, seed)
    forward = ffn_forward(x, w_in, w_out)
    backward = ffn_backward(x, forward.hidden, w_in, w_out, grad)
    assert backward.flops == forward.flops + forward.flops


@settings(deadline=None, max_examples=25)
@given(tokens=lengths, d_model=lengths, d_ff=lengths, seed=st.integers())
def test_each_gradient_is_the_change_of_the_loss_per_unit_step(
    tokens: int, d_model: int, d_ff: int, seed: int
) -> None:
    x, w_in, w_out, grad = _numbers(tokens, d_model, d_ff, seed)
    forward = ffn_forward(x, w_in, w_out)
    backward = ffn_backward(x, forward.hidden, w_in, w_out, grad)
    gradients = (backward.grad_x, backward.grad_w_in, backward.grad_w_out)
    for operand, gradient in zip((x, w_in, w_out), gradients, strict=True):
        before = _loss(x, w_in, w_out, grad)
        for row in range(len(operand)):
            for column in range(len(operand[0])):
                operand[row][column] += 1
                assert _loss(x, w_in, w_out, grad) - before == gradient[row][column]
                operand[row][column] -= 1


@settings(deadline=None, max_examples=50)
@given(rows=lengths, cols=lengths, seed=st.integers())
def test_numbers_are_small_and_the_same_each_time(rows: int, cols: int, seed: int) -> None:
    matrix = ffn_numbers(rows, cols, seed)
    assert matrix == ffn_numbers(rows, cols, seed)
    assert [len(row) for row in matrix] == [cols] * rows
    assert all(-3 <= value <= 3 for row in matrix for value in row)


def test_other_seeds_give_other_numbers() -> None:
    assert ffn_numbers(4, 4, 1) != ffn_numbers(4, 4, 2)


def test_transposing_exchanges_rows_and_columns() -> None:
    assert transpose([[1, 2, 3]]) == [[1], [2], [3]]


@pytest.mark.parametrize(
    ("a", "b", "fault"),
    [
        ([[1, 2]], [[1, 2]], "inner lengths must be equal"),
        ([[1, 2], [3]], [[1], [2]], "same length"),
        ([], [[1]], "at least one row"),
        ([[1]], [[]], "at least one row"),
    ],
)
def test_matrices_that_do_not_fit_are_refused(a: Matrix, b: Matrix, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        counted_matmul(a, b)


def test_an_empty_matrix_of_numbers_is_refused() -> None:
    with pytest.raises(ValueError, match="cols must be at least 1"):
        ffn_numbers(1, 0, 0)


def _numbers(tokens: int, d_model: int, d_ff: int, seed: int) -> tuple[Matrix, Matrix, Matrix, Matrix]:
    """x, w_in, w_out and a gradient of the output."""
    shapes = ((tokens, d_model), (d_model, d_ff), (d_ff, d_model), (tokens, d_model))
    x, w_in, w_out, grad = (ffn_numbers(*shape, seed + i) for i, shape in enumerate(shapes))
    return x, w_in, w_out, grad


def _loss(x: Matrix, w_in: Matrix, w_out: Matrix, grad: Matrix) -> int:
    """A loss whose gradient with respect to the output is `grad`."""
    output = ffn_forward(x, w_in, w_out).output
    return sum(
        value * weight
        for row, weights in zip(output, grad, strict=True)
        for value, weight in zip(row, weights, strict=True)
    )
