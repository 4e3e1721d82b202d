"""Interleaved 1F1B, run as events."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from schedules import assert_it_could_have_run

from workings.simulate.interleaved import interleaved, unlike_chunks
from workings.simulate.pipeline import one_f_one_b

ranks_ = st.integers(1, 6)
groups_ = st.integers(1, 4)
chunks_ = st.integers(1, 4)
times = st.integers(1, 5)


def test_4_ranks_8_micro_batches_and_2_chunks_warm_up_as_in_megatron() -> None:
    # schedules.py: groups of p micro-batches, chunk by chunk; rank r of p warms up with
    # 2·(p - r - 1) + (v - 1)·p forwards, 10 on the first rank and 4 on the last
    schedule = interleaved(4, 8, 2, 1, 2)
    first = [(t.kind[0], t.microbatch + 1, t.chunk) for t in schedule.of(0)]
    assert first[:10] == [
        *(("f", m, 0) for m in (1, 2, 3, 4)), *(("f", m, 1) for m in (1, 2, 3, 4)),
        ("f", 5, 0), ("f", 6, 0),
    ]  # fmt: skip
    assert first[10:13] == [("f", 7, 0), ("b", 1, 1), ("f", 8, 0)]
    last = [(t.kind[0], t.microbatch + 1, t.chunk) for t in schedule.of(3)]
    assert last[:7] == [*(("f", m, 0) for m in (1, 2, 3, 4)), ("f", 1, 1), ("b", 1, 1), ("f", 2, 1)]


def test_two_chunks_halve_the_bubble() -> None:
    # each chunk takes half a rank's time: 8 micro-batches are 8·(2 + 4), the bubble 3·(1 + 2)
    assert interleaved(4, 8, 2, 1, 2).makespan == 48 + 9
    assert one_f_one_b(4, 8, 2, 4).makespan == 48 + 18


def test_one_chunk_is_1f1b() -> None:
    assert interleaved(3, 6, 1) == one_f_one_b(3, 6)


def test_the_first_rank_holds_as_many_chunks_as_published() -> None:
    # Korthikanti et al., section 4.2.3: p·v·(1 + (p - 1)/(p·v)) = p·v + p - 1 chunks
    assert interleaved(4, 12, 2).in_flight_peak(0) == 11
    assert interleaved(3, 9, 3).in_flight_peak(0) == 11


@settings(deadline=None, max_examples=40)
@given(ranks=ranks_, groups=groups_, chunks=chunks_, forward=times, backward=times)
def test_it_could_have_run_and_no_rank_waits_for_longer_than_the_others(
    ranks: int, groups: int, chunks: int, forward: int, backward: int
) -> None:
    schedule = interleaved(ranks, ranks * groups, chunks, forward, backward)
    assert_it_could_have_run(schedule)
    assert len(schedule.tasks) == 2 * ranks * ranks * groups * chunks
    assert {schedule.idle(rank) for rank in range(ranks)} == {(ranks - 1) * (forward + backward)}


@settings(deadline=None, max_examples=30)
@given(ranks=st.integers(2, 6), groups=groups_, chunks=chunks_)
def test_micro_batches_go_round_the_ranks(ranks: int, groups: int, chunks: int) -> None:
    schedule = interleaved(ranks, ranks * groups, chunks)
    wraps = [m for m in schedule.messages if {m.sender, m.receiver} == {0, ranks - 1}]
    per_microbatch = 2 * (chunks - 1) + (2 * chunks if ranks == 2 else 0)
    assert len(wraps) == per_microbatch * ranks * groups


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ((4, 6, 2), "microbatches must be a multiple of 4, not 6"),
        ((0, 6, 2), "ranks must be at least 1"),
        ((4, 0, 2), "microbatches must be at least 1"),
        ((4, 4, 0), "chunks must be at least 1"),
        ((4, 4, 2, 0), "forward must be above 0"),
        ((4, 4, 2, 1, -1), "backward must be above 0"),
    ],
)
def test_what_cannot_be_run_is_refused(arguments: tuple[int, ...], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        interleaved(*arguments)


def test_chunks_that_differ_take_their_own_times() -> None:
    # one micro-batch: there and back through four chunks, each once
    times = [[(1, 2), (3, 5)], [(7, 11), (0, 13)]]
    schedule = unlike_chunks(times, 2)
    took = {(t.rank, t.chunk, t.kind): t.end - t.start for t in schedule.tasks}
    for rank, held in enumerate(times):
        for chunk, (forward, backward) in enumerate(held):
            assert took[rank, chunk, "forward"] == forward
            assert took[rank, chunk, "backward"] == backward
    assert unlike_chunks([[pair] for held in times for pair in held], 1).makespan == 42


@pytest.mark.parametrize("times", [[], [[]], [[(1, 2)], [(1, 2), (1, 2)]], [[(-1, 2)]]])
def test_chunks_that_no_schedule_has_are_refused(times: list[list[tuple[int, int]]]) -> None:
    with pytest.raises(ValueError, match="must"):
        unlike_chunks(times, 1)
