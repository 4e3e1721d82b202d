"""Sizes of one thing in several precisions."""

from claims_cases import right, wrong

from workings.check.claims.precisions import precisions

TABLE = "| dtype | size | speed |\n|---|---|---|\n| FP32 | 28 GB | 1x |\n| BF16 | 14 GB | 2x |\n"


def test_a_row_off_the_others_is_wrong() -> None:
    assert right(precisions, TABLE + "| INT8 | 7 GB | 4x |\n") == ["28 GB", "14 GB", "7 GB"]
    assert wrong(precisions, TABLE + "| INT8 | 7 GB | 4x |\n| INT4 | 4.5 GB | 8x |\n") == ["4.5 GB"]


def test_scales_of_a_quantised_format_are_no_mistake() -> None:
    assert not wrong(precisions, TABLE + "| INT4 | 4.2 GB | 8x |\n")


def test_two_precisions_of_one_width_do_not_prove_a_third_wrong() -> None:
    table = "| dtype | size |\n|---|---|\n| FP16 | 14 GB |\n| BF16 | 14 GB |\n| INT8 | 12 GB |\n"
    assert not wrong(precisions, table)


def test_items_of_a_list_are_rows_too() -> None:
    assert wrong(precisions, "- FP32: 28 GB\n- FP16: 14 GB\n- INT8: 9 GB\n") == ["9 GB"]
