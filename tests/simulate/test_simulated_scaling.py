"""Powers closed in on by whole numbers, and the size of least loss."""

from fractions import Fraction

import pytest

from workings.simulate.scaling import cheapest_loss, power_between


@pytest.mark.parametrize(
    ("base", "exponent", "power"), [(16, "1/2", 4), (27, "2/3", 9), ("1/32", "4/5", "1/16")]
)
def test_powers_that_are_rational_lie_in_their_bracket(base: str, exponent: str, power: str) -> None:
    low, high = power_between(Fraction(base), Fraction(exponent))
    assert low <= Fraction(power) <= high
    assert high - low <= Fraction(1, 10**20)


def test_a_power_of_a_large_number_is_no_float() -> None:
    low, high = power_between(10**200, Fraction(1, 2))
    assert low <= 10**100 < high


def test_a_power_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="base"):
        power_between(0, Fraction(1, 2))


def test_alike_size_and_data_share_the_pairs_evenly() -> None:
    law = (Fraction(5), Fraction(2, 5))
    low, high = cheapest_loss(law, law, Fraction(10**12))
    assert low <= 10**6 <= high
    assert high - low < Fraction(1, 100)


def test_data_that_adds_no_loss_to_speak_of_leaves_the_pairs_to_size() -> None:
    size, data = (Fraction(5), Fraction(1, 2)), (Fraction(1, 10**9), Fraction(1, 2))
    assert cheapest_loss(size, data, Fraction(10**12))[0] > 10**12
