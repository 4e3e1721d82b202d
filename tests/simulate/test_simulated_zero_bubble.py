"""ZB-H1 and ZB-H2, run as events."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from schedules import assert_it_could_have_run

from workings.simulate.pipeline import one_f_one_b
from workings.simulate.zero_bubble import wait_before_backward, warmed_up, zb_h1, zb_h2

ranks_ = st.integers(1, 6)
extra_ = st.integers(0, 6)
times = st.integers(1, 5)


def test_one_rank_has_nothing_to_put_off() -> None:
    kinds = [task.kind for task in zb_h1(1, 2).tasks]
    assert kinds == ["forward", "input gradient", "weight gradient"] * 2
    assert zb_h2(1, 2).makespan == 6


def test_two_ranks_and_two_micro_batches_by_hand() -> None:
    # rank 1 puts off the first gradient of weights: F0 B0 F1 B1 W0 W1, starting at 1
    last = [(t.kind[0], t.microbatch, t.start) for t in zb_h1(2, 2).of(1)]
    assert last == [("f", 0, 1), ("i", 0, 2), ("f", 1, 3), ("i", 1, 4), ("w", 0, 5), ("w", 1, 6)]


def test_zb_h1_has_a_third_of_the_bubble_of_1f1b_for_the_same_memory() -> None:
    # Qi et al., section 2.1 and table 2, with three equal tasks
    assert zb_h1(4, 8).idle(0) == 3
    assert one_f_one_b(4, 8, 1, 2).idle(0) == 9
    assert [zb_h1(4, 8).in_flight_peak(rank) for rank in range(4)] == [4, 4, 4, 4]


def test_zb_h2_has_no_bubble_for_about_twice_the_memory() -> None:
    # Qi et al., section 2.2 and table 2: 2p - 1 micro-batches
    schedule = zb_h2(4, 8)
    assert [schedule.span(rank) - schedule.busy(rank) for rank in range(4)] == [0, 0, 0, 0]
    assert [schedule.in_flight_peak(rank) for rank in range(4)] == [7, 7, 7, 7]


# Qi et al.: stages, micro-batches; T_F, T_B, T_W and T_comm in ms (table 6); bubble rates of 1F1B,
# ZB-H1 and ZB-H2 (table 5)
PUBLISHED = """
 8  24 18.522 18.086  9.337 0.601 0.2431 0.1585 0.1083
 8  32 18.513 18.086  9.331 0.626 0.1985 0.1242 0.0837
 8  64 18.546 18.097  9.321 0.762 0.1240 0.0674 0.0444
 8  24 29.718 29.444 19.927 0.527 0.2347 0.1323 0.0698
 8  32 29.802 29.428 19.530 0.577 0.1898 0.1045 0.0559
 8  64 29.935 29.621 19.388 0.535 0.1091 0.0554 0.0294
16  48 11.347 11.248  8.132 0.377 0.2552 0.1397 0.0672
16  64 11.307 11.254  8.101 0.379 0.2082 0.1088 0.0516
16 128 11.325 11.308  8.109 0.378 0.1251 0.0576 0.0266
32  96 10.419 10.207  7.715 0.408 0.2646 0.1421 0.0641
32 128 10.408 10.204  7.703 0.408 0.2168 0.1106 0.0490
32 256 10.402 10.248  7.698 0.460 0.1352 0.0594 0.0257
"""


@pytest.mark.parametrize("row", PUBLISHED.strip().splitlines())
def test_every_published_bubble_rate_is_reproduced_to_its_last_digit(row: str) -> None:
    p, m = (int(text) for text in row.split()[:2])
    f, b, w, sending = (int(Fraction(text) * 1000) for text in row.split()[2:6])
    ideal = m * (f + b + w)
    runs = (
        one_f_one_b(p, m, f, b + w, sending),
        zb_h1(p, m, f, b, w, sending),
        zb_h2(p, m, f, b, w, sending),
    )
    costs = [max(run.span(rank) for rank in range(p)) for run in runs]
    assert [f"{float((cost - ideal) / cost):.4f}" for cost in costs] == row.split()[6:]


@settings(deadline=None, max_examples=40)
@given(ranks=ranks_, microbatches=st.integers(1, 12), forward=times, inputs=times, weights=times)
def test_every_schedule_could_have_run(
    ranks: int, microbatches: int, forward: int, inputs: int, weights: int
) -> None:
    for schedule in (
        zb_h1(ranks, microbatches, forward, inputs, weights),
        zb_h2(ranks, microbatches, forward, inputs, weights),
    ):
        assert_it_could_have_run(schedule)
        assert len(schedule.tasks) == 3 * ranks * microbatches


@settings(deadline=None, max_examples=40)
@given(ranks=ranks_, extra=extra_, forward=times, inputs=times, weights=times)
def test_zb_h1_never_takes_longer_than_1f1b_with_enough_micro_batches(
    ranks: int, extra: int, forward: int, inputs: int, weights: int
) -> None:
    microbatches = ranks + extra
    split = zb_h1(ranks, microbatches, forward, inputs, weights)
    assert split.makespan <= one_f_one_b(ranks, microbatches, forward, inputs + weights).makespan


@pytest.mark.parametrize("place", range(5))
def test_numbers_below_one_are_refused(place: int) -> None:
    numbers = [1] * 5
    numbers[place] = 0 if place < 4 else -1  # gradients of weights may take no time
    for schedule in (zb_h1, zb_h2):
        with pytest.raises(ValueError, match=r"must (be (at least 1|above 0)|not be below 0)"):
            schedule(*numbers)


def test_a_warm_up_of_one_waits_for_the_way_there_and_back() -> None:
    run = warmed_up([1, 1], 2, 3, 1)
    # F 0-2, sent until 3; F 3-5, B 5-8, sent until 9; B 9-12
    assert [(t.start, t.end) for t in run.of(0) if t.kind != "weight gradient"] == [(0, 2), (9, 12)]
    assert wait_before_backward(run, 0) == 7
    assert wait_before_backward(run, 1) == 0
    assert wait_before_backward(warmed_up([4, 1], 2, 3, 1), 0) == 1


def test_bytes_are_given_back_in_two_parts_by_split_backwards_and_at_once_by_whole_ones() -> None:
    # p = 2: rank 1 runs F B F B and puts one gradient of weights off
    run = zb_h1(2, 2)
    assert run.bytes_peak(0, 10, 4) == 20
    assert run.bytes_peak(1, 10, 4) == 14
    assert run.bytes_peak(1, 10, 0) == 10
    assert one_f_one_b(3, 5).bytes_peak(0, 10, 4) == 30
