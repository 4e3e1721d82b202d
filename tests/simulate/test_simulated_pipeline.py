"""Pipeline schedules, run as events."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workings.simulate import Kind, Schedule, Task, gpipe, naive, one_f_one_b, pipeline

stage_counts = st.integers(min_value=1, max_value=8)
microbatch_counts = st.integers(min_value=1, max_value=12)
times = st.integers(min_value=1, max_value=5)


def test_two_stages_and_two_microbatches_by_hand() -> None:
    assert set(gpipe(2, 2).tasks) == {
        Task(0, 0, "forward", 0, 1),
        Task(0, 1, "forward", 1, 2),
        Task(1, 0, "forward", 1, 2),
        Task(1, 1, "forward", 2, 3),
        Task(1, 1, "backward", 3, 5),
        Task(1, 0, "backward", 5, 7),
        Task(0, 1, "backward", 5, 7),
        Task(0, 0, "backward", 7, 9),
    }


def test_4_stages_and_8_microbatches_take_33_units_of_which_each_stage_idles_9() -> None:
    for schedule in (gpipe(4, 8), one_f_one_b(4, 8)):
        assert schedule.makespan == 33
        assert [schedule.busy(stage) for stage in range(4)] == [24] * 4
        assert [schedule.idle(stage) for stage in range(4)] == [9] * 4


def test_gpipe_holds_all_microbatches_and_1f1b_only_as_many_as_stages_follow() -> None:
    assert [gpipe(4, 8).in_flight_peak(stage) for stage in range(4)] == [8, 8, 8, 8]
    assert [one_f_one_b(4, 8).in_flight_peak(stage) for stage in range(4)] == [4, 3, 2, 1]


def test_fewer_microbatches_than_stages_are_all_in_flight_at_once() -> None:
    assert [one_f_one_b(4, 2).in_flight_peak(stage) for stage in range(4)] == [2, 2, 2, 1]


def test_the_last_stage_of_1f1b_alternates_from_the_start() -> None:
    kinds = [task.kind for task in one_f_one_b(3, 3).tasks if task.stage == 2]
    assert kinds == ["forward", "backward"] * 3


def test_naive_runs_one_stage_at_a_time() -> None:
    schedule = naive(4)
    assert schedule.makespan == 12
    assert [schedule.busy(stage) for stage in range(4)] == [3] * 4
    ends = sorted((task.start, task.end) for task in schedule.tasks)
    assert all(end == start for (_, end), (start, _) in pairwise(ends))


def test_one_stage_never_idles() -> None:
    assert gpipe(1, 5).idle(0) == 0
    assert one_f_one_b(1, 5).idle(0) == 0


@settings(deadline=None, max_examples=60)
@given(stages=stage_counts, microbatches=microbatch_counts, forward=times, backward=times)
def test_every_schedule_runs_each_task_once_in_a_possible_order(
    stages: int, microbatches: int, forward: int, backward: int
) -> None:
    for schedule in (
        gpipe(stages, microbatches, forward, backward),
        one_f_one_b(stages, microbatches, forward, backward),
    ):
        assert len(schedule.tasks) == 2 * stages * microbatches
        _assert_dependencies_hold(schedule)
        for stage in range(stages):
            spans = sorted((t.start, t.end) for t in schedule.tasks if t.stage == stage)
            assert all(end <= start for (_, end), (start, _) in pairwise(spans))
            assert schedule.busy(stage) == microbatches * (forward + backward)


@settings(deadline=None, max_examples=60)
@given(stages=stage_counts, microbatches=microbatch_counts, forward=times, backward=times)
def test_1f1b_takes_as_long_as_gpipe_and_never_holds_more(
    stages: int, microbatches: int, forward: int, backward: int
) -> None:
    plain = gpipe(stages, microbatches, forward, backward)
    early = one_f_one_b(stages, microbatches, forward, backward)
    assert early.makespan == plain.makespan
    for stage in range(stages):
        assert early.in_flight_peak(stage) <= plain.in_flight_peak(stage)


@pytest.mark.parametrize("place", range(4))
def test_numbers_below_one_are_refused(place: int) -> None:
    numbers = [1] * 4
    numbers[place] = 0
    for schedule in (gpipe, one_f_one_b):
        with pytest.raises(ValueError, match="must be at least 1"):
            schedule(*numbers)


def test_an_unknown_stage_is_refused() -> None:
    with pytest.raises(ValueError, match="stage must be from 0 to 1, not 2"):
        gpipe(2, 1).busy(2)


def test_orders_that_wait_for_each_other_do_not_hang() -> None:
    with pytest.raises(AssertionError, match="deadlocked"):
        pipeline._run([[(0, "backward"), (0, "forward")]], 1, 1, 1)


def _assert_dependencies_hold(schedule: Schedule) -> None:
    """Each task starts only after the tasks whose results it needs."""
    found: dict[tuple[int, int, Kind], Task] = {}
    for task in schedule.tasks:
        found[task.stage, task.microbatch, task.kind] = task
    for task in schedule.tasks:
        if task.kind == "backward":
            assert found[task.stage, task.microbatch, "forward"].end <= task.start
        step = -1 if task.kind == "forward" else 1
        neighbour = found.get((task.stage + step, task.microbatch, task.kind))
        assert neighbour is None or neighbour.end <= task.start
