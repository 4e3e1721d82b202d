"""Numbers put into the formula that a sentence has just given."""

import pytest
from judged_pages import flagged, statements

GIVEN = "Let $p = 4$ and $m = 32$.\n\n"
FORMULA = "The bubble is (p-1)/(m+p-1). "
PUT_IN = "(4-1)/(16+4-1) = 15.8%"


def test_a_number_put_in_is_the_one_the_page_gave_its_letter() -> None:
    assert flagged(GIVEN + FORMULA + "That gives (4-1)/(32+4-1) = 8.6%.") == []
    (step,) = [s for s in statements(GIVEN + FORMULA + f"That gives {PUT_IN}.") if s.quote == PUT_IN]
    assert (step.verdict, step.reason) == ("wrong", "m is 32 (line 1), not 16")
    assert step.read_as == "(p - 1)/(m + p - 1) = (4 - 1)/(16 + 4 - 1)"


@pytest.mark.parametrize(
    "text",
    [
        GIVEN + FORMULA + f"\n\nThat gives {PUT_IN}.",
        GIVEN + FORMULA + "So much for pipelines and for what they are good for. " * 3 + PUT_IN,
        GIVEN + f"That gives {PUT_IN} for (p-1)/(m+p-1).",
        GIVEN + "The product is `p*m`. That gives 4*16 = 64.",
        GIVEN + FORMULA + "That gives 15.8% = (4-1)/(16+4-1).",
        GIVEN + FORMULA + "That gives 3/19 = (4-1)/(16+4-1) = 0.158.",
        GIVEN + FORMULA + "That gives (4-1)/(16+4) = 15%.",
        GIVEN + FORMULA + "That gives (4-1)/(16+5-1) = 15%.",
        GIVEN + FORMULA + f"If that were {PUT_IN}.",
        GIVEN + FORMULA + "That gives (8-1)/(16+8-1) = 30.4%.",
        GIVEN + "Later $m = 64$. " + FORMULA + f"That gives {PUT_IN}.",
        FORMULA + f"That gives {PUT_IN}.",
        FORMULA + f"That gives {PUT_IN}.\n\n" + GIVEN,
        "# A\n\n" + GIVEN + "# B\n\n" + FORMULA + f"That gives {PUT_IN}.",
    ],
    ids=[
        "in another paragraph", "far from it", "before it", "a bare product", "its value",
        "not the first side", "another shape", "two numbers for one letter", "a case of its own",
        "two letters changed", "a letter with two values", "nothing known", "said later",
        "known from another section",
    ],
)  # fmt: skip
def test_other_numbers_near_a_formula_are_not_accused(text: str) -> None:
    assert flagged(text) == []


def test_two_letters_that_agree_tell_that_another_section_means_the_same() -> None:
    given = "# A\n\nLet $p = 4$, $m = 32$ and $v = 2$.\n\n# B\n\n"
    text = given + "The bubble is (p-1)/(m*v+p-1). That gives (4-1)/({}*2+4-1)."
    assert flagged(text.format(16) + " = 0") == []
    assert flagged(text.format(16)[:-1] + " = 8.57%.") == ["(4-1)/(16*2+4-1) = 8.57%"]
    assert flagged(text.format(32)[:-1] + " = 4.48%.") == []
