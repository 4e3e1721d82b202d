"""What the first row of a table says of the cells below it: a letter's value, a column's unit."""

import pytest
from judged_pages import flagged, statements


def table(*rows: str) -> str:
    head, *body = rows
    rule = "|" + "---|" * (head.count("|") + 1)
    return "\n".join([f"| {head} |", rule, *(f"| {row} |" for row in body)]) + "\n\n"


def test_letters_over_one_row_have_the_values_below() -> None:
    given = table("$L$ | $D$", "80 | 8,192")
    assert flagged(given + "So $L D = 655360$.") == []
    (step,) = [s for s in statements(given + "So $L D = 600001$.") if s.relation]
    assert step.verdict == "wrong"
    assert step.read_as == "80*8,192 = 600001; L = 80 (line 3); D = 8,192 (line 3)"


@pytest.mark.parametrize(
    "rows",
    [
        ("$L$ | $D$", "80 | 8,192", "90 | 4,096"),
        ("$L$ | $D$", "many | 8,192"),
        ("$L$, $D$ | model", "80 | 8,192"),
        ("$2 L$ | $D$", "80 | 8,192"),
        ("$K$ | $D$", "80 | 8,192"),
    ],
    ids=["over two rows", "over a word", "two letters in a cell", "a formula", "another letter"],
)
def test_other_heads_give_no_values(rows: tuple[str, ...]) -> None:
    (step,) = [s for s in statements(table(*rows) + "So $L + 1 = 5$.") if s.relation]
    assert step.verdict == "undecided"


@pytest.mark.parametrize(
    ("head", "right", "wrong"),
    [
        ("Memory (GB)", "140", "150"),
        ("GB", "140", "150"),
        ("Memory, GB used", "140", "150"),
        ("Memory (MB)", "140,000", "140"),
        ("in bytes, or TB", "0.14", "140"),
        ("Memory (GB)", "140,000 MB", "140 MB"),
    ],
)
def test_a_column_is_in_the_unit_of_its_head(head: str, right: str, wrong: str) -> None:
    rows = ("What | Formula | " + head, "weights | 2 × 70e9 bytes | {}")
    assert flagged(table(*rows).format(right)) == []
    assert flagged(table(*rows).format(wrong)) == [f"2 × 70e9 bytes | {wrong}"]


def test_a_rate_is_a_unit_too() -> None:
    rows = ("What | Formula | Rate (GB/s)", "link | 80 GB / 2 s | {}")
    assert flagged(table(*rows).format(40)) == []
    (step,) = [s for s in statements(table(*rows).format(50)) if s.relation]
    assert (step.verdict, step.expected) == ("wrong", "40 GB/s")


def test_every_row_below_is_in_the_unit_and_no_other_column() -> None:
    text = table(
        "What | Formula | Memory (GB) | Formula | Time (s)",
        "weights | 2 × 70e9 bytes | 140 | 80 GB / (2 GB/s) | 40",
        "moments | 8 × 70e9 bytes | 580 | 80 GB / (4 GB/s) | 20",
    )
    assert flagged(text) == ["8 × 70e9 bytes | 580"]


def test_a_share_in_such_a_column_has_no_unit() -> None:
    text = table("What | Formula | Share of GB", "weights | 80 GB / 2000 GB | {}")
    assert flagged(text.format("4%")) == []
    assert flagged(text.format("5%")) == ["80 GB / 2000 GB | 5%"]


def test_one_letter_in_a_head_is_a_name_and_no_unit() -> None:
    text = table("What | Formula | B", "batch | 2 × 80 × 4096 GB | 655,360")
    (step,) = [s for s in statements(text) if s.relation]
    assert step.read_as == "2*80*4096 GB = 655,360"
