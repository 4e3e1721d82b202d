"""Columns made from each other, and totals of rows."""

from claims_cases import right, wrong

from workings.check.claims.tied_columns import tied_columns

STATE = (
    "| Component | Bytes per parameter | Total (7B params) |\n|---|---|---|\n"
    "| Weights | 2 bytes | 14 GB |\n| Gradients | 2 bytes | 14 GB |\n| Master | 4 bytes | 28 GB |\n"
)
SHARES = "| layer | count | share |\n|---|---|---|\n| a | 1769472 | 14.231% |\n| b | 589824 | 4.744% |\n"


def test_bytes_a_parameter_give_the_total() -> None:
    assert right(tied_columns, STATE + "| Adam | 8 bytes | 56 GB |\n") == [
        "14 GB",
        "14 GB",
        "28 GB",
        "56 GB",
    ]
    assert wrong(tied_columns, STATE + "| Adam | 8 bytes | 65 GB |\n") == ["65 GB"]


def test_a_per_cent_off_the_others_is_wrong() -> None:
    assert not wrong(tied_columns, SHARES + "| c | 2359296 | 18.975% |\n| d | 768 | 0.006% |\n")
    assert wrong(tied_columns, SHARES + "| c | 2359296 | 28.975% |\n| d | 294912 | 2.372% |\n") == [
        "28.975%"
    ]


def test_columns_of_a_data_sheet_owe_each_other_nothing() -> None:
    table = "| chip | bf16 | int8 |\n|---|---|---|\n| a | 1.97 | 3.94 |\n| b | 4.59 | 9.18 |\n"
    assert not wrong(tied_columns, table + "| c | 9.20 | 18.4 |\n| d | 1.40 | 1.40 |\n")


def test_a_row_adds_up_to_its_total() -> None:
    table = (
        "| model | a | b | total |\n|---|---|---|---|\n| S | 2.5 | 3.5 | 6.0 |\n| M | 4.5 | 3.5 | 8.0 |\n"
    )
    assert not wrong(tied_columns, table + "| L | 5.5 | 3.5 | 9.0 |\n")
    assert wrong(tied_columns, table + "| L | 5.5 | 3.5 | 10.0 |\n") == ["10.0"]
