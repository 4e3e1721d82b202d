"""Numbers are printed as long as they are sure, and stay with their units."""

from fractions import Fraction

import pytest

from workings.document.blocks import Number, Text
from workings.review.numbers import alike, beside, large, number, parts, rate, tenth, words
from workings.units import BYTE, ONE, SECOND


@pytest.mark.parametrize(
    ("value", "said"),
    [("2507240.23", "2,507,000"), ("987.65", "987.7"), ("999.96", "1,000"), ("12", "12")],
)
def test_a_rate_has_four_digits_and_no_needless_decimals(value: str, said: str) -> None:
    assert rate(Fraction(value)) == said


def test_counts_of_billions_are_words() -> None:
    assert number(Fraction(15_600_000_000_000), ONE) == Number("15.6", "trillion")
    assert number(Fraction(128_256), ONE) == Number("128,256")
    assert large(Fraction(999_999_999)) == Number("1.00", "billion")


def test_a_column_has_one_unit() -> None:
    sizes = alike([Fraction(208_700_000_000), Fraction(33_554_432)], BYTE)
    assert sizes == [Number("208.7", "GB"), Number("0.03355", "GB")]


def test_parts_of_a_sum_have_the_same_decimals_and_the_least_say_so() -> None:
    found = parts([Fraction("3.6721"), Fraction("0.24889"), Fraction("0.000279")], SECOND)
    assert [one.number for one in found] == ["3.672", "0.249", "< 0.001"]


@pytest.mark.parametrize(("share", "said"), [("0.0000417", "< 0.1"), ("0.0158", "1.6"), ("0", "0")])
def test_a_small_share_is_not_printed_as_nothing(share: str, said: str) -> None:
    assert tenth(Fraction(share)).number in (said, f"{said}.0")


@pytest.mark.parametrize(("below", "said"), [(True, "75.1"), (False, "75.2")])
def test_a_bound_is_rounded_to_the_side_that_keeps_it(below: bool, said: str) -> None:
    found = beside(Fraction(75_149_000_000), BYTE, below=below, whole=False)
    assert found == Number(said, "GB")


def test_a_number_in_a_sentence_stays_with_its_unit() -> None:
    assert words("takes 92.4 % of 85.52 GB, at 2 USD/h") == (
        Text("takes "), Number("92.4", "%"), Text(" of "), Number("85.52", "GB"), Text(", at "),
        Number("2", "USD/h"),
    )  # fmt: skip


@pytest.mark.parametrize("text", ["16 stages take 8", "H100 8B", "a.1 s", "", "10 Bytes"])
def test_what_is_no_measure_stays_words(text: str) -> None:
    assert words(text) == (Text(text),)
