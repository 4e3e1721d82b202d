"""Chimera, run as events."""

import pytest
from schedules import assert_it_could_have_run

from workings.simulate.chimera import chimera
from workings.simulate.pipeline import one_f_one_b


@pytest.mark.parametrize("ranks", [2, 4, 6, 8])
@pytest.mark.parametrize("times", [(1, 1), (1, 2), (3, 1)])
def test_what_it_runs_could_have_run(ranks: int, times: tuple[int, int]) -> None:
    assert_it_could_have_run(chimera(ranks, *times))


def test_four_ranks_take_turns_between_the_directions() -> None:
    # by hand: micro-batches 0 and 1 go up the ranks, 2 and 3 down, and the first rank is their last stage
    work = [f"{task.kind[0].upper()}{task.microbatch}" for task in chimera(4, 1, 1).of(0)]
    assert work == ["F0", "F1", "F2", "B2", "F3", "B3", "B0", "B1"]


def test_ranks_wait_p_minus_2_ticks_where_those_of_1f1b_wait_twice_p_minus_1() -> None:
    assert {chimera(8, 1, 1).idle(rank) for rank in range(8)} == {6}
    assert one_f_one_b(8, 8, 1, 1).idle(0) == 14


def test_ranks_at_the_ends_hold_half_of_the_micro_batches_and_one_more() -> None:
    held = [chimera(8).in_flight_peak(rank) for rank in range(8)]
    assert held == [5, 6, 7, 8, 8, 7, 6, 5]


def test_an_odd_number_of_ranks_is_refused() -> None:
    with pytest.raises(ValueError, match="must be even, not 3"):
        chimera(3)
