"""Steps of data-parallel training on real vectors: what is sent, and that the weights come out."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workings.simulate import training_step as steps
from workings.simulate.training_step import Strategy, training_step

ROW = (
    steps.ZERO_1,
    steps.ZERO_2,
    steps.ZERO_3,
    steps.ZERO_3_NO_SYNC,
    steps.KEPT_FOR_BACKWARD,
    steps.KEPT_FOR_ALL,
)


def test_four_replicas_all_reduce_three_quarters_twice() -> None:
    step = training_step(1, 4, 1, steps.DDP)
    assert step.gathered == step.scattered == 0
    assert step.all_reduced == Fraction(3, 2)


def test_zero_3_gathers_for_each_pass_of_each_micro_batch() -> None:
    step = training_step(4, 1, 5, steps.ZERO_3)
    assert step.gathered == 5 * 2 * Fraction(3, 4)
    assert step.scattered == 5 * Fraction(3, 4)


def test_what_is_kept_is_not_gathered_again() -> None:
    gathered = [
        training_step(4, 1, 5, how).gathered
        for how in (steps.ZERO_3, steps.KEPT_FOR_BACKWARD, steps.KEPT_FOR_ALL)
    ]
    assert gathered == [Fraction(30, 4), Fraction(15, 4), Fraction(3, 4)]


def test_gradients_that_are_scattered_need_not_be_held() -> None:
    assert training_step(4, 1, 3, steps.ZERO_1).held == 1
    assert training_step(4, 1, 3, steps.ZERO_2).held == Fraction(1, 4)


def test_a_hybrid_scatters_in_its_rows_and_all_reduces_shards_in_its_columns() -> None:
    step = training_step(4, 3, 2, steps.ZERO_3)
    assert step.scattered == 2 * Fraction(3, 4)
    assert step.all_reduced == 2 * Fraction(2, 3) / 4


@settings(deadline=None, max_examples=40)
@given(ranks=st.integers(1, 11), microbatches=st.integers(1, 4), how=st.sampled_from(ROW))
def test_sharded_steps_end_with_a_single_devices_weights(
    ranks: int, microbatches: int, how: Strategy
) -> None:
    step = training_step(ranks, 1, microbatches, how)  # compares the weights itself
    assert step.all_reduced == 0
    assert (step.gathered == 0) == (ranks == 1)


@settings(deadline=None, max_examples=40)
@given(shards=st.integers(1, 5), replicas=st.integers(1, 5), microbatches=st.integers(1, 3))
def test_replicated_steps_end_with_a_single_devices_weights(
    shards: int, replicas: int, microbatches: int
) -> None:
    each = training_step(shards, replicas, microbatches, steps.DDP_SYNC_EACH)
    once = training_step(shards, replicas, microbatches, steps.DDP)
    assert each.all_reduced == microbatches * once.all_reduced


def test_a_step_that_forgets_to_gather_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps._Run, "gather_weights", lambda _: None)
    with pytest.raises(AssertionError, match="computes without the weights"):
        training_step(2, 1, 1, steps.ZERO_3)


@pytest.mark.parametrize("how", [steps.ZERO_1, steps.ZERO_3])
def test_a_step_that_loses_a_micro_batch_is_noticed(
    monkeypatch: pytest.MonkeyPatch, how: Strategy
) -> None:
    whole = steps._Run.microbatch

    def skip_one(run: steps._Run, microbatch: int) -> None:
        if microbatch != 1:
            whole(run, microbatch)

    monkeypatch.setattr(steps._Run, "microbatch", skip_one)
    with pytest.raises(AssertionError, match="other weights than a single device"):
        training_step(2, 1, 3, how)


def test_a_step_that_does_not_reduce_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps._Run, "all_reduce_gradients", lambda _: None)
    with pytest.raises(AssertionError, match="other weights than a single device"):
        training_step(1, 2, 1, steps.DDP)


@pytest.mark.parametrize("numbers", [(0, 1, 1), (1, 0, 1), (1, 1, 0)])
def test_there_is_at_least_one_of_everything(numbers: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="must be at least 1"):
        training_step(*numbers, steps.DDP)
