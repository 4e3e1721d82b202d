"""A transformer layer split over ranks gives what it gives on one, and its log can be trusted."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workings.simulate.block_matrices import Matrix, numbers
from workings.simulate.tensor_layer import Options, Result, Sizes, _Run, run_layer
from workings.simulate.tensor_ranks import Ranks

SMALL = Sizes(sequences=2, tokens=3, width=4, heads=3, head_width=2, hidden=5)
WAYS = [
    Options(),
    Options(recompute=True),
    Options(sequence_parallel=True),
    Options(sequence_parallel=True, regather=True),
    Options(sequence_parallel=True, regather=True, recompute=True),
]

sizes = st.builds(
    Sizes,
    sequences=st.integers(1, 3), tokens=st.integers(1, 4), width=st.integers(1, 5),
    heads=st.integers(1, 5), head_width=st.integers(1, 2), hidden=st.integers(1, 6),
)  # fmt: skip


def same(a: Result, b: Result) -> bool:
    return (a.output, a.grad_input, a.grad_weights) == (b.output, b.grad_input, b.grad_weights)


@settings(deadline=None, max_examples=40)
@given(shape=sizes, ranks=st.integers(1, 7), way=st.sampled_from(WAYS))
def test_any_number_of_ranks_gives_the_result_of_one(shape: Sizes, ranks: int, way: Options) -> None:
    split = run_layer(shape, ranks, way)
    assert same(split, run_layer(shape, 1, Options()))


@settings(deadline=None, max_examples=25)
@given(shape=sizes, ranks=st.integers(1, 5))
def test_ranks_share_the_flops_of_one(shape: Sizes, ranks: int) -> None:
    assert ranks * run_layer(shape, ranks).ranks.flops() == run_layer(shape, 1).ranks.flops()


def test_the_gradient_of_the_input_is_the_change_of_the_output() -> None:
    # The layer is smooth but for ReLU, so a small enough step of one input moves the outputs by the
    # gradient: here the step is symbolic, a number far smaller than any difference of whole numbers.
    run = _Run(SMALL, Ranks(1), Options())
    rows = SMALL.sequences * SMALL.tokens
    x, grad = numbers(rows, SMALL.width, 1), numbers(rows, SMALL.width, 2)
    before = run.forward([x], "forward")[0]
    found = run.backward([grad])[0][0]
    tiny = Fraction(1, 10**40)
    for row in range(rows):
        for column in range(SMALL.width):
            moved = [list(one) for one in x.rows]
            moved[row][column] += tiny  # type: ignore[call-overload] # exact, as whole numbers are
            after = run.forward([Matrix(tuple(map(tuple, moved)), SMALL.width)], "again")[0]
            change = sum(
                g * (b - a)
                for p, q, w in zip(before.rows, after.rows, grad.rows, strict=True)
                for a, b, g in zip(p, q, w, strict=True)
            )
            assert abs(change / tiny - found.rows[row][column]) < Fraction(1, 10**20)


def test_the_log_names_the_collectives_of_a_layer_in_order() -> None:
    def kinds(way: Options) -> list[str]:
        ops = run_layer(SMALL, 2, way).ranks.collectives()
        return [f"{op.call}: {op.kind}" for op in ops]

    assert kinds(Options()) == [
        "out forward: all-reduce", "down forward: all-reduce",
        "up backward: all-reduce", "qkv backward: all-reduce",
    ]  # fmt: skip
    assert kinds(Options(sequence_parallel=True, regather=True)) == [
        "qkv forward: all-gather", "out forward: reduce-scatter",
        "up forward: all-gather", "down forward: reduce-scatter",
        "down backward: all-gather",
        "up backward: all-gather", "up backward: reduce-scatter",
        "out backward: all-gather",
        "qkv backward: all-gather", "qkv backward: reduce-scatter",
    ]  # fmt: skip


def test_only_gathered_inputs_and_their_gradients_have_a_product_to_hide_behind() -> None:
    ranks = run_layer(SMALL, 2, Options(sequence_parallel=True, regather=True)).ranks
    hidden = [op.call for op in ranks.collectives() if ranks.can_hide(op)]
    assert hidden == ["up backward", "up backward", "qkv backward", "qkv backward"]


def test_one_rank_moves_nothing() -> None:
    assert run_layer(SMALL, 1, Options(sequence_parallel=True)).ranks.sent() == 0


@pytest.mark.parametrize("count", [0, -1])
def test_there_must_be_a_rank(count: int) -> None:
    with pytest.raises(ValueError, match="count must be at least 1"):
        run_layer(SMALL, count)
