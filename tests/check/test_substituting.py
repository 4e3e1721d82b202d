"""Letters replaced by numbers: which number stands for which letter."""

import pytest
from judged_pages import statements, verdict

from workings.check.substituting import substitution
from workings.formula import parse_expression


def put_in(left: str, right: str) -> dict[str, int] | None:
    """The numbers put in for the letters of a formula, or None where the shapes differ."""
    found = substitution(parse_expression(left), parse_expression(right))
    return None if found is None else {name: int(n.value) for name, n in found.values.items()}


@pytest.mark.parametrize(
    ("left", "right", "values"),
    [
        ("12*n*d^2", "12*96*64^2", {"n": 96, "d": 64}),
        ("a*b/c", "3*4/7", {"a": 3, "b": 4, "c": 7}),
        ("a + b - c", "3 + 4 - 7", {"a": 3, "b": 4, "c": 7}),
        ("2^a*b", "2^5*7", {"a": 5, "b": 7}),
        ("-a*b", "-3*4", {"a": 3, "b": 4}),
        ("-(a + b)*c", "-(3 + 4)*5", {"a": 3, "b": 4, "c": 5}),
        ("max(a, b)*c", "max(3, 4)*7", {"a": 3, "b": 4, "c": 7}),
        ("(p - 1)/(m + p - 1)", "(4 - 1)/(16 + 4 - 1)", {"p": 4, "m": 16}),
        ("(a*b)*c", "3*4*7", {"a": 3, "b": 4, "c": 7}),
        ("n*12*d", "12*96*4", {"n": 96, "d": 4}),
        ("12*12*n", "12*96*12", {"n": 96}),
        ("n*d*12", "12*12*4", {"n": 12, "d": 4}),
        ("2[byte]*n*d", "2*96*4", {"n": 96, "d": 4}),
    ],
)
def test_a_number_stands_in_the_place_of_its_letter(
    left: str, right: str, values: dict[str, int]
) -> None:
    assert put_in(left, right) == values


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("12*n*d", "13*96*4"),
        ("12*n*d", "12*96*4*5"),
        ("n*12*d", "12*96"),
        ("12*n*12", "12*96*4"),
        ("a*12/c", "12*3/7"),
        ("a*b/c", "3*4*7"),
        ("a + b", "3 - 4"),
        ("a + b", "3 + 4 + 5"),
        ("a + b", "3*4"),
        ("max(a, b)", "min(3, 4)"),
        ("max(a, b)", "max(3, 4, 5)"),
        ("a*b^2", "3*4^3"),
        ("-a*b", "3*4"),
        ("a*sum(b, (i, 1, 3))", "3*sum(4, (i, 1, 3))"),
    ],
)
def test_another_shape_puts_in_nothing(left: str, right: str) -> None:
    assert put_in(left, right) is None


@pytest.mark.parametrize(
    ("left", "right"),
    [("3*4", "3*4"), ("a*b", "3*b"), ("a", "3*4"), ("a*b", "12")],
    ids=["no letters", "a letter left", "a bare letter", "a bare number"],
)
def test_numbers_are_put_into_a_formula_of_letters(left: str, right: str) -> None:
    assert put_in(left, right) is None


def test_the_letter_that_got_two_numbers_is_named() -> None:
    found = substitution(parse_expression("n*d + n"), parse_expression("96*4 + 95"))
    assert found is not None
    assert found.clash == "n"
    again = substitution(parse_expression("n*d + n"), parse_expression("96*4 + 96"))
    assert again is not None
    assert again.clash == ""


def test_a_page_that_puts_numbers_in_says_which() -> None:
    (step,) = statements("$12 n d^2 = 12·96·12288^2$.")
    assert (step.verdict, step.reason) == ("ok", "puts in n = 96, d = 12288")


def test_two_numbers_for_one_letter_are_a_slip() -> None:
    (step,) = statements("$12 n d^2 + 13 n d = 12·96·12288^2 + 13·95·12288$.")
    assert (step.verdict, step.reason) == ("wrong", "n is replaced by 96 and by another number")


def test_a_number_is_what_the_page_says_of_its_letter() -> None:
    text = "We have $n = 96$. Thus $12 n d^2 = 12·{}·12288^2$."
    assert verdict(text.format(96), "12 n d^2") == "ok"
    (_, step) = statements(text.format(95))
    assert (step.verdict, step.reason) == ("wrong", "n is 96 (line 1), not 95")
