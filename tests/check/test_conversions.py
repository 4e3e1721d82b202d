"""An equals sign between a count and what it comes to in something else is an arrow."""

import pytest
from judged_pages import flagged, verdict, verdicts

RUNS = [
    "2 days = 2 * 24 = 48 hours",
    "2 days = 2 * 24 hours = 48 hours",
    "64 nodes = 64 × 8 = 512 GPUs",
    "64 nodes = 8 × 64 = 512 GPUs",
    "512 sequences = 512 * 4096 = 2.1M tokens",
    "16 * 32 = 512 sequences × 4096 tokens = 2.1M tokens",
    "8 nodes × 8 GPUs = 64 GPUs × 80 GB = 5.12 TB",
    "13B parameters = 13 * 2 = 26 GB",
    "13B model parameters = 13 * 2 = 26 GB",
    "160 kB = 160 * 8192 = 1.31 GB",
    "1 epoch = 300B tokens = 300e9 / 4.2e6 = 71429 steps",
    "5 GB = 5 * 8 = 40 Gbit",
    "2 days = 2 * 8 = 16 hours",
    r"$64 \text{ nodes} = 64 \times 8 = 512 \text{ GPUs}$",
    "It takes 46,285 GPU-hours, which at 2 USD = 92,570 USD",
    "12 layers = 12 * 2",
]


@pytest.mark.parametrize("text", RUNS)
def test_a_count_and_what_it_comes_to_are_no_two_sides(text: str) -> None:
    assert flagged(text) == []


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ("2 days = 2 * 24 = 50 hours", "2 * 24 = 50 hours"),
        ("64 nodes = 64 × 8 = 513 GPUs", "64 × 8 = 513 GPUs"),
        (
            "16 * 32 = 512 sequences × 4096 tokens = 3.1M tokens",
            "512 sequences × 4096 tokens = 3.1M tokens",
        ),
        ("13B params = 13 * 2 = 28 GB", "13 * 2 = 28 GB"),
        ("16 * 32 = 513 sequences × 4096 = 2.1M tokens", "16 * 32 = 513 sequences × 4096"),
    ],
)
def test_a_slip_beside_the_arrow_is_found_once(text: str, step: str) -> None:
    assert flagged(text) == [step]


@pytest.mark.parametrize("text", ["64 GPUs = 64 * 8 = 512 GPUs", "80 GB = 80 * 2 = 160 GB"])
def test_a_count_does_not_come_to_another_count_of_the_same(text: str) -> None:
    assert flagged(text) == [text.rsplit(" = ", 1)[0]]


@pytest.mark.parametrize("text", ["3 h = 3 * 50 = 150 min", "5 GB = 5 * 10 = 50 Gbit"])
def test_units_of_one_kind_must_agree_from_end_to_end(text: str) -> None:
    assert flagged(text) == [text]


def test_a_product_that_equals_its_count_is_compared() -> None:
    assert verdict("5 min = 5 * 60 s = 300 s", "5 min = 5 * 60 s") == "ok"


def test_a_price_or_speed_is_no_side_of_what_it_comes_to() -> None:
    assert verdicts("8 GPUs at 80 GB = 640 GB.") == []
    assert flagged("We run 8 GPUs. At the end 5 s = 7000 ms.") == ["5 s = 7000 ms"]
