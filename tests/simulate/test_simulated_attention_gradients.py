"""Gradients of attention are those of a table of scores, of a small step, and of blocks alike."""

from fractions import Fraction
from math import log

import pytest

from workings.simulate.attention_gradients import Gradients, flash_backward, standard_backward
from workings.simulate.matmul import Matrix, ffn_numbers

Q, K, V, G = (ffn_numbers(6, 3, n) for n in range(4))
STEP = 1e-6


def loss(q: list[list[float]], k: list[list[float]], v: list[list[float]]) -> float:
    """The output's entries times `G`, with powers of 2 for the softmax, in floating point."""
    total = 0.0
    for query, wanted in zip(q, G, strict=True):
        powers = [2 ** sum(a * b for a, b in zip(query, key, strict=True)) for key in k]
        for column, one in enumerate(wanted):
            weighed = sum(p * row[column] for p, row in zip(powers, v, strict=True))
            total += one * weighed / sum(powers)
    return total


def stepped(which: int, row: int, column: int) -> float:
    """How fast the loss grows with one entry of queries, keys or values."""
    both = []
    for sign in (1, -1):
        tensors = [[[float(x) for x in line] for line in tensor] for tensor in (Q, K, V)]
        tensors[which][row][column] += sign * STEP
        both.append(loss(*tensors))
    return (both[0] - both[1]) / (2 * STEP)


@pytest.mark.parametrize("which", [0, 1, 2])
def test_gradients_are_what_a_small_step_changes(which: int) -> None:
    found = standard_backward(Q, K, V, G)[0][which]
    factor = 1 if which == 2 else log(2)  # the derivative of a power of 2
    for row in range(6):
        for column in range(3):
            exact = float(found[row][column]) * factor
            assert stepped(which, row, column) == pytest.approx(exact, rel=1e-4, abs=1e-4)


@pytest.mark.parametrize("block", [1, 2, 4, 6, 50])
def test_blocks_give_the_gradients_of_a_table(block: int) -> None:
    assert flash_backward(Q, K, V, G, block)[0] == standard_backward(Q, K, V, G)[0]


def seen_only() -> Gradients:
    """Causal gradients, each query on its own with the keys that it sees."""
    total = Gradients(*([[Fraction(0)] * 3 for _ in Q] for _ in range(3)))
    for place in range(len(Q)):
        alone = standard_backward([Q[place]], K[: place + 1], V[: place + 1], [G[place]])[0]
        total.queries[place] = alone.queries[0]
        for mine, theirs in ((total.keys, alone.keys), (total.values, alone.values)):
            for row, more in zip(mine, theirs, strict=False):
                row[:] = [a + b for a, b in zip(row, more, strict=True)]
    return total


@pytest.mark.parametrize("block", [1, 2, 4, 6])
def test_a_causal_query_moves_no_later_key(block: int) -> None:
    assert flash_backward(Q, K, V, G, block, causal=True)[0] == seen_only()


def test_recomputing_the_scores_is_a_fifth_product() -> None:
    table, blocks = standard_backward(Q, K, V, G)[1], flash_backward(Q, K, V, G, 2)[1]
    product = 2 * 6 * 6 * 3
    assert (table.flops, blocks.flops) == (4 * product, 5 * product)


def test_a_block_of_no_keys_has_no_gradients() -> None:
    with pytest.raises(ValueError, match="block must be at least 1"):
        flash_backward(Q, K, V, G, 0)


def test_an_output_whose_gradient_is_nothing_leaves_no_gradients() -> None:
    nothing: Matrix = [[0] * 3 for _ in Q]
    found, _ = flash_backward(Q, K, V, nothing, 2)
    assert all(value == 0 for tensor in found for row in tensor for value in row)
