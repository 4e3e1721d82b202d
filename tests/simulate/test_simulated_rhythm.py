"""Work on a clock, and the times at which a rank has something to send."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workings.simulate.rhythm import Stretch, mean_interval, operations

times = st.lists(st.fractions(min_value=0, max_value=100), min_size=1, max_size=20)


def test_operations_are_noted_at_the_end_of_their_stretch() -> None:
    work = [Stretch(1, "tp"), Stretch(2), Stretch(Fraction(1, 2), "tp"), Stretch(1, "pp")]
    assert operations(work) == {"tp": [1, Fraction(7, 2)], "pp": [Fraction(9, 2)]}


def test_no_work_has_no_operations() -> None:
    assert operations([]) == {}
    with pytest.raises(ValueError, match="at least one operation"):
        mean_interval([])


def test_time_does_not_run_backwards() -> None:
    with pytest.raises(ValueError, match="time must not be below 0"):
        operations([Stretch(-1, "tp")])


@settings(deadline=None, max_examples=50)
@given(stretches=times)
def test_the_mean_interval_is_the_mean_of_the_stretches(stretches: list[Fraction]) -> None:
    noted = operations(Stretch(time, "tp") for time in stretches)["tp"]
    assert mean_interval(noted) * len(stretches) == sum(stretches)
