"""Rows and columns of tables are statements, and their first cells name values."""

import pytest
from judged_pages import flagged, page, statements

from workings.check.symbols import symbols_of
from workings.check.tables import named_values, tables_of
from workings.formula.plain import plain


def table(*rows: str) -> str:
    head, *body = rows
    return "\n".join(
        [f"| {head} |", "|" + "---|" * (head.count("|") + 1), *(f"| {row} |" for row in body)]
    )


PARTS = ("part | GB", "weights | 140", "grads | 140", "optimizer | 840")


@pytest.mark.parametrize("word", ["total", "**Total**", "Sum", "合计", "Grand total"])
def test_a_total_is_the_sum_of_its_column(word: str) -> None:
    assert flagged(table(*PARTS, f"{word} | 1120")) == []
    assert flagged(table(*PARTS, f"{word} | 1220")) == ["1220"]


def test_a_column_with_words_in_it_has_no_total() -> None:
    assert flagged(table("part | GB", "weights | 140", "grads | see below", "total | 1120")) == []


def test_a_formula_and_the_value_beside_it_are_a_step() -> None:
    rows = ("formula | value", "2 × 70e9 | 140e9", "4 × 70e9 | 380e9")
    assert flagged(table(*rows)) == ["4 × 70e9 | 380e9"]
    assert [s.line for s in statements(table(*rows)) if s.verdict == "wrong"] == [4]


def test_a_mesh_is_no_formula() -> None:
    assert flagged(table("mesh | chips", "4 x 2 | 16")) == []


def test_letters_beside_a_value_are_named() -> None:
    document = page(table("what | size", "layers ($L$) | 80", "$d_{\\text{model}}$ | 8,192", "plain | 7"))
    symbols = symbols_of(document.blocks)
    assert [(n, plain(e)) for n, e, _ in named_values(document.blocks, symbols)] == [
        ("L", "80"),
        ("d_model", "8,192"),
    ]


def test_tables_are_rows_of_cells() -> None:
    (found,) = tables_of(page(table("a | b", "c | d")).blocks)
    assert [[cell.text for cell in row] for row in found] == [["a", "b"], ["c", "d"]]


@pytest.mark.parametrize(
    ("label", "names"),
    [
        ("Adam m and v", []),
        ("Adam m", []),
        ("microbatches (m)", ["m"]),
        ("$m$ in all", ["m"]),
        ("m", ["m"]),
    ],
)
def test_a_word_of_a_label_is_no_letter_that_the_row_gives(label: str, names: list[str]) -> None:
    blocks = page("With $m = 8$ and $v = 2$:\n\n" + table("part | GB", f"{label} | 32")).blocks
    assert [name for name, _, _ in named_values(blocks, symbols_of(blocks))] == names
