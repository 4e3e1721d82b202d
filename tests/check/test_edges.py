"""Where a side may begin and end."""

import pytest

from workings.check.edges import breaks_off, is_range, may_begin, remark_behind
from workings.formula.page.lexer import Dialect, PageToken, Symbols, page_tokens


def tokens(text: str, dialect: Dialect = "text") -> list[PageToken]:
    return page_tokens(text, lambda _: dialect, Symbols(frozenset("N")))


def at(text: str, part: str, dialect: Dialect = "text") -> tuple[list[PageToken], int]:
    """The tokens of a text, and the number of the one that begins with a part of it."""
    found = tokens(text, dialect)
    return found, next(i for i, token in enumerate(found) if token.start == text.index(part))


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("we need 3", "3"),
        ("total of 4", "4"),
        ("given by 2", "2"),
        ("- 3 GB", "3"),
        ("memory: 3", "3"),
        ("in 2024 12", "12"),
        ("(so 3", "3"),
        ("约 3", "3"),
        ("✅ 3", "3"),
        ("a, 3", "3"),
    ],
)
def test_a_side_begins_behind_words_and_marks(text: str, part: str) -> None:
    found, start = at(text, part)
    assert may_begin(found, start, 0)


@pytest.mark.parametrize(
    ("text", "part", "dialect"),
    [
        ("log 8", "8", "text"),
        ("10 times 3", "3", "text"),
        ("20% of 50", "50", "text"),
        ("half of 10", "10", "text"),
        ("divided by 5", "5", "text"),
        ("2,5", "5", "text"),
        ("1 000", "000", "text"),
        ("12:30", "30", "text"),
        ("7 % 4", "4", "text"),
        ("2 ± 1", "1", "text"),
        ("4 * 3", "3", "text"),
        ("8 × H100 80", "80", "text"),
        ("f(x)", "(", "text"),
        (r"\ln 2", "2", "math"),
        ("a 2", "2", "math"),
        ("3rd", "rd", "text"),
        ("700 W", "W", "text"),
    ],
)
def test_a_side_does_not_begin_inside_something_else(text: str, part: str, dialect: Dialect) -> None:
    found, start = at(text, part, dialect)
    assert not may_begin(found, start, 0)


@pytest.mark.parametrize(
    ("text", "part", "broken"),
    [
        ("3 which", "which", False),
        ("3.", ".", False),
        ("3 - which", "-", False),
        ("3, so", ",", False),
        ("100x faster", "x", False),
        ("3 × H100", "×", True),
        ("3^", "^", True),
        ("2,5", ",", True),
        ("3 divided by 2", "divided", True),
        ("3 to 5", "to", True),
        ("3 to you", "to", False),
        ("20% of 50", "of", True),
        ("5!", "!", True),
        ("5 ± 1", "±", True),
        ("12foo", "foo", True),
    ],
)
def test_reading_stops_in_the_middle_where_the_formula_goes_on(
    text: str, part: str, broken: bool
) -> None:
    found, stop = at(text, part)
    assert breaks_off(text, found, stop, len(found) - 1) is broken


def test_the_end_of_a_text_breaks_nothing_off() -> None:
    assert not breaks_off("3", tokens("3"), 1, 1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3-4", True),
        ("10–15", True),
        ("3-4 days", True),
        ("7-4", False),
        ("3 - 4", False),
        ("x-1", False),
        ("3-4-5", False),
    ],
)
def test_a_rising_difference_without_spaces_is_a_range(text: str, expected: bool) -> None:
    assert is_range(text, 0, len(text)) is expected


@pytest.mark.parametrize(
    ("text", "remark"), [("110 (+10%)", 1), ("16 (2 × 8)", 1), ("2(3 + 4)", None), ("3 + 4", None)]
)
def test_a_last_bracket_set_apart_may_be_a_remark(text: str, remark: int | None) -> None:
    found = tokens(text)
    assert remark_behind(found, 0, len(found) - 1) == remark


@pytest.mark.parametrize("text", ["At 50 GB/s this takes 51.25", "At 312 TFLOPs/s the step takes 6"])
def test_a_formula_begins_behind_the_unit_of_a_rate(text: str) -> None:
    found, start = at(text, text.rsplit(" ", 1)[1])
    assert may_begin(found, start, 0)


def test_a_letter_behind_a_figure_of_prose_begins_nothing() -> None:
    found, start = at("send 4 N", "N")
    assert not may_begin(found, start, 0)
