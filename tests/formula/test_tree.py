"""Free letters, substitution and the like on trees."""

from fractions import Fraction

import pytest

from workings.formula import (
    FormulaError,
    Num,
    latex,
    names_in,
    parse_expression,
    parse_formula,
    plain,
    substitute,
)
from workings.formula.tree import rebuild


def test_letters_are_named_in_order_of_appearance_and_once() -> None:
    assert names_in(parse_formula("b*a + b < c")) == ("b", "a", "c")


def test_the_index_of_a_sum_is_not_free_in_its_body_but_is_in_its_ends() -> None:
    assert names_in(parse_expression("sum(i*x, (i, 1, n))")) == ("n", "x")
    assert names_in(parse_expression("sum(i*x, (i, 1, i))")) == ("i", "x")
    assert names_in(parse_expression("sum(i, (i, 1, 3)) + i")) == ("i",)


def test_substitution_replaces_every_free_letter_and_keeps_order_and_parentheses() -> None:
    tree = parse_expression("2*(N - 1)/N*S")
    put = {"N": parse_expression("a + b"), "S": parse_expression("c*d")}
    assert plain(substitute(tree, put)) == "2*((a + b) - 1)/(a + b)*(c*d)"


def test_substitution_leaves_the_index_of_a_sum_alone() -> None:
    tree = parse_expression("sum(i*x, (i, 1, i))")
    assert plain(substitute(tree, {"i": Num(Fraction(9))})) == "sum(i*x, (i, 1, 9))"


def test_a_letter_named_as_an_index_may_be_put_into_the_ends_of_the_sum() -> None:
    tree = parse_expression("sum(x, (i, 1, n))")
    assert plain(substitute(tree, {"n": parse_expression("i")})) == "sum(x, (i, 1, i))"


def test_substitution_refuses_to_catch_a_letter_under_a_sum() -> None:
    tree = parse_expression("sum(x, (i, 1, n))")
    with pytest.raises(FormulaError, match="the index i of a sum also stands in x"):
        substitute(tree, {"x": parse_expression("i + 1")})


def test_trees_are_equal_whatever_their_place_and_spelling() -> None:
    assert parse_expression("3,520 + a") == parse_expression("  (3520.0+a)")
    assert parse_expression("a + b") != parse_expression("b + a")
    assert parse_expression("1[GB]") != parse_expression("1[GiB]")


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("a + b - c", "x + x - x"),
        ("a*b/c", "x*x/x"),
        ("-a", "-x"),
        ("a^b", "x^x"),
        ("max(a, b)", "max(x, x)"),
        ("sum(a, (i, b, c))", "sum(x, (i, x, x))"),
        ("7[GB]", "7[GB]"),
    ],
)
def test_rebuilding_changes_every_direct_part(text: str, changed: str) -> None:
    assert plain(rebuild(parse_expression(text), lambda _: parse_expression("x"))) == changed


def test_an_error_without_a_text_names_no_place() -> None:
    assert str(FormulaError("SymPy gives no answer")) == "SymPy gives no answer"
    assert str(FormulaError("found nothing", "", 0)) == "line 1, column 1: found nothing"


@pytest.mark.parametrize(
    ("text", "shown", "set_as"),
    [
        ("1[FLOP]*D*W/(a*C)", "D*W/(a*C)", r"\frac{D W}{a C}"),
        ("b*(1[FLOP]*(d + e))", "b*(d + e)", "b(d + e)"),
        ("8/1[byte]*c", "8*c", "8 c"),
        ("k*(P/1[FLOP])^a", "k*P^a", "k P^{a}"),
        ("1[FLOP]/C < 1[byte]*2*1[FLOP]", "1/C < 2", r"\frac{1}{C} < 2"),
        ("1*D", "1*D", "1 D"),
        ("D + 1[byte]", "D + 1", "D + 1"),
    ],
)
def test_a_factor_of_one_with_a_unit_vanishes_with_units(text: str, shown: str, set_as: str) -> None:
    formula = parse_formula(text)
    assert plain(formula, units=False) == shown
    assert latex(formula) == set_as
    assert plain(formula) == text
