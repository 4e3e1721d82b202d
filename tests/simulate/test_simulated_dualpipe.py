"""DualPipe, run as events."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from schedules import assert_it_could_have_run

from workings.simulate.dualpipe import dualpipe

halves = st.integers(1, 4)
extra = st.integers(0, 4)
times = st.integers(1, 5)


def work(rank: int) -> str:
    """The first slots of a rank with 8 ranks and 20 micro-batches, a letter and a number each."""
    return " ".join(f"{t.kind[0].upper()}{t.microbatch}" for t in dualpipe(8, 20).of(rank)[:12])


def test_8_ranks_and_20_micro_batches_start_as_in_the_published_code() -> None:
    # dualpipe.py of github.com/deepseek-ai/DualPipe, steps 1 to 4; the other direction's
    # micro-batches are 10 to 19, I is the gradient of the input, W that of the weights
    assert work(0) == "F0 F1 F2 F3 F4 F5 F6 F10 I10 W10 F11 I11"
    assert work(3) == "F0 F10 F1 F11 F2 F12 F3 F13 F4 B10 F14 B0"


def test_8_ranks_and_20_micro_batches_wait_as_published() -> None:
    # DeepSeek-V3, table 2 with F = 1, B = 2, W = 1, F&B = 3: (8/2 - 1)·(3 + 2 - 3) = 6; PP + 1 = 9
    schedule = dualpipe(8, 20)
    assert {schedule.idle(rank) for rank in range(8)} == {6}
    assert {schedule.in_flight_peak(rank) for rank in range(8)} == {9}


def test_two_ranks_never_wait() -> None:
    assert dualpipe(2, 4).idle(0) == dualpipe(2, 4).idle(1) == 0


def test_overlapped_pairs_have_a_time_of_their_own() -> None:
    schedule = dualpipe(2, 4, 1, 1, 1, overlapped=2)
    pairs = {(t.start, t.end) for t in schedule.of(0) if t.kind == "backward"}
    assert schedule.makespan < dualpipe(2, 4).makespan
    assert {end - start for start, end in pairs} == {2}


def test_neither_bubble_nor_memory_grows_with_the_micro_batches() -> None:
    few, many = dualpipe(4, 8), dualpipe(4, 24)
    assert few.idle(0) == many.idle(0)
    assert few.in_flight_peak(0) == many.in_flight_peak(0)


@settings(deadline=None, max_examples=40)
@given(half=halves, more=extra, forward=times, inputs=times, weights=times, both=times)
def test_it_could_have_run_and_is_the_same_from_both_ends(
    half: int, more: int, forward: int, inputs: int, weights: int, both: int
) -> None:
    ranks, microbatches = 2 * half, 4 * half + 2 * more
    schedule = dualpipe(ranks, microbatches, forward, inputs, weights, both)
    assert_it_could_have_run(schedule)
    for rank in range(ranks):
        mirrored = ranks - 1 - rank
        here = {(t.kind, t.chunk, t.start, t.end) for t in schedule.of(rank)}
        assert here == {(t.kind, 1 - t.chunk, t.start, t.end) for t in schedule.of(mirrored)}


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ((3, 8), "must be even, not 3 and 8"),
        ((4, 9), "must be even, not 4 and 9"),
        ((4, 6), "microbatches must be at least 8, not 6"),
        ((0, 8), "ranks must be at least 1"),
        ((2, 4, 0), "forward must be above 0"),
        ((2, 4, 1, 0), "input_gradient must be above 0"),
        ((2, 4, 1, 1, -1), "weight_gradient must not be below 0"),
        ((2, 4, 1, 1, 1, 0), "overlapped must be above 0"),
    ],
)
def test_what_cannot_be_run_is_refused(arguments: tuple[int, ...], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        dualpipe(*arguments)
