"""Figures in words."""

from claims_cases import claims

from workings.check.claims.spelled_figures import spelled_figures


def test_a_figure_in_words_restates_the_one_before() -> None:
    page = "That is 4.2e11 FLOPs / token, about half a TFLOP per token."
    assert claims(spelled_figures, page) == [("half a TFLOP", "ok")]


def test_a_figure_in_words_is_never_accused() -> None:
    assert claims(spelled_figures, "It takes 40 seconds. Two hours are enough.") == [
        ("Two hours", "undecided")
    ]


def test_words_that_count_something_else_are_no_figures() -> None:
    assert not claims(spelled_figures, "Half a dozen runs in two rooms took three people.")
