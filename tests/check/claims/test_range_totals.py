"""Totals of lines with ranges."""

from claims_cases import claims

from workings.check.claims.range_totals import range_totals

LINES = "```\nWeights:   2 GB\nCache:     2-4 GB\nBuffers:   1 GB\n---------\nTotal:     {}\n```\n"


def test_the_total_of_ranges_is_a_range() -> None:
    assert claims(range_totals, LINES.format("5-7 GB")) == [("5-7 GB", "ok")]
    assert claims(range_totals, LINES.format("6 GB")) == [("6 GB", "ok")]


def test_an_end_that_is_not_reached_is_wrong() -> None:
    assert claims(range_totals, LINES.format("5-12 GB")) == [("5-12 GB", "wrong")]


def test_a_bounded_part_leaves_the_total_open() -> None:
    page = "```\nWeights: 2-3 GB\nCache: <1 GB\nMore: 1 GB\nTotal: 9-12 GB\n```\n"
    assert not claims(range_totals, page)
