"""The front of memory and time, in plain Python and block by block."""

import random

import numpy as np
import pytest

from workings.planning.arrays_front import Front
from workings.planning.pareto import figures, front, spread


def unbeaten(points: list[tuple[int, int]]) -> set[tuple[int, int]]:
    """Every point that no other one beats, by comparing all with all."""
    return {
        (m, t) for m, t in points
        if not any(a <= m and b <= t and (a, b) != (m, t) for a, b in points)
    }  # fmt: skip


def random_points(seed: int, number: int) -> list[tuple[int, int]]:
    chance = random.Random(seed)  # noqa: S311 - which points does not matter
    return [(chance.randrange(40), chance.randrange(40)) for _ in range(number)]


@pytest.mark.parametrize("seed", range(6))
def test_the_front_is_what_none_beats(seed: int) -> None:
    points = random_points(seed, 60)
    found = front(points, lambda o: o[0], lambda o: o[1])
    assert set(found) == unbeaten(points)
    assert found == sorted(set(found))


def test_of_equal_options_the_first_is_kept() -> None:
    options = [("a", 1, 2), ("b", 1, 2), ("c", 1, 3), ("d", 2, 2)]
    assert front(options, lambda o: o[1], lambda o: o[2]) == [("a", 1, 2)]


@pytest.mark.parametrize("seed", range(6))
def test_blocks_give_the_same_front(seed: int) -> None:
    found, everything = Front(), []
    for block in range(4):
        points = random_points(10 * seed + block, 3 * 20)
        memory, value = np.array(points, dtype=float).T.reshape(2, 3, 20).copy()
        value[memory > 35] = np.inf  # does not fit
        everything += [(m, t) for m, t in points if m <= 35]
        found.take(value, memory, np.arange(20) + 20 * block)
    assert set(zip(found.memory.tolist(), found.value.tolist(), strict=True)) == unbeaten(everything)


@pytest.mark.parametrize("seed", range(4))
def test_a_fine_front_loses_no_point_to_the_coarse_table(seed: int) -> None:
    chance, found, everything = random.Random(seed), Front(), []  # noqa: S311 - any points will do
    for block in range(5):
        points = [
            (m, int(10**9 / m) + chance.randrange(3)) for m in chance.sample(range(10**3, 10**5), 240)
        ]
        memory, value = np.array(points, dtype=float).T.reshape(2, 4, 60).copy()
        found.take(value, memory, np.arange(60) + 60 * block)
        everything += points
        assert set(zip(found.memory.tolist(), found.value.tolist(), strict=True)) == unbeaten(everything)


def test_a_block_without_a_fitting_layout_changes_nothing() -> None:
    found = Front()
    found.take(np.full((2, 3), np.inf), np.ones((2, 3)), np.arange(3))
    assert len(found.row) == 0


def test_each_point_of_the_front_knows_its_layout() -> None:
    found = Front()
    memory, value = np.array([[5.0, 3.0], [4.0, 9.0]]), np.array([[1.0, 7.0], [2.0, 6.0]])
    found.take(value, memory, np.array([10, 11]))
    assert found.memory.tolist() == [3, 4, 5]
    assert list(zip(found.row.tolist(), found.place.tolist(), strict=True)) == [(11, 0), (10, 1), (10, 0)]


def test_a_few_are_spread_over_all() -> None:
    assert spread(range(10), 4) == [0, 3, 6, 9]
    assert spread(range(3), 5) == [0, 1, 2]
    assert spread(range(5), 1) == [0]
    assert spread(range(5), 0) == []
    assert spread([], 3) == []


def test_nine_figures_do_not_see_rounding() -> None:
    assert figures(0.1 + 0.2) == figures(0.3)
    assert figures(1.00000001) != figures(1.0)
