"""What was once accused wrongly, and what looks like it but is wrong."""

import pytest
from judged_pages import flagged, statements

LIMIT = "Memory per device: `210/N` GB. With {words} 3 GB each, N ≥ 70."


@pytest.mark.parametrize("words", ["at most", "no more than", "不超过"])
def test_a_limit_that_may_be_reached_is_reached_by_the_least_number(words: str) -> None:
    assert flagged(LIMIT.format(words=words)) == []


@pytest.mark.parametrize("words", ["under", "below", "less than"])
def test_a_limit_that_may_not_be_reached_is_not(words: str) -> None:
    assert flagged(LIMIT.format(words=words)) == ["N ≥ 70"]


@pytest.mark.parametrize(
    ("claim", "expected"),
    [("s > 3f/2", "ok"), ("s > 1.5f", "ok"), ("s > 4f", "depends"), ("s > f", "wrong"),
     ("s > 2f/3", "wrong"), ("s < 3f/2", "wrong")],
)  # fmt: skip
def test_a_bound_in_letters_is_exact_enough_or_wrong(claim: str, expected: str) -> None:
    last = statements(f"$4sh > 6hf$ and so ${claim}$")[-1]
    assert last.verdict == expected


def test_a_rounded_bound_solves_its_condition() -> None:
    assert flagged("$3s ≥ 10f$ so $s ≥ 3.3f$") == []


def test_the_number_expected_keeps_the_relation_that_was_written() -> None:
    assert [s.expected for s in statements("$14B > 243$ so $B > 15$")][-1] == "B > 17"
    assert flagged("$14B > 243$ so $B > 17$") == []


def test_a_quote_that_begins_with_an_equals_sign_is_no_result_of_the_paragraph_before() -> None:
    assert flagged("The sum is 2·70 GB\n\n>= 100 GB\n") == []


BUBBLE = "With m = 32 and p = 4 the bubble is (p-1)/(m+p-1). {words} (4-1)/(16+4-1) = 15.8%."


def test_another_case_may_have_other_numbers() -> None:
    assert flagged(BUBBLE.format(words="If m were half of it,")) == []
    assert flagged(BUBBLE.format(words="For us that is")) == ["(4-1)/(16+4-1) = 15.8%"]


@pytest.mark.parametrize("head", ["Memory", "Memory, GB in use now"])
def test_a_cell_may_leave_its_unit_to_the_column(head: str) -> None:
    table = "| what | {head} |\n|---|---|\n| 2 × 70e9 bytes | {value} |\n"
    assert flagged(table.format(head=head, value=140)) == []
    assert flagged(table.format(head=head, value=150)) != []


def test_a_unit_behind_a_product_is_the_product_s() -> None:
    (found,) = statements("$12 n d = 12·96·4$ GB")
    assert found.reason == "puts in n = 96, d = 4"


def test_the_last_number_of_a_sentence_is_read() -> None:
    assert flagged("80.1/16 = 5.006, so the smallest number of chips is 5.") == ["5"]
    assert flagged("80.1/16 = 5.006, so the smallest number of chips is 6.") == []


def test_a_display_that_goes_on_in_the_next_is_one_formula() -> None:
    assert flagged("$$2·70$$\n\n$$= 150$$") != []
    assert flagged("$$2·70$$\n\n$$= 140$$") == []


@pytest.mark.parametrize(
    ("sentence", "wrong"),
    [
        ("The number of nodes needed is 100/8 = 12.5, so {} nodes.", 12),
        ("We need at least 100/8 = 12.5, so {} nodes.", 12),
        ("At most 54/4.07 = 13.27, so at most {} sequences fit.", 14),
        ("At most 54/4.07 = 13.27, so {} sequences fit.", 14),
    ],
)
def test_a_whole_number_on_the_wrong_side_of_a_quotient_is_wrong(sentence: str, wrong: int) -> None:
    right = 13
    assert flagged(sentence.format(right)) == []
    (found,) = flagged(sentence.format(wrong))
    assert found.startswith(str(wrong))


@pytest.mark.parametrize(
    ("condition", "bound"),
    [(r"\frac{S}{N} + A \le M", r"\frac{S}{M - A}"), (r"\frac{M}{N} < C - A", r"\frac{M}{C - A}")],
)
def test_the_direction_of_a_solved_condition_counts(condition: str, bound: str) -> None:
    assert flagged(f"$${condition} \\iff N > {bound}$$") == []
    assert flagged(f"$${condition} \\iff N < {bound}$$") == [f"N < {bound}"]


@pytest.mark.parametrize(("letter", "step"), [("s = 4096", "2 s = 8192"), ("h = 4096", "4 h = 16384")])
def test_a_letter_of_the_page_is_no_unit_where_that_would_accuse(letter: str, step: str) -> None:
    assert flagged(f"With {letter}, {step}.") == []
    assert flagged(f"With {letter}, {step}0.") != []


def test_seconds_stay_seconds_where_s_is_a_letter() -> None:
    assert flagged("With $s = 4096$ tokens: a step takes 1.025 s = 1250 ms.") == ["1.025 s = 1250 ms"]
