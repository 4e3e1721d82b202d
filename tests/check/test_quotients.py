"""Fractions in words and again in numbers: each part must be of its kind."""

from judged_pages import flagged, statements

GIVEN = "The chip does 3.94e14 FLOPs/s and its memory moves 8.1e11 bytes/s.\n\n"
WORDS = "$$T = \\frac{\\text{Computation FLOPs}}{\\text{Accelerator FLOPs/s}} = \\frac{2BFD}{%s}$$"


def test_the_constant_that_the_words_ask_for_is_right() -> None:
    assert flagged(GIVEN + WORDS % "3.94e14") == []


def test_a_constant_of_another_kind_is_found() -> None:
    (wrong,) = [s for s in statements(GIVEN + WORDS % "8.1e11") if s.verdict == "unit"]
    assert "8.1e11[B/s] (line 1) is in" in wrong.reason
    assert wrong.expected.startswith("3.94e14")


def test_a_constant_that_nobody_gave_is_not_accused() -> None:
    assert flagged(GIVEN + WORDS % "7.7e13") == []


def test_a_letter_that_stands_nowhere_else_is_a_slip() -> None:
    text = "Let $B$, $D$ be sizes. $$\\frac{BD}{B + D} = \\frac{B}{2} \\approx b$$"
    assert [s.reason for s in statements(text) if s.verdict == "wrong"] == [
        "b stands nowhere else in the document; B does"
    ]
    assert flagged(text.replace("\\approx b", "\\approx B") + " $b$ $b$") != [text]
