"""Transfers beside work: nothing takes less than the longer of both."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from workings.simulate.overlap import gather_beside_work, queue_beside_work, work_beside_reduce

chunks = st.integers(min_value=1, max_value=12)
times = st.fractions(min_value=0, max_value=9)


def test_hops_that_are_shorter_than_the_work_do_not_show() -> None:
    assert gather_beside_work(4, Fraction(3), Fraction(2)).exposed == 0
    assert work_beside_reduce(4, Fraction(3), Fraction(2)).exposed == 0


def test_hops_that_are_longer_show_by_what_they_are_longer() -> None:
    assert gather_beside_work(4, Fraction(2), Fraction(5)).exposed == 3 * (5 - 2)


@given(count=chunks, work=times, hop=times)
def test_gathering_and_reducing_take_as_long(count: int, work: Fraction, hop: Fraction) -> None:
    gather, reduce = gather_beside_work(count, work, hop), work_beside_reduce(count, work, hop)
    assert gather == reduce
    assert gather.finish >= max(gather.computing, gather.sending)
    assert gather.finish <= gather.computing + gather.sending


@given(transfers=st.lists(times, max_size=5), hiding=times, other=times)
def test_a_queue_shows_what_outlasts_the_compute_beside_it(
    transfers: list[Fraction], hiding: Fraction, other: Fraction
) -> None:
    line = queue_beside_work(transfers, hiding, other)
    assert line.exposed in (0, line.sending - hiding)
    assert line.finish == line.computing + line.exposed
