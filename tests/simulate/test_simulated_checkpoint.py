"""Activation checkpointing, run over a tape."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workings.simulate.checkpoint import CheckpointRun, run_segments

amounts = st.fractions(min_value=0, max_value=100)


def test_16_blocks_in_4_segments_hold_3_more_inputs_and_4_blocks_at_the_peak() -> None:
    assert run_segments(16, 4, 1, 10) == CheckpointRun(Fraction(43), 32, 16)


def test_one_segment_holds_what_every_block_keeps_as_without_checkpointing() -> None:
    assert run_segments(16, 1, 1, 10).peak == 160


def test_a_segment_per_block_holds_every_other_input_and_one_block() -> None:
    assert run_segments(16, 16, 1, 10).peak == 25


def test_one_block_is_run_forward_twice() -> None:
    assert run_segments(1, 1, 3, 4) == CheckpointRun(Fraction(4), 2, 1)


def test_between_few_and_many_segments_lies_the_smallest_peak() -> None:
    peaks = {segments: run_segments(16, segments, 1, 1).peak for segments in (1, 2, 4, 8, 16)}
    assert peaks == {1: 16, 2: 9, 4: 7, 8: 9, 16: 16}


@settings(deadline=None, max_examples=50)
@given(length=st.integers(1, 12), segments=st.integers(1, 12), for_input=amounts, for_block=amounts)
def test_every_block_runs_forward_twice_and_backward_once(
    length: int, segments: int, for_input: Fraction, for_block: Fraction
) -> None:
    run = run_segments(length * segments, segments, for_input, for_input + for_block)
    assert run.forward_runs == 2 * length * segments
    assert run.backward_runs == length * segments


@settings(deadline=None, max_examples=50)
@given(length=st.integers(1, 12), segments=st.integers(1, 12))
def test_the_peak_is_at_the_last_segment(length: int, segments: int) -> None:
    run = run_segments(length * segments, segments, Fraction(1, 1000), 1)
    assert run.peak == length + Fraction(segments - 1, 1000)


@pytest.mark.parametrize(
    ("blocks", "segments", "fault"),
    [
        (16, 3, "3 segments do not divide 16 blocks"),
        (4, 8, "8 segments do not divide 4 blocks"),
        (0, 1, "blocks must be at least 1"),
        (4, 0, "segments must be at least 1"),
    ],
)
def test_unequal_segments_are_refused(blocks: int, segments: int, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        run_segments(blocks, segments, 1, 1)


def test_a_block_that_keeps_less_than_its_input_is_refused() -> None:
    with pytest.raises(ValueError, match="A block keeps 1, less than its input of 2"):
        run_segments(4, 2, 2, 1)


def test_negative_memory_is_refused() -> None:
    with pytest.raises(ValueError, match="keep_block must not be below 0"):
        run_segments(4, 2, 1, -1)
