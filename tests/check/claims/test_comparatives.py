"""Amounts said to be above or below others, and cards said to hold them."""

import pytest
from claims_cases import claims, right, wrong

from workings.check.claims.comparatives import comparatives


@pytest.mark.parametrize(
    "sentence",
    [
        "We need 2400 GB/s (exceeds A100 @ 2 TB/s!).",
        "The batch is 468, well below 850.",
        "The card has 80 GB, less than the 140 GB we need.",
        "速度为 1.78x (远低于16x)。",
        "It takes 140 GB and fits on 2× A100 80GB.",
    ],
)
def test_a_true_comparison_is_explained(sentence: str) -> None:
    assert right(comparatives, sentence)
    assert not wrong(comparatives, sentence)


@pytest.mark.parametrize(
    ("sentence", "figure"),
    [
        ("We need 1400 GB/s (exceeds A100 @ 2 TB/s!).", "2 TB/s"),
        ("The batch is 968, well below 850.", "850"),
        ("100 GB is less than 80 GB.", "80 GB"),
        ("显存 30 GB 超过 40 GB。", "40 GB"),
        ("It takes 1342 GB (requires 8× H100 80GB).", "8× H100 80GB"),
    ],
)
def test_a_false_comparison_is_wrong(sentence: str, figure: str) -> None:
    assert wrong(comparatives, sentence) == [figure]


@pytest.mark.parametrize(
    "sentence",
    [
        "If the weights take 30 GB, more than 40 GB fails.",
        "The model takes 14 GB, more than 20 GB is reserved for the cache.",
        "We use 16 layers, more than 100 experiments ran.",
        "A margin of 5 GB below 80 GB is fine.",
        "It must not exceed 80 GB, and 90 GB are there.",
        "The step takes 81 ms, below 80 ms.",  # within a tenth
        "不应超过 28 GB，用 30 GB。",
    ],
)
def test_conditions_and_other_subjects_are_left_alone(sentence: str) -> None:
    assert not wrong(comparatives, sentence)


def test_each_choice_of_cards_is_looked_at() -> None:
    sentence = "It takes 1342 GB (requires 8× H100 80GB or 17× A100 80GB)."
    assert claims(comparatives, sentence) == [("8× H100 80GB", "wrong"), ("17× A100 80GB", "ok")]
