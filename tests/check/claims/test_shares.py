"""Per cents of a whole that the page shows."""

import pytest
from claims_cases import claims, right, wrong

from workings.check.claims.shares import shares


@pytest.mark.parametrize(
    "sentence",
    [
        "Uses 2.6 GB / 32 GB (8%).",
        "12 out of 48 layers (25%) are kept.",
        "30% of 312 TFLOPS = 94 TFLOPS.",
        "90% of 80 GB (72 GB) is usable.",
        "24 GB of 32 GB (25%) are free.",
    ],
)
def test_a_share_of_the_amounts_beside_it_is_explained(sentence: str) -> None:
    assert right(shares, sentence)
    assert not wrong(shares, sentence)


@pytest.mark.parametrize(
    ("sentence", "figure"),
    [
        ("Uses 26 GB of 32 GB (50%).", "50%"),
        ("12 of 48 layers (40%) are kept.", "40%"),
        ("30% of 312 TFLOPS is 120 TFLOPS.", "120 TFLOPS"),
    ],
)
def test_a_share_that_is_another_is_wrong(sentence: str, figure: str) -> None:
    assert wrong(shares, sentence) == [figure]


def test_the_whole_may_have_been_named_before() -> None:
    page = (
        "显存使用：2.6GB / 32GB (利用率8%)\n\n预期：~12GB (利用率40%)\n\n预期：~10-15GB (利用率50-70%)\n"
    )
    assert claims(shares, page) == [("8%", "ok"), ("40%", "ok"), ("50-70%", "wrong")]


HEAD = "| model | attention | ffn | head | Total |\n|---|---|---|---|---|\n"


def test_the_shares_of_a_row_are_those_of_its_total() -> None:
    row = "| S | 1.33T (29%) | 3.02T (67%) | 0.17T (4%) | 4.51T |\n"
    assert right(shares, HEAD + row) == ["29%", "67%", "4%"]
    row = "| S | 1.33T (29%) | 3.02T (57%) | 0.17T (4%) | 4.51T |\n"
    assert wrong(shares, HEAD + row) == ["57%"]


def test_a_row_where_nothing_fits_is_another_kind_of_table() -> None:
    assert not wrong(shares, HEAD + "| S | 1.33T (9%) | 3.02T (7%) | 0.17T (40%) | 4.51T |\n")


def test_the_items_of_a_list_share_one_whole() -> None:
    items = "- Weights: 140 GB (56%)\n- Gradients: 70 GB (28%)\n- Adam: 20 GB (8%)\n- Rest: 20 GB ({})\n"
    assert not wrong(shares, items.format("8%"))
    assert wrong(shares, items.format("18%")) == ["18%"]
