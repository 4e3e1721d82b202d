"""Each verdict, and that whatever makes a step true is tried before it is called wrong."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judged_pages import flagged, statements, verdict, verdicts

VERDICTS = {
    "ok": "$2 \\cdot 70 = 140$",
    "rounds": "10/3 = 3.33",
    "truncates": "2/3 ≈ 0.66",
    "depends": "80 GB = 80 GiB",
    "wrong": "128.8 GB + 10 GB = 150 GB",
    "unit": "10 GB / 2 GB/s = 5 GB",
    "undecided": "$x \\ge 155.6$",
    "not understood": "$\\sqrt[3]{8} = 2$",
}


@pytest.mark.parametrize("expected", VERDICTS)
def test_every_verdict_has_its_step(expected: str) -> None:
    assert [v for _, v in verdicts(VERDICTS[expected])] == [expected]


def test_a_step_shows_how_it_was_read_and_where_its_letters_come_from() -> None:
    (_, _, step) = statements("Let $A = 144$ GB.\n\nHere $N = 4$.\n\nSo $A / N = 46$ GB.")
    assert (step.line, step.column, step.verdict, step.layer) == (5, 5, "wrong", "follows")
    assert step.read_as == "144 GB/4 = 46 GB; A = 144 GB (line 1); N = 4 (line 3)"
    assert step.expected == "36 GB"


def test_a_side_computed_before_rounding_is_no_mistake() -> None:
    assert verdict("10/3 ≈ 3.3; then 10/3 ≈ 3.3 ≈ 3.333", "3.3 ≈ 3.333") in ("rounds", "ok")
    assert flagged("$1000/7 \\approx 143 \\approx 142.9$") == []


def test_either_reading_of_a_division_will_do() -> None:
    assert flagged("$64/4 \\cdot 2 = 32$ and $64/4 \\cdot 2 = 8$") == []
    assert flagged("$64/4 \\cdot 2 = 16$") == ["64/4 \\cdot 2 = 16"]


def test_a_condition_is_no_result() -> None:
    assert flagged("$N = 8$. When $2 N = 20$ we stop.") == []
    assert flagged("$N = 8$. Therefore $2 N = 20$.") == ["2 N = 20"]


def test_algebra_is_checked_without_values() -> None:
    assert flagged("$(a+b)^2 = a^2 + 2ab + b^2$") == []
    assert flagged("$(a+b)^2 = a^2 + b^2$") == ["(a+b)^2 = a^2 + b^2"]
    (step,) = statements("$(a+b)^2 = a^2 + b^2$")
    assert step.reason.startswith("at a = ")


def test_a_second_formula_off_by_a_number_contradicts_the_first() -> None:
    text = "The count is $P = 12 L D^2$ here. As said, $P = 24 L D^2$ for all."
    assert flagged(text) == ["P = 24 L D^2"]


def test_a_new_case_may_have_another_formula() -> None:
    assert flagged("# Dense\n$P = 12 L D^2$.\n# Sparse\n$P = 24 L D^2$.") == []


def test_strict_flags_an_equals_sign_that_rounds_only_when_asked() -> None:
    assert verdict("10/3 = 3.33", "10/3") == "rounds"


def test_a_flag_explains_itself_by_a_known_mistake() -> None:
    (step,) = statements("4 × 12,288 × 49,152 × 96 = 2.32 × 10^14")
    assert step.verdict == "wrong"
    assert "power-of-ten" in {e.mistake for e in step.explanations}


factors = st.lists(st.integers(2, 9999), min_size=2, max_size=4)
signs = st.sampled_from((" × ", " * ", "·", " \\times ", " \\cdot "))


@settings(deadline=None, max_examples=30)  # a whole document is checked each time
@given(factors, signs, st.integers(2, 9))
def test_products_are_right_as_computed_and_wrong_when_multiplied(
    parts: list[int], sign: str, slip: int
) -> None:
    product = 1
    for part in parts:
        product *= part
    left = sign.join(map(str, parts))
    quote = "$" if "\\" in sign else ""
    assert flagged(f"We have {quote}{left} = {product}{quote} values.") == []
    assert len(flagged(f"We have {quote}{left} = {product * slip + 1}{quote} values.")) == 1


@settings(deadline=None, max_examples=30)  # a whole document is checked each time
@given(st.integers(1, 10**6), st.integers(1, 10**4), st.integers(2, 5))
def test_quotients_may_be_rounded_to_any_digits_but_not_changed(
    above: int, below: int, digits: int
) -> None:
    value = float(Fraction(above, below))
    assert flagged(f"So $\\frac{{{above}}}{{{below}}} \\approx {value:.{digits}e}$.") == []
    assert len(flagged(f"So $\\frac{{{above}}}{{{below}}} \\approx {value * 3.7:.{digits}e}$.")) == 1


@settings(deadline=None, max_examples=30)  # a whole document is checked each time
@given(st.integers(2, 500), st.integers(2, 500), st.booleans())
def test_a_value_is_carried_from_its_definition_to_its_use(first: int, second: int, late: bool) -> None:
    given_ = f"$B = {first}$ and $S = {second}$"
    right, wrong = first * second, first * second + max(first, second) + 1
    wrong += wrong % 10 == 0  # a number that ends in zeros may be another one rounded
    pattern = "So $B \\cdot S = {}$ where {}." if late else "Let {1}. So $B \\cdot S = {0}$."
    assert flagged(pattern.format(right, given_)) == []
    assert flagged(pattern.format(wrong, given_)) == [f"B \\cdot S = {wrong}"]
