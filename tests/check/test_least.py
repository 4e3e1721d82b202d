"""Least whole numbers that sentences draw from a quotient."""

import pytest
from judged_pages import flagged, statements


def test_a_quotient_is_rounded_up_to_the_least_number() -> None:
    text = "80.1 GB / 16 GB = 5.006, so we need at least {} chips."
    assert flagged(text.format(5)) == ["5 chips"]
    assert flagged(text.format(6)) == []
    found = {s.quote: s for s in statements(text.format(6))}
    assert (found["6 chips"].verdict, found["6 chips"].reason) == (
        "ok",
        "the next whole number above 5.006",
    )


def test_the_flag_says_how_many_are_enough() -> None:
    (found,) = [s for s in statements("80.1/16 = 5.006, so at least 5 chips.") if s.quote == "5 chips"]
    assert (found.reason, found.expected) == ("5 is below 5.006", "6")
    assert found.read_as == "5.006, so at least 6"


@pytest.mark.parametrize(
    "words",
    [
        "so the smallest number is 5 chips",
        "so the minimum is 5 chips",
        "the fewest are 5 chips",
        "so 最少 5 张",
        "至少 5 张",
    ],
)
def test_many_words_say_that_a_number_is_the_least(words: str) -> None:
    assert len(flagged(f"80.1/16 = 5.006, {words} here.")) == 1


@pytest.mark.parametrize(
    "text",
    [
        "80.1/16 = 5.006, so we take 5 chips.",
        "80/16 = 5, so at least 4 chips.",
        "80.1/16 = 5.006, so at least 4 chips.",
        "80.1/16 = 5.006, so at least 7 chips.",
        "80.1/16 = 5.006, so at least 5 GB each.",
        "40.05 s/8 = 5.006 s, so at least 5 chips.",
        "With `80/n` for each, at least 5 chips.",
        "80.1/16 = 5.006. This is at least what is wanted. We take 5 chips.",
        "80.1/16 = 5.006\n\nThat being as it is, we need at least 5 chips.",
        "80.1/16 = 5.006, " + "as one sees by looking at it for long " * 4 + "so at least 5 chips.",
    ],
    ids=[
        "no word of least", "whole quotient", "another number below", "another number above",
        "an amount", "an amount divided", "letters", "another sentence", "another paragraph",
        "far away",
    ],
)  # fmt: skip
def test_a_number_that_need_not_be_the_rounded_quotient_is_left_alone(text: str) -> None:
    assert flagged(text) == []
    assert not any("so at least" in s.read_as for s in statements(text))
