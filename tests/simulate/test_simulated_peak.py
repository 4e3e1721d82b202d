"""Memory of every rank of a pipeline over a step, event by event."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workings.simulate.peak import (
    Memory,
    Order,
    Task,
    gpipe_order,
    in_flight,
    interleaved_order,
    one_f_one_b_order,
    peaks,
    run_tasks,
    zb_h1_order,
    zb_h2_order,
)

stages_ = st.integers(min_value=1, max_value=7)
microbatches_ = st.integers(min_value=1, max_value=11)


def words(order: Order) -> str:
    return " ".join(f"{task.phase}{task.microbatch + 1}" for task in order)


def test_orders_of_1f1b_and_gpipe_by_hand() -> None:
    assert words(one_f_one_b_order(3, 0, 4)) == "F1 F2 F3 B1 F4 B2 B3 B4"
    assert words(one_f_one_b_order(3, 2, 4)) == "F1 B1 F2 B2 F3 B3 F4 B4"
    assert words(gpipe_order(3, 1, 3)) == "F1 F2 F3 B3 B2 B1"


def test_zb_h1_is_the_papers_figure_3() -> None:
    # Zero Bubble Pipeline Parallelism, figure 3, top: devices 1, 3 and 4 of 4 with 8 micro-batches.
    assert words(zb_h1_order(4, 0, 8)).startswith("F1 F2 F3 F4 B1 W1 F5 B2 W2 F6 B3 W3 F7")
    assert words(zb_h1_order(4, 2, 8)) == (
        "F1 F2 B1 F3 B2 F4 B3 W1 F5 B4 W2 F6 B5 W3 F7 B6 W4 F8 B7 W5 B8 W6 W7 W8"
    )
    assert words(zb_h1_order(4, 3, 8)).startswith("F1 B1 F2 B2 F3 B3 F4 B4 W1 F5 B5 W2 F6 B6")


def test_zb_h2_is_the_papers_figure_3() -> None:
    # The same figure, bottom: seven forwards on device 1 before its first backward, one on device 4.
    assert words(zb_h2_order(4, 0, 8)).startswith("F1 F2 F3 F4 F5 F6 F7 B1 W1 F8 B2 W2")
    assert words(zb_h2_order(4, 3, 8)) == (
        "F1 B1 F2 B2 F3 B3 F4 B4 F5 B5 F6 B6 F7 B7 W1 F8 B8 W2 W3 W4 W5 W6 W7 W8"
    )


def test_interleaving_goes_chunk_after_chunk() -> None:
    order = interleaved_order(2, 0, 2, 2)
    assert [(t.phase, t.microbatch, t.chunk) for t in order] == [
        ("F", 0, 0), ("F", 1, 0), ("F", 0, 1), ("F", 1, 1), ("B", 0, 1), ("B", 1, 1), ("B", 0, 0),
        ("B", 1, 0),
    ]  # fmt: skip


def test_interleaving_needs_whole_groups() -> None:
    with pytest.raises(ValueError, match="groups"):
        interleaved_order(4, 0, 6, 2)


@given(p=stages_, m=microbatches_)
def test_every_task_runs_once_and_after_what_it_waits_for(p: int, m: int) -> None:
    for make in (gpipe_order, one_f_one_b_order, zb_h1_order, zb_h2_order):
        orders = [make(p, stage, m) for stage in range(p)]
        log = run_tasks(orders)
        assert len(log) == len(set(log)) == sum(map(len, orders))
        place = {entry: position for position, entry in enumerate(log)}
        for stage in range(1, p):
            for i in range(m):
                assert place[stage - 1, Task("F", i)] < place[stage, Task("F", i)]
                assert place[stage, Task("B", i)] < place[stage - 1, Task("B", i)]


@settings(deadline=None)
@given(p=stages_, groups=st.integers(1, 3), v=st.integers(2, 3))
def test_interleaved_ranks_never_wait_for_ever(p: int, groups: int, v: int) -> None:
    orders = [interleaved_order(p, stage, p * groups, v) for stage in range(p)]
    assert len(run_tasks(orders, v)) == 2 * p * p * groups * v


def test_orders_that_wait_for_each_other_are_noticed() -> None:
    with pytest.raises(AssertionError, match="wait"):
        run_tasks([[Task("B", 0), Task("F", 0)]])


def test_4_stages_and_8_microbatches() -> None:
    assert [in_flight(one_f_one_b_order, 4, 8, k) for k in range(4)] == [4, 3, 2, 1]
    assert [in_flight(gpipe_order, 4, 8, k) for k in range(4)] == [8] * 4
    assert in_flight(interleaved_order, 4, 8, 0, 2) == Fraction(11, 2)


@given(p=stages_, m=microbatches_)
def test_earlier_stages_never_hold_less(p: int, m: int) -> None:
    held = [in_flight(one_f_one_b_order, p, m, k) for k in range(p)]
    assert held == sorted(held, reverse=True)
    assert held[-1] == 1


def test_a_peak_is_a_sum_at_one_moment() -> None:
    order = one_f_one_b_order(1, 0, 3)
    rank = Memory(before=100, forward=10, backward=5, step=12)
    assert peaks([order], [rank]) == [115]  # one micro-batch and its backward; later the step, 112
    heavy = Memory(before=100, forward=10, backward=5, step=20)
    assert peaks([order], [heavy]) == [120]


def test_all_memory_is_given_back_before_the_step() -> None:
    for make in (gpipe_order, one_f_one_b_order, zb_h1_order, zb_h2_order):
        orders = [make(3, stage, 5) for stage in range(3)]
        held = [Memory(forward=10, weights=4, step=1000)] * 3
        assert peaks(orders, held) == [1000] * 3


def test_halves_of_a_backward_give_back_one_after_the_other() -> None:
    orders = [zb_h1_order(4, stage, 8) for stage in range(4)]
    assert peaks(orders, [Memory(forward=10, weights=7)] * 4) == [40, 37, 34, 31]
