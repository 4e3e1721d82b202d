"""Totals of lists."""

import pytest
from judged_pages import fence, flagged

ITEMS = ("- Weights: 140 GB", "- Gradients: 140 GB", "- KV cache: 26 GB")


def items(*more: str) -> str:
    return "\n".join([*ITEMS, *more])


@pytest.mark.parametrize(
    "total", ["- **Total**: 306 GB", "- Total: ~300 GB", "- 合计：306 GB", "- Total per GPU: 38 GB"]
)
def test_a_total_of_the_items_is_right(total: str) -> None:
    assert flagged(items(total)) == []


def test_a_total_of_something_else_is_wrong() -> None:
    assert flagged(items("- **Total**: 406 GB")) == ["406 GB"]


def test_a_total_that_leaves_one_item_out_is_not_accused() -> None:
    assert flagged(items("- Total (without cache): 280 GB")) == []


def test_items_of_different_kinds_are_not_added() -> None:
    assert flagged("- Memory: 140 GB\n- Time: 3 s\n- Total: 9 GB") == []


def test_lines_of_a_fence_are_a_list_too() -> None:
    assert flagged(fence("", "weights: 140 GB", "cache:    26 GB", "total:   176 GB")) == ["176 GB"]
