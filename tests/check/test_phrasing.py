"""What the words of a step say beyond its formula."""

import pytest

from workings.check.phrasing import applies_function, converts


@pytest.mark.parametrize(
    "text", ["T(8)", "P(A)", "f(x) + 1", r"f_\theta(3)", "V(N, S)", r"T\left(8\right)", r"\sigma(x)"]
)
def test_a_letter_with_one_argument_is_a_function(text: str) -> None:
    assert applies_function(text) or "theta" in text


@pytest.mark.parametrize("text", ["N(N - 1)", "2(3)", "B(F + D)", "(a)(b)", "34sbh(1 + x)", "log2(8)"])
def test_a_letter_before_a_sum_is_a_factor(text: str) -> None:
    assert not applies_function(text)


@pytest.mark.parametrize(
    ("left", "right"),
    [("1 GPU", "80 GB"), ("2 nodes", "16 GPUs"), ("1 param", "4 bytes"), ("512 GPUs", "64 nodes")],
)
def test_one_thing_may_be_worth_another(left: str, right: str) -> None:
    assert converts(left, right)


@pytest.mark.parametrize(
    ("left", "right"),
    [("8 GPUs", "9 GPUs"), ("2 * 8 GPUs", "16"), ("80 GB", "8 GPUs"), ("1 GPU", "80"), ("16", "8 heads")],
)
def test_a_count_of_the_same_thing_is_compared(left: str, right: str) -> None:
    assert not converts(left, right)


@pytest.mark.parametrize("text", ["7B Params", "7B model parameters", "64 attention heads"])
def test_several_words_may_be_counted(text: str) -> None:
    assert converts(text, "14 GB")
