"""Running orders of work: nothing starts before it can, and what cannot start is said."""

from fractions import Fraction

import pytest

from workings.simulate.schedule import Schedule, Slot, Step, Task, run


def test_a_backward_before_its_forward_does_not_hang() -> None:
    order: list[Slot] = [(Step(0, "backward"),), (Step(0, "forward"),)]
    with pytest.raises(AssertionError, match="deadlocked"):
        run([order], [((0, 0),)], lambda *_: 1)


def test_ranks_that_wait_for_each_other_do_not_hang() -> None:
    first: list[Slot] = [(Step(0, "forward"),), (Step(0, "backward"),), (Step(1, "forward"),)]
    second: list[Slot] = [(Step(1, "forward"),), (Step(0, "forward"),), (Step(0, "backward"),)]
    with pytest.raises(AssertionError, match="deadlocked"):
        run([first, second], [((0, 0), (1, 0))] * 2, lambda *_: 1)


def test_both_halves_of_a_backward_run_by_hand() -> None:
    order: list[Slot] = [
        (Step(0, "forward"),), (Step(0, "input gradient"),), (Step(0, "weight gradient"),)
    ]  # fmt: skip
    ran = run([order, order], [((0, 0), (1, 0))], lambda rank, slot: rank + 1)
    assert set(ran.tasks) == {
        Task(0, 0, "forward", 0, 1), Task(1, 0, "forward", 1, 3),
        Task(1, 0, "input gradient", 3, 5), Task(1, 0, "weight gradient", 5, 7),
        Task(0, 0, "input gradient", 5, 6), Task(0, 0, "weight gradient", 6, 7),
    }  # fmt: skip
    assert [(m.sender, m.receiver, m.start) for m in ran.messages] == [(0, 1, 1), (1, 0, 5)]


def test_a_slot_of_two_steps_waits_for_both_and_counts_once() -> None:
    # two micro-batches in opposite directions; each rank's second slot is a forward and a backward
    up, down = ((0, 0), (1, 0)), ((1, 1), (0, 1))
    first: list[Slot] = [
        (Step(0, "forward", 0),), (Step(1, "forward", 1),), (Step(1, "backward", 1),),
        (Step(0, "backward", 0),),
    ]  # fmt: skip
    second: list[Slot] = [
        (Step(1, "forward", 1),), (Step(0, "forward", 0),),
        (Step(0, "backward", 0), Step(1, "backward", 1)),
    ]  # fmt: skip
    ran = run([first, second], [up, down], lambda _, slot: 2 * len(slot))
    pair = [task for task in ran.of(1) if task.kind == "backward"]
    assert [(task.start, task.end) for task in pair] == [(6, 10), (6, 10)]
    assert ran.busy(1) == 8
    assert ran.idle(1) == ran.makespan - 8


def test_times_may_be_fractions() -> None:
    order: list[Slot] = [(Step(0, "forward"),), (Step(0, "backward"),)]
    ran = run([order], [((0, 0),)], lambda *_: Fraction(1, 3))
    assert ran.makespan == Fraction(2, 3)
    assert ran.span(0) == Fraction(2, 3)


def test_a_rank_is_timed_from_its_own_start_to_its_own_end() -> None:
    ran = Schedule(2, 1, (Task(0, 0, "forward", 0, 2), Task(1, 0, "forward", 2, 5)))
    assert [ran.span(rank) for rank in range(2)] == [2, 3]
    assert ran.makespan == 5
