"""Results whose left side has its thousands, GB or billions left out."""

import pytest
from judged_pages import flagged, statements


@pytest.mark.parametrize(
    ("step", "reading"),
    [
        ("256 × 16 = 4 TB", "with the left side in GB"),
        ("256 × 16 = 4.096 TB", "with the left side in GB"),
        ("256 × 16 = 4.00 TB", "with the left side in GB"),
        ("2 × 7.25 = 14.5B", "with the left side in B"),
        ("256 × 16 = 4 GB", "with the left side in MB"),
        ("256 × 16 = 4 MB", "with the left side in kB"),
        ("2 × 1024 = 2 PB", "with the left side in TB"),
        ("312 × 1000 = 312 PFLOP", "with the left side in TFLOP"),
        ("3 × 3591 = 10773T", "with the left side in T"),
        ("3 × 3591 = 10,773T", "with the left side in T"),
        ("2 × 70 = 140B", "with the left side in B"),
        ("2 × 70 = 140k", "with the left side in k"),
        ("2 × 70 = 140 billion", "with the left side in billion"),
        ("2 × 7.5 = 15 million", "with the left side in million"),
        ("12 × 1.5 = 18万", "with the left side in 万"),
        ("100000 × 2 = 200000B", "with the left side in B"),
    ],
)
def test_a_left_side_may_be_counted_in_what_the_result_says(step: str, reading: str) -> None:
    (found,) = statements(f"So {step} here.")
    assert (found.verdict, found.reason) == ("depends", f"holds {reading}")


@pytest.mark.parametrize(
    "step",
    [
        "256 × 16 = 5 TB",
        "3 × 3591 = 10774T",
        "2 × 70 = 150B",
        "2 × 70 = 150 billion",
        "2 × 70 = 1,400B",
        "140 = 140B",
        "2 × 7e1 = 140B",
        "2 × 70K = 140,000B",
        "100001 × 2 = 200002B",
        "256000 × 16 = 4096 TB",
        "2 bytes × 2000 = 4 TB",
    ],
    ids=[
        "another number", "another last digit", "another count",
        "another count in words", "another power", "no product", "in powers already",
        "in thousands already", "too large to be a count", "too large for GB", "with a unit",
    ],
)  # fmt: skip
def test_other_numbers_are_not_saved_by_a_prefix(step: str) -> None:
    assert flagged(f"So {step} here.") == [step]


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ("2 bytes × 70 = 140 GB", "with a count taken in billions"),
        ("70 × 2 bytes = 140 GB", "with a count taken in billions"),
        ("2 bytes × 1.8 = 3.6 TB", "with a count taken in trillions"),
        ("1999 × 2 bytes = 3998 GB", "with a count taken in billions"),
    ],
)
def test_parameters_may_be_counted_in_billions(step: str, words: str) -> None:
    (found,) = statements(f"So {step} here.")
    assert (found.verdict, found.reason) == ("depends", f"holds {words}")


@pytest.mark.parametrize(
    "step", ["2001 × 2 bytes = 4002 GB", "2 bytes × 70 = 140 MB", "70 kB × 2 = 140 GB"]
)
def test_what_nobody_counts_in_billions_is_not(step: str) -> None:
    assert flagged(f"So {step} here.") == [step]
