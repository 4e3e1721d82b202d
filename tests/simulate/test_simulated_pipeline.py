"""Pipeline schedules, run as events."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from schedules import assert_it_could_have_run

from workings.simulate.pipeline import Schedule, Task, gpipe, naive, one_f_one_b, unequal_gpipe

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
        assert [schedule.busy(rank) for rank in range(4)] == [24] * 4
        assert [schedule.idle(rank) for rank in range(4)] == [9] * 4


def test_gpipe_holds_all_microbatches_and_1f1b_only_as_many_as_stages_follow() -> None:
    assert [gpipe(4, 8).in_flight_peak(rank) for rank in range(4)] == [8, 8, 8, 8]
    assert [one_f_one_b(4, 8).in_flight_peak(rank) for rank in range(4)] == [4, 3, 2, 1]


def test_fewer_microbatches_than_stages_are_all_in_flight_at_once() -> None:
    assert [one_f_one_b(4, 2).in_flight_peak(rank) for rank in range(4)] == [2, 2, 2, 1]


def test_the_last_stage_of_1f1b_alternates_from_the_start() -> None:
    kinds = [task.kind for task in one_f_one_b(3, 3).tasks if task.rank == 2]
    assert kinds == ["forward", "backward"] * 3


def test_naive_runs_one_stage_at_a_time() -> None:
    schedule = naive(4)
    assert schedule.makespan == 12
    assert [schedule.busy(rank) for rank in range(4)] == [3] * 4
    ends = sorted((task.start, task.end) for task in schedule.tasks)
    assert all(end == start for (_, end), (start, _) in pairwise(ends))


def test_one_stage_never_idles() -> None:
    assert gpipe(1, 5).idle(0) == 0
    assert one_f_one_b(1, 5).idle(0) == 0


@settings(deadline=None, max_examples=60)
@given(ranks=stage_counts, microbatches=microbatch_counts, forward=times, backward=times)
def test_every_schedule_runs_each_task_once_in_a_possible_order(
    ranks: int, microbatches: int, forward: int, backward: int
) -> None:
    for schedule in (
        gpipe(ranks, microbatches, forward, backward),
        one_f_one_b(ranks, microbatches, forward, backward),
    ):
        assert_it_could_have_run(schedule)
        assert len(schedule.tasks) == 2 * ranks * microbatches
        for rank in range(ranks):
            assert schedule.busy(rank) == microbatches * (forward + backward)


@settings(deadline=None, max_examples=60)
@given(ranks=stage_counts, microbatches=microbatch_counts, forward=times, backward=times)
def test_1f1b_takes_as_long_as_gpipe_and_never_holds_more(
    ranks: int, microbatches: int, forward: int, backward: int
) -> None:
    plain = gpipe(ranks, microbatches, forward, backward)
    early = one_f_one_b(ranks, microbatches, forward, backward)
    assert early.makespan == plain.makespan
    for rank in range(ranks):
        assert early.in_flight_peak(rank) <= plain.in_flight_peak(rank)
        assert early.in_flight_peak(rank) == min(microbatches, ranks - rank)


@settings(deadline=None, max_examples=40)
@given(ranks=stage_counts, microbatches=microbatch_counts)
def test_every_micro_batch_crosses_every_boundary_once_each_way(ranks: int, microbatches: int) -> None:
    for schedule in (gpipe(ranks, microbatches), one_f_one_b(ranks, microbatches)):
        crossings = [(m.sender, m.receiver, m.microbatch) for m in schedule.messages]
        assert len(crossings) == len(set(crossings)) == 2 * (ranks - 1) * microbatches
        assert all(abs(m.sender - m.receiver) == 1 for m in schedule.messages)


def test_a_message_takes_time_while_the_ranks_compute() -> None:
    # by hand: F0 on rank 0 from 0 to 2, one unit on the way, F0 on rank 1 from 3 to 5, B0 to 9,
    # one unit on the way back, B0 on rank 0 from 10 to 14
    assert gpipe(2, 1, 2, 4, transfer=1).makespan == 14
    # GPipe waits only at the start and at the end; 1F1B waits again and again
    assert gpipe(2, 3, 2, 4, transfer=1).makespan == gpipe(2, 3, 2, 4).makespan + 2
    assert one_f_one_b(2, 3, 2, 4, transfer=1).makespan == one_f_one_b(2, 3, 2, 4).makespan + 4


def test_a_link_carries_one_message_at_a_time() -> None:
    # the three tensors leave at 1, 2 and 3 but take 5 each: the last is there at 16
    forward = [m for m in gpipe(2, 3, 1, 2, transfer=5).messages if m.sender == 0]
    assert [(m.start, m.end) for m in forward] == [(1, 6), (6, 11), (11, 16)]


def test_stages_that_differ_wait_for_the_slowest() -> None:
    # forwards 1, 3, 1 and three micro-batches: the last leaves the slow stage at 1 + 3·3 and the
    # pipeline one later; backwards 2, 6, 2 come back 2 + 3·6 + 2 later
    assert unequal_gpipe([1, 3, 1], [2, 6, 2], 3).makespan == 11 + 22
    assert unequal_gpipe([1, 1], [2, 2], 4) == gpipe(2, 4)


@pytest.mark.parametrize("place", range(4))
def test_numbers_below_one_are_refused(place: int) -> None:
    numbers = [1] * 4
    numbers[place] = 0
    for schedule in (gpipe, one_f_one_b):
        with pytest.raises(ValueError, match=r"must be (at least 1|above 0)"):
            schedule(*numbers)


def test_an_unknown_rank_is_refused() -> None:
    with pytest.raises(ValueError, match="rank must be from 0 to 1, not 2"):
        gpipe(2, 1).busy(2)


def test_two_lists_of_times_must_be_equally_long() -> None:
    with pytest.raises(ValueError, match="zip"):
        unequal_gpipe([1, 2], [1], 1)


def test_what_a_rank_holds_is_counted_from_forward_to_backward() -> None:
    tasks = (
        Task(0, 0, "forward", 0, 1), Task(0, 1, "forward", 1, 2), Task(0, 0, "backward", 2, 4),
        Task(0, 2, "forward", 4, 5), Task(0, 1, "backward", 5, 7), Task(0, 2, "backward", 7, 9),
    )  # fmt: skip
    assert Schedule(1, 3, tasks).in_flight_peak(0) == 2
