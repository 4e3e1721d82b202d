"""Two streams: what runs at the same time, what waits, and what is held meanwhile."""

from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workings.simulate.prefetch import Timeline, ddp_backward, fsdp_backward, fsdp_forward

units = st.integers(1, 9)
aheads = st.integers(0, 4)
times = st.fractions(0, 20, max_denominator=7)


def spans(timeline: Timeline, kind: str) -> list[Any]:
    return [(task.start, task.end) for task in timeline.tasks if task.kind == kind]


def test_a_unit_is_gathered_while_the_one_before_is_computed() -> None:
    timeline = fsdp_forward(3, 2, 5)
    assert spans(timeline, "gather") == [(0, 2), (2, 4), (7, 9)]
    assert spans(timeline, "compute") == [(2, 7), (7, 12), (12, 17)]


def test_without_prefetching_one_waits_for_the_other() -> None:
    timeline = fsdp_forward(3, 2, 5, ahead=0)
    assert spans(timeline, "gather") == [(0, 2), (7, 9), (14, 16)]
    assert timeline.makespan == 21


def test_a_gradient_is_reduced_between_two_gathers() -> None:
    timeline = fsdp_backward(3, 2, 5, 1)
    assert spans(timeline, "gather") == [(0, 2), (2, 4), (8, 10)]
    assert spans(timeline, "reduce") == [(7, 8), (12, 13), (17, 18)]
    assert timeline.makespan == 18


def test_buckets_are_reduced_one_after_the_other() -> None:
    timeline = ddp_backward(3, 2, 5)
    assert spans(timeline, "compute") == [(0, 2), (2, 4), (4, 6)]
    assert spans(timeline, "reduce") == [(2, 7), (7, 12), (12, 17)]


def test_a_forward_holds_the_unit_it_computes_and_those_gathered_ahead() -> None:
    assert [fsdp_forward(6, 1, 3, ahead).peak(10, 0) for ahead in (0, 1, 2, 9)] == [10, 20, 30, 60]


def test_a_backward_that_overlaps_its_reductions_holds_a_second_gradient() -> None:
    assert fsdp_backward(6, 1, 3, 2).peak(10, 1) == 22
    assert fsdp_backward(6, 1, 3, 2, overlap=False).peak(10, 1) == 21
    assert fsdp_backward(6, 1, 3, 2, ahead=0).peak(10, 1) == 11  # nothing is gathered meanwhile


@settings(deadline=None)
@given(units, times, times, times, aheads, st.booleans())
def test_streams_run_one_task_at_a_time_and_units_wait_for_what_they_need(
    count: int, gather: Fraction, compute: Fraction, reduce: Fraction, ahead: int, overlap: bool
) -> None:
    timeline = fsdp_backward(count, gather, compute, reduce, ahead, overlap=overlap)
    gathers, computes, reduces = (spans(timeline, k) for k in ("gather", "compute", "reduce"))
    assert len(gathers) == len(computes) == len(reduces) == count
    for stream in (computes, sorted(gathers + reduces)):
        assert all(one[1] <= other[0] for one, other in pairwise(stream))
    for unit in range(count):
        assert gathers[unit][1] <= computes[unit][0]
        assert computes[unit][1] <= reduces[unit][0]
        if unit and not overlap:
            assert reduces[unit - 1][1] <= computes[unit][0]
        if unit > ahead:
            assert gathers[unit][0] >= computes[unit - ahead - 1][1]  # at most `ahead` beyond it


@settings(deadline=None)
@given(units, times, times, aheads)
def test_prefetching_never_makes_a_forward_slower(
    count: int, gather: Fraction, compute: Fraction, ahead: int
) -> None:
    more = fsdp_forward(count, gather, compute, ahead + 1).makespan
    assert more <= fsdp_forward(count, gather, compute, ahead).makespan
    assert more >= max(count * gather + compute, gather + count * compute)


@settings(deadline=None)
@given(units, times, times, times, aheads)
def test_what_is_taken_is_never_more_than_all_and_never_less_than_one(
    count: int, gather: Fraction, compute: Fraction, reduce: Fraction, ahead: int
) -> None:
    timeline = fsdp_backward(count, gather, compute + 1, reduce, ahead)
    assert 10 <= timeline.peak(10, 0) == 10 * min(count, ahead + 1)
    assert 1 <= timeline.peak(0, 1) <= count


def test_senseless_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="units must be at least 1"):
        fsdp_forward(0, 1, 1)
    with pytest.raises(ValueError, match="ahead must not be below 0"):
        fsdp_forward(1, 1, 1, -1)
    with pytest.raises(ValueError, match="a time must not be below 0"):
        ddp_backward(1, 1, -1)
