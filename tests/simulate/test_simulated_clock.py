"""Messages by the clock: when they start, what they occupy, what is counted."""

from fractions import Fraction

import pytest

from workings.simulate.clock import BYTES, Clock, Link

LINK = Link(latency=2, bandwidth=5)


def test_a_message_takes_its_latency_and_its_bytes_over_the_bandwidth() -> None:
    clock = Clock()
    assert clock.send(LINK, 0, 1, 10) == 2 + 2
    assert clock.finish == 4


def test_an_overlapped_message_takes_the_larger_of_the_two() -> None:
    assert Link(2, 5, overlapped=True).duration(5) == 2
    assert Link(2, 5, overlapped=True).duration(20) == 4


def test_two_messages_of_one_rank_follow_each_other() -> None:
    clock = Clock()
    clock.send(LINK, 0, 1, 10)
    assert clock.send(LINK, 0, 2, 10) == 8


def test_two_messages_to_one_rank_follow_each_other() -> None:
    clock = Clock()
    clock.send(LINK, 0, 2, 10)
    assert clock.send(LINK, 1, 2, 10) == 8


def test_a_rank_sends_and_receives_at_the_same_time() -> None:
    clock = Clock()
    clock.send(LINK, 0, 1, 10)
    assert clock.send(LINK, 1, 0, 10) == 4


def test_links_of_another_kind_are_ports_of_their_own() -> None:
    clock = Clock()
    clock.send(LINK, 0, 1, 10)
    assert clock.send(Link(2, 5, "network"), 0, 1, 10) == 4


def test_a_message_waits_for_its_data() -> None:
    assert Clock().send(LINK, 0, 1, 10, ready=Fraction(7, 2)) == Fraction(15, 2)


def test_bytes_are_counted_by_rank_and_kind_of_link() -> None:
    clock = Clock()
    clock.send(LINK, 0, 1, 10)
    clock.send(Link(name="network"), 0, 1, 3)
    assert clock.sent(0) == clock.received(1) == 10
    assert clock.sent(0, "network") == 3
    assert clock.sent(1) == clock.received(0) == 0
    assert clock.messages == 2


def test_a_message_without_bytes_takes_its_latency() -> None:
    assert Clock().send(LINK, 0, 1, 0) == 2
    assert Clock().send(BYTES, 0, 1, 0) == 0


@pytest.mark.parametrize(("latency", "bandwidth"), [(-1, 1), (0, 0), (0, -2)])
def test_links_that_cannot_be_are_refused(latency: int, bandwidth: int) -> None:
    with pytest.raises(ValueError, match="must"):
        Link(latency, bandwidth)


def test_negative_sizes_are_refused() -> None:
    with pytest.raises(ValueError, match="size must not be below 0"):
        Clock().send(LINK, 0, 1, -1)
