"""Where relations between cells fail, the one cell that explains it is blamed, or none."""

from workings.claims.claim import SUPPORTS
from workings.claims.page import page_of
from workings.reading.reading import read_document

TABLE = """
| part | time (ms) | share |
|---|---|---|
| matmul | {} | {} % |
| attention | 21.4 | 26.0 % |
| norm | 9.7 | 11.8 % |
| total | {} | 100 % |
"""


def said(text: str) -> dict[str, tuple[str, bool]]:
    """The rule that speaks of each figure, and whether it accuses."""
    found = page_of(read_document("page.md", text)).tied
    return {
        f.written: (f.rule, f.word == "wrong") for f in found if f.word == "wrong" or f.word in SUPPORTS
    }


def accused(text: str) -> list[str]:
    return [written for written, (_, wrong) in said(text).items() if wrong]


def test_the_cell_that_a_sum_and_a_share_have_in_common_is_blamed() -> None:
    assert accused(TABLE.format("51.2", "62.2", "82.3")) == []
    assert accused(TABLE.format("57.2", "62.2", "82.3")) == ["57.2"]
    assert accused(TABLE.format("51.2", "66.2", "82.3")) == ["66.2 %"]
    assert accused(TABLE.format("51.2", "62.2", "87.3")) == ["87.3"]


def test_what_the_page_says_again_is_not_blamed() -> None:
    items = "- weights: {} GB\n- gradients: 13.1 GB\n- optimizer: 78.6 GB\n- total: {} GB\n\n"
    text = items + "That is 104.8 GB, {}.\n"
    assert accused(text.format("13.1", "114.8", "of course")) == ["114.8 GB"]
    assert accused(text.format("31.1", "104.8", "of course")) == []
    again = "of which 15.3 GB are weights"
    assert accused(text.format("13.5", "107.0", "x").replace("104.8", "107.0").replace("x", again)) == [
        "13.5 GB"
    ]


def test_a_constant_that_nothing_names_is_one_if_many_rows_have_it() -> None:
    rows = "".join(f"| {n} | {n * 1.37:.2f} | {n * 1.37 / 4:.4f} |\n" for n in (3, 7, 11, 19))
    found = said(f"| GPUs | cost ($) | cost of a quarter, 4-way ($) |\n|---|---|---|\n{rows}")
    assert not any(wrong for _, wrong in found.values())
    assert {"4.11", "1.0275"} <= found.keys()
    assert "4.11" not in said("| GPUs | cost ($) |\n|---|---|\n| 3 | 4.11 |\n| 7 | 9.59 |\n")


def test_what_the_next_row_says_in_another_unit_is_not_blamed() -> None:
    table = """| | a layer | 24 layers |
|---|---|---|
| heads | 3 | 72 |
| numbers | 29,360,128 | 704,643,072 |
| bytes | 58,720,256 | 1,409,286,144 |
| in MiB or GiB | {} MiB | {} GiB |
"""
    assert accused(table.format("56", "1.3125")) == []
    assert accused(table.format("56", "13.125")) == ["13.125 GiB"]
    assert accused(table.format("5.6", "1.3125")) == ["5.6 MiB"]


def test_two_slips_in_one_table_are_told_apart() -> None:
    rows = [("a", 97, 203.7), ("b", 158, 331.8), ("c", 43, 90.3), ("d", 211, 443.1)]
    table = "| run | GPU-h | cost ($) |\n|---|---|---|\n" + "".join(
        f"| {n} | {h} | {c} |\n" for n, h, c in rows
    )
    table += "| total | 509 | 1068.9 |\n"
    assert accused(table) == []
    assert accused(table.replace("90.3", "93.0").replace("509", "590")) == ["93.0", "590"]


def test_a_formula_beside_a_table_makes_its_columns() -> None:
    table = (
        "| $p$ | factor $2(p-1)/p$ | time (s) |\n|---|---|---|\n| 3 | {} | 0.7 |\n| 6 | 1.667 | 0.9 |\n"
    )
    named = "\nspeed = p / time in all rows.\n\n| p | time (s) | speed |\n|---|---|---|\n"
    rows = "| 3 | 0.7 | {} |\n| 6 | 0.9 | 6.67 |\n| 9 | 1.3 | 6.92 |\n"
    table = table.replace("factor ", "") + "| 9 | 1.778 | 1.3 |\n"
    assert accused(table.format("1.333")) == []
    assert accused(table.format("1.533")) == ["1.533"]
    assert accused((named + rows).format("4.29")) == []
    assert accused((named + rows).format("4.92")) == ["4.92"]


def test_a_hash_in_a_cell_is_no_number() -> None:
    assert said("| commit | s |\n|---|---|\n| 308e4292 | 7 |\n| 6985e58938 | 8 |\n") == {}


def test_what_nobody_can_mean_stops_nothing() -> None:
    cells = ("1e9999", "1e-9999", "9" * 3000, "1/0", "0", "-5", "1e300", "1.5e-300", "½", "٣", "1e999 GB")
    rows = "".join(f"| {n} | {cell} | {other} |\n" for n, cell in enumerate(cells) for other in cells)
    said(f"| a {cells[2]} | b (GB) | total 1e999 |\n|---|---|---|\n{rows}| total | 7 GB | 1e999 |\n")
    said("".join(f"- a: {cell} GB\n" for cell in cells) + "- total: 1e999 GB\n")
    said("```\n" + "".join(f"x  {cell}  {cell}\n" for cell in cells * 3) + "total 1 2\n```\n")
