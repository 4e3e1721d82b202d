"""A training run token by token."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workings.simulate.steps import Run, touch_weights, train

counts = st.integers(min_value=1, max_value=12)
amounts = st.fractions(min_value=Fraction(1, 100), max_value=100)


def test_three_tokens_on_two_devices_by_hand() -> None:
    assert train(3, 20, 2, 5) == Run(3, Fraction(60), Fraction(6), Fraction(12))


@settings(deadline=None, max_examples=25)
@given(tokens=counts, devices=counts, work=amounts, rate=amounts)
def test_devices_share_the_work_and_their_time_does_not_depend_on_how_many(
    tokens: int, devices: int, work: Fraction, rate: Fraction
) -> None:
    alone, together = train(tokens, work, 1, rate), train(tokens, work, devices, rate)
    assert alone.flops == together.flops
    assert alone.device_seconds == alone.seconds == together.device_seconds
    assert together.seconds <= alone.seconds


def test_a_weight_and_a_token_take_two_flops_a_pass() -> None:
    assert touch_weights(1, 1, passes=1) == 2
    assert touch_weights(5, 7) == 210
    assert touch_weights(5, 7, passes=4) - touch_weights(5, 7) == touch_weights(5, 7, passes=1)


@pytest.mark.parametrize("bad", [(0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0)])
def test_nothing_is_not_trained(bad: tuple[int, int, int, int]) -> None:
    with pytest.raises(ValueError, match="must be"):
        train(*bad)
