"""Numbers that can only be of the other style are read so, whatever the page around them writes."""

from fractions import Fraction

from looping import each

from workings.marks.style import Style


def values(text: str, *, comma: bool) -> tuple[str, list[Fraction]]:
    taken, printed = Style(comma).number(text, 0) or ("", ())
    return taken, [one.value for one in printed]


@each("text, value", [("3.517,58 GB", "3517.58"), ("1.234.567,8", "1234567.8"), ("3517,58 GB", "3517.58"),
                      ("8,57 %", "8.57"), ("51,1875 GB", "51.1875")])  # fmt: skip
def test_a_decimal_comma_is_one_on_a_page_with_points(text: str, value: str) -> None:
    assert values(text, comma=False)[1] == [Fraction(value)]


@each("text, value", [("3,517.58 GB", "3517.58"), ("1,234,567", "1234567")])
def test_a_decimal_point_is_one_on_a_page_with_commas(text: str, value: str) -> None:
    assert values(text, comma=True)[1] == [Fraction(value)]


@each("text", ["8,16,32", "8,57", "2,048 tokens", "1,024"])
def test_lists_and_thousands_are_left_as_they_were(text: str) -> None:
    assert "," not in str(values(text, comma=False)[0]) or values(text, comma=False)[1][0] >= 1000


def test_three_zeros_behind_a_point_may_be_thousands() -> None:
    assert values("20.000 Token", comma=False)[1] == [20, 20_000]
    assert values("3.518 GB", comma=False)[1] == [Fraction("3.518")]
