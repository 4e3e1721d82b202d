"""ZB-V, written out for two ranks and run for more."""

import pytest

from workings.simulate.schedule import Kind, Schedule
from workings.simulate.zero_bubble_v import fewest_held, zb_v

LETTERS = {"forward": "F", "input gradient": "B", "weight gradient": "W"}


def words(schedule: Schedule, rank: int) -> str:
    """A rank's tasks in order: kind, chunk and micro-batch."""
    return " ".join(f"{LETTERS[t.kind]}{t.chunk}.{t.microbatch}" for t in schedule.of(rank))


def test_the_first_rank_has_the_first_chunk_and_the_last() -> None:
    run = zb_v(2, 1, 2)
    ends = {(t.kind, t.rank, t.chunk): t.end for t in run.tasks}
    way = [(0, 0), (1, 0), (1, 1), (0, 1)]  # down the V and up again
    assert [ends["forward", rank, chunk] for rank, chunk in way] == [1, 2, 3, 4]
    assert [ends["input gradient", rank, chunk] for rank, chunk in way[::-1]] == [5, 6, 7, 8]


def test_the_papers_warm_up_is_run() -> None:
    # Qi et al., section 6: worker i from 1 runs 2p - i forwards of its first chunk, i - 1 of its second
    p = 4
    run = zb_v(p, 3 * p, 2 * p)
    for rank in range(p):
        before = words(run, rank).partition(" B")[0].split()
        assert before[-1].startswith("F1")
        assert sum(word.startswith("F0") for word in before[:-1]) == 2 * p - (rank + 1)
        assert sum(word.startswith("F1") for word in before[:-1]) == rank


@pytest.mark.parametrize(("p", "m"), [(1, 3), (2, 3), (3, 5), (4, 8), (6, 18)])
def test_no_rank_waits_with_2p_chunks_and_some_rank_does_with_one_less(p: int, m: int) -> None:
    assert fewest_held(p, m) == 2 * p
    run = zb_v(p, m, 2 * p)
    assert [run.span(rank) for rank in range(p)] == [6 * m] * p
    assert [run.in_flight_peak(rank) for rank in range(p)] == [2 * p] * p


def test_too_few_micro_batches_leave_gaps_however_much_is_held() -> None:
    with pytest.raises(AssertionError, match="waits however much"):
        fewest_held(4, 6)


def test_every_task_comes_after_what_it_needs() -> None:
    p, m = 3, 7
    end = {}
    for task in zb_v(p, m, 2 * p).tasks:
        stage = 2 * p - 1 - task.rank if task.chunk else task.rank
        end[task.kind, stage, task.microbatch] = task.start, task.end
    for (kind, stage, number), (start, _) in end.items():
        before: dict[Kind, list[tuple[Kind, int]]] = {
            "forward": [("forward", stage - 1)] if stage else [],
            "input gradient": [("forward", stage)],
            "weight gradient": [("input gradient", stage)],
        }
        if stage < 2 * p - 1:
            before["input gradient"].append(("input gradient", stage + 1))
        assert all(end[need, at, number][1] <= start for need, at in before[kind])
    assert len(end) == 6 * p * m


def test_a_rank_that_may_hold_nothing_is_refused_and_one_that_may_hold_too_little_is_stuck() -> None:
    with pytest.raises(ValueError, match="held"):
        zb_v(2, 3, 0)
    with pytest.raises(AssertionError, match="wait for one another"):
        zb_v(2, 3, 1)
