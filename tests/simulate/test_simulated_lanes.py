"""Packets on equal lanes, each put on whichever is free first."""

from fractions import Fraction

import pytest

from workings.simulate.lanes import seconds_to_send


def test_seven_packets_on_three_lanes_by_hand() -> None:
    assert seconds_to_send(7, 3, Fraction(1, 2)) == 6  # 3, 2 and 2 packets of two seconds each


def test_lanes_beyond_the_packets_stay_idle() -> None:
    for packets in range(1, 6):
        assert (
            seconds_to_send(packets, packets, 4)
            == seconds_to_send(packets, packets + 9, 4)
            == Fraction(1, 4)
        )


@pytest.mark.parametrize("bad", [(0, 1, 1), (1, 0, 1), (1, 1, 0)])
def test_nothing_is_not_sent(bad: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="must be"):
        seconds_to_send(*bad)
