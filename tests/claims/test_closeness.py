"""What digits stand for: a value rounded or cut off, to so many digits at least."""

from fractions import Fraction

from workings.claims.closeness import stands_for
from workings.claims.page import page_of
from workings.claims.rules import judged
from workings.marks.quantity import printed
from workings.reading.reading import read_document


def stands(value: str, digits: str, least: int = 2) -> bool:
    return stands_for(Fraction(value), printed(digits), least)


def test_digits_stand_for_what_rounds_to_them_or_is_cut_off() -> None:
    for value, digits in [
        ("0.0857", "0.086"),
        ("0.0857", "0.085"),
        ("20444.4", "20444"),
        ("155.21", "155.2"),
    ]:
        assert stands(value, digits), (value, digits)
    for value, digits in [("0.0857", "0.084"), ("0.0857", "0.087"), ("156", "157"), ("20444.4", "20446")]:
        assert not stands(value, digits), (value, digits)


def test_end_zeros_may_be_rounded_ones_as_far_as_digits_are_asked_for() -> None:
    assert stands("20444.4", "20000")
    assert not stands("20444.4", "20000", 3)
    assert stands("20444.4", "20400", 3)
    assert not stands("20544.4", "20000")


def test_too_few_digits_stand_for_their_own_value_only() -> None:
    assert not stands("0.0857", "0.09")
    assert stands("0.0857", "0.09", 1)
    assert stands("4", "4", 3)
    assert not stands("1", "0")


def said(text: str) -> list[str]:
    return [found.word for found in judged(page_of(read_document("page.md", text)))]


def test_a_result_alone_may_have_the_power_of_ten_of_all_its_parts() -> None:
    assert said("$27.31 + 4.06 = 31.37\\times10^{17}$") == ["ok"]
    assert said("$27.31 + 4.1 = 31.4\\times10^{17}$") == ["rounds"]
    assert said("$27.31 + 4.06 = 32.37\\times10^{17}$") == ["wrong"]
    assert said("$13.9 \\cdot 2 = 2.78\\times10^{2}$") == ["wrong"]
    assert said("$139 \\cdot 2 = 2.78\\times10^{5}$") == ["wrong"]
