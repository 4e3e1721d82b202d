"""Matrices cut into blocks, also where the blocks are uneven or empty."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workings.simulate.block_matrices import (
    Matrix,
    add,
    cut_columns,
    cut_rows,
    flops_of,
    join,
    multiply,
    numbers,
    spans,
    split_inner,
    stack,
)

lengths = st.integers(min_value=1, max_value=8)
ranks = st.integers(min_value=1, max_value=11)


def test_a_small_product_is_right() -> None:
    a, b = Matrix(((1, 2, 3), (4, 5, 6)), 3), Matrix(((1, 0), (0, 1), (2, 2)), 2)
    assert multiply(a, b).rows == ((7, 8), (16, 17))
    assert flops_of(a, b) == 4 * (3 + 3)


def test_an_empty_inner_length_gives_zeros() -> None:
    assert multiply(Matrix(((), ()), 0), Matrix((), 3)).rows == ((0, 0, 0), (0, 0, 0))


def test_shapes_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="inner lengths must be equal, not 2 and 3"):
        multiply(numbers(2, 2, 1), numbers(3, 2, 1))
    with pytest.raises(ValueError, match="one shape"):
        add(numbers(2, 2, 1), numbers(2, 3, 1))


@given(length=st.integers(min_value=0, max_value=40), parts=ranks)
def test_spans_cover_a_length_in_order_and_none_is_two_longer(length: int, parts: int) -> None:
    found = spans(length, parts)
    assert [place for span in found for place in span] == list(range(length))
    sizes = [len(span) for span in found]
    assert len(sizes) == parts
    assert max(sizes) - min(sizes) <= 1


@given(rows=lengths, columns=lengths, parts=ranks)
def test_blocks_put_together_again_are_the_matrix(rows: int, columns: int, parts: int) -> None:
    whole = numbers(rows, columns, 7)
    assert join(cut_columns(whole, parts)) == stack(cut_rows(whole, parts)) == whole
    assert whole.transposed.transposed == whole


@settings(deadline=None)
@given(rows=lengths, inner=lengths, columns=lengths, parts=ranks)
def test_partial_products_add_up_to_the_product_and_share_its_flops(
    rows: int, inner: int, columns: int, parts: int
) -> None:
    a, b = numbers(rows, inner, 1), numbers(inner, columns, 2)
    split = split_inner(a, b, parts)
    assert split.total == multiply(a, b)
    assert sum(split.flops) == flops_of(a, b)
    assert len(split.partial) == parts
