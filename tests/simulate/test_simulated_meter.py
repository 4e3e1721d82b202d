"""Meters of devices, and clocks of lanes."""

from fractions import Fraction

import pytest

from workings.simulate.meter import metered, one_after_the_other, side_by_side


def test_meters_of_five_devices_show_five_times_what_one_shows() -> None:
    assert metered(Fraction(7, 3), 12) == 28
    assert metered(Fraction(7, 3), 12, devices=5) == 140


def test_nothing_is_counted_in_no_time_or_by_a_meter_that_stands() -> None:
    assert metered(3, 0, 4) == metered(0, 3, 4) == 0


def test_lanes_side_by_side_take_the_longest_and_in_turn_all() -> None:
    lanes = [Fraction(3), Fraction(11, 2), Fraction(1)]
    assert side_by_side(*lanes) == Fraction(11, 2)
    assert one_after_the_other(*lanes) == Fraction(19, 2)


def test_a_negative_rate_is_refused() -> None:
    with pytest.raises(ValueError, match="rate"):
        metered(-1, 2)
