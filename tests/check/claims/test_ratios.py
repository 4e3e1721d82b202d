"""Factors and per cents between two amounts of a sentence."""

import pytest
from claims_cases import claims, right, wrong

from workings.check.claims.ratios import ratios


@pytest.mark.parametrize(
    "sentence",
    [
        "The step grew from 460 ms to 1,484 ms, a 3.2x increase.",
        "NVLink has 600 GB/s versus 25 GB/s, a 24-fold gap.",
        "600 GB/s vs. 25 GB/s: 24x faster.",
        "Memory falls from 80 GB to 20 GB (75% less).",
        "INT8 helps: 28 GB → 7 GB (4x smaller).",
        "80 GB is twice the 40 GB of the older card.",
        "带宽从 1.5 TB/s 提升到 3 TB/s，提升 2 倍。",
        "NVLink 900GB/s 对比 PCIe 64GB/s，快 14 倍。",
        "Latency is reduced by 40% from 10 ms to 6 ms.",
        "On 4 GPUs → 3.48x (87% efficiency).",
    ],
)
def test_a_ratio_that_the_two_amounts_give_is_explained(sentence: str) -> None:
    assert right(ratios, sentence)
    assert not wrong(ratios, sentence)


@pytest.mark.parametrize(
    ("sentence", "figure"),
    [
        ("The step grew from 460 ms to 1,484 ms, a 5x increase.", "5x"),
        ("600 GB/s vs. 25 GB/s: 12x faster.", "12x"),
        ("Memory falls from 80 GB to 20 GB, an 85% reduction.", "85%"),
        ("INT8 helps: 28 GB → 7 GB (8x smaller).", "8x"),
        ("80 GB is 3x the 40 GB of the older card.", "3x"),
        ("带宽从 1.5 TB/s 提升到 3 TB/s，提升 4 倍。", "4 倍"),
        ("It takes 148,482,150,495,360 FLOPs, increased by 313x from 460,463,924,736.", "313x"),
    ],
)
def test_a_ratio_that_neither_direction_gives_is_wrong(sentence: str, figure: str) -> None:
    assert wrong(ratios, sentence) == [figure]


def test_three_digits_are_meant_and_one_is_a_manner_of_speaking() -> None:
    assert wrong(ratios, "It grew from 10.0 GB to 32.2 GB, a 3.13x increase.") == ["3.13x"]
    assert not wrong(ratios, "It grew from 10.0 GB to 32.2 GB, a 3x increase.")


@pytest.mark.parametrize(
    "sentence",
    [
        "From 8 to 64 GPUs the speed rises 6x.",  # of the speed, not of the GPUs
        "显存从80G降到32G，吞吐提升5倍。",
        "显存从12N降到4N/P，通信量仅增加50%。",
        "It moved 10 GB in 5 s, 3x faster than before.",
    ],
)
def test_a_ratio_of_something_else_is_left_alone(sentence: str) -> None:
    assert not wrong(ratios, sentence)


def test_comments_of_code_state_ratios_too() -> None:
    code = "```bash\nBATCH=12   # 从4增加到12 (3x)\nSTEPS=24   # from 16 to 24 (2.5x)\n```\n"
    assert claims(ratios, code) == [("3x", "ok"), ("2.5x", "wrong")]
