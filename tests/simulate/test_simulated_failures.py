"""Devices that fail, and jobs that restart."""

from fractions import Fraction
from math import exp

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workings.simulate.failures import (
    first_failure,
    interval_series,
    lost_share,
    mean_gap,
    ticks_to_finish,
)

counts = st.integers(min_value=1, max_value=13)
times = st.fractions(min_value=Fraction(1, 10), max_value=1000)


# --- waiting for a failure ---------------------------------------------------------------------


@settings(deadline=None, max_examples=25)
@given(devices=counts, mtbf=times)
def test_counting_on_a_time_line_and_waiting_without_memory_agree(devices: int, mtbf: Fraction) -> None:
    low, high = first_failure(devices, mtbf)
    assert low <= mean_gap(devices, mtbf) <= high
    assert high - low <= high / 10**6


def test_one_device_fails_at_its_own_pace() -> None:
    assert mean_gap(1, 7) == 7


# --- an interval, state by state ---------------------------------------------------------------


def test_one_tick_is_tried_until_it_works() -> None:
    assert ticks_to_finish(1, Fraction(1, 4)) == Fraction(4, 3)


def test_two_ticks_by_hand() -> None:
    # E = 1 + half of E + half of F, where F = 1 + half of E: E = 6
    assert ticks_to_finish(2, Fraction(1, 2)) == 6


@settings(deadline=None, max_examples=25)
@given(ticks=counts, restart=st.integers(min_value=0, max_value=20))
def test_the_mean_solves_its_own_equations(ticks: int, restart: int) -> None:
    risk, mean = Fraction(1, 7), ticks_to_finish(ticks, Fraction(1, 7), restart)
    state = Fraction(0)
    for _ in range(ticks):
        state = 1 + (1 - risk) * state + risk * (restart + mean)
    assert state == mean


def test_without_risk_an_interval_takes_its_ticks() -> None:
    assert ticks_to_finish(9, Fraction(0)) == 9


def test_fine_ticks_give_the_exponential_of_continuous_failures() -> None:
    ticks = 1000  # an interval as long as the mean time between failures
    mean = ticks_to_finish(ticks, Fraction(1, ticks)) / ticks
    assert float(mean) == pytest.approx(exp(1) - 1, rel=2e-3)


# --- losses ------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=25)
@given(interval=times, gap=times)
def test_free_checkpoints_lose_half_an_interval_a_failure(interval: Fraction, gap: Fraction) -> None:
    assert lost_share(interval, Fraction(0), gap) * gap == interval / 2


@settings(deadline=None, max_examples=25)
@given(interval=times, gap=times, restart=times)
def test_a_restart_is_lost_once_a_failure(interval: Fraction, gap: Fraction, restart: Fraction) -> None:
    more = lost_share(interval, Fraction(1), gap, restart) - lost_share(interval, Fraction(1), gap)
    assert more * gap == restart


# --- the condition of the best interval --------------------------------------------------------


def test_the_series_solves_its_condition() -> None:
    x = Fraction(1, 50)
    h = float(sum(c * x ** (k + 1) for k, c in enumerate(interval_series(6))))
    assert exp(-h) + h == pytest.approx(1 + 2 * float(x) ** 2, abs=1e-13)


def test_dalys_three_coefficients() -> None:
    assert list(interval_series(3)) == [Fraction(2), Fraction(2, 3), Fraction(2, 9)]
    assert list(interval_series(1)) == [Fraction(2)]


@pytest.mark.parametrize(
    "call",
    [
        lambda: mean_gap(0, 5),
        lambda: first_failure(3, 0),
        lambda: lost_share(Fraction(0), Fraction(1), Fraction(1)),
        lambda: ticks_to_finish(0, Fraction(1, 2)),
        lambda: interval_series(0),
    ],
)
def test_nothing_does_not_fail(call: object) -> None:
    with pytest.raises(ValueError, match="must"):
        call()  # type: ignore[operator]
