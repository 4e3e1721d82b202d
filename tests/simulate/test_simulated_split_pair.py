"""Two split weights in either order: the right one sums once, the wrong one before ReLU."""

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from workings.simulate.block_matrices import numbers
from workings.simulate.split_pair import column_then_row, relu, row_then_column
from workings.simulate.tensor_ranks import Ranks

lengths = st.integers(min_value=1, max_value=6)


@settings(deadline=None, max_examples=50)
@given(rows=lengths, width=lengths, hidden=lengths, count=st.integers(1, 7))
def test_both_orders_give_the_output_of_whole_weights_on_every_rank(
    rows: int, width: int, hidden: int, count: int
) -> None:
    x, weights = numbers(rows, width, 1), (numbers(width, hidden, 2), numbers(hidden, width, 3))
    held = [order(Ranks(count), x, weights) for order in (column_then_row, row_then_column)]
    assert held[0] == held[1]
    assert len(held[0]) == count


def test_columns_first_sends_one_all_reduce_and_rows_first_two_collectives() -> None:
    x, weights = numbers(4, 2, 1), (numbers(2, 8, 2), numbers(8, 2, 3))
    columns, rows = Ranks(2), Ranks(2)
    column_then_row(columns, x, weights)
    row_then_column(rows, x, weights)
    assert [op.kind for op in columns.collectives()] == ["all-reduce"]
    assert [op.kind for op in rows.collectives()] == ["all-reduce", "all-gather"]
    assert columns.sent() == 4 * 2  # half of the output, twice
    assert rows.sent() == 4 * 8 + Fraction(4 * 2, 2)


def test_relu_keeps_what_is_positive() -> None:
    found = relu(numbers(3, 3, 4))
    assert all(value >= 0 for row in found.rows for value in row)
