"""Worked examples of sources come to what is printed, to half of its last digit."""

from fractions import Fraction
from pathlib import Path

import pytest
from covered import WEIGHTS, faults, judge, with_example
from covering.printed import result_of, stands_in
from looping import each

from workings.errors import UserError


@each("text, value, other", [
    ("3 GB", 3_400_000_000, 3_600_000_000),
    ("1.5e9", 1_540_000_000, 1_560_000_000),
    ("31.4 GB (31.375)", 31_375_000_000, 31_340_000_000),
    ("about 16 TB", 15_300_000_000_000, 16_900_000_000_000),
    ("about 9 s", Fraction(95, 10), Fraction(96, 10)),
    ("43%", Fraction(434, 1000), Fraction(436, 1000)),
    ("1/6", Fraction(1, 6), Fraction(10, 61)),
    ("2.37 days", Fraction(237, 100), Fraction(236, 100)),
    ("2.37 days", 204_768, 200_000),
    ("2664K GPU hours", 2_664_000, 2_660_000),
    ("8 times", 8, 7),
    ("D > 8755", 8755, 8756),
    ("less than 10%", Fraction(1, 12), Fraction(1, 9)),
    ("over 30% of the peak", Fraction(31, 100), Fraction(29, 100)),
])  # fmt: skip
def test_a_printed_result_stands_for_what_rounds_to_it(
    text: str, value: Fraction, other: Fraction
) -> None:
    assert result_of(text).has(Fraction(value))
    assert not result_of(text).has(Fraction(other))


def test_a_result_without_a_number_is_not_read(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="expected a quantity"):
        result_of("twice")
    assert "say `printed`" in faults(tmp_path, with_example("twice"), WEIGHTS)[0]


def test_a_number_stands_in_a_text_in_any_of_its_units() -> None:
    assert stands_in("14.4B (Table 2), 14B", result_of("14.4e9"))
    assert stands_in("3.8e6 s, 44 days", result_of("44"))
    assert not stands_in("37%", result_of("0.36"))


def test_an_example_needs_nothing_where_the_list_says_all_that_goes_in(tmp_path: Path) -> None:
    assert judge(tmp_path, with_example("3 GB"), WEIGHTS).examples == {("weights", 1): "agrees"}
    (said,) = faults(tmp_path, with_example("4 GB"), WEIGHTS)
    assert said == (
        "weights: example 1: stated agrees, but the source prints '4 GB' and ours is 3,000,000,000"
    )
    assert "found no value of Psi" in faults(tmp_path, with_example("3 GB", ""), WEIGHTS)[0]


def test_what_a_match_says_of_an_example_is_checked_too(tmp_path: Path) -> None:
    def said(result: str, more: str) -> list[str]:
        example = f"[[match.example]]\nnumber = 1\n{more}\n"
        return faults(tmp_path, with_example(result), WEIGHTS + example)

    assert said("3.1 GB", 'within = "0.05"\nwhy = "Rounded up."') == []
    assert "without why" in said("3.1 GB", 'within = "0.05"')[0]
    assert said("4 GB", 'verdict = "source wrong"\nwhy = "It is 3 GB."') == []
    assert "stated source wrong" in said("3 GB", 'verdict = "source wrong"\nwhy = "It is 3 GB."')[0]
    assert said("14 GB", 'at = { Psi = "7e9" }') == []
    assert "does not say" in said("4 GB", 'printed = "3e9"')[0]
    assert "expected each of 1 to 1" in faults(
        tmp_path, with_example("3 GB"), WEIGHTS + "[[match.example]]\nnumber = 2\n"
    )[0]  # fmt: skip


def test_what_agrees_only_within_a_bound_does_not_count_as_printed(tmp_path: Path) -> None:
    nearly = WEIGHTS + '[[match.example]]\nnumber = 1\nwithin = "0.05"\nwhy = "Rounded up."\n'
    assert judge(tmp_path, with_example("3.1 GB"), nearly).examples == {("weights", 1): "approximates"}
