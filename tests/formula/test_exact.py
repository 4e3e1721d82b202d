"""The exact reading: fractions throughout, intervals where there are none, no guesses."""

import re
from collections.abc import Mapping
from fractions import Fraction
from math import ceil, floor

import pytest
from formula_trees import Undefined, points, rational_trees, value
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from workings.formula import (
    DoesNotEvaluateError,
    Expr,
    Relations,
    evaluate,
    holds,
    parse_expression,
    parse_formula,
    plain,
)
from workings.formula.exact import compare
from workings.formula.interval import Interval, rational


@settings(deadline=None, max_examples=400)
@given(rational_trees, points)
def test_the_value_is_that_of_pythons_own_operators(tree: Expr, at: Mapping[str, Fraction]) -> None:
    try:
        expected = value(tree, at)
    except Undefined:
        with pytest.raises(DoesNotEvaluateError, match="division by zero"):
            evaluate(tree, at)
    else:
        assert evaluate(tree, at) == expected


_NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?(?:e-?\d+)?")


@settings(deadline=None, max_examples=400)
@given(rational_trees, points)
def test_the_text_means_what_it_means_to_python(tree: Expr, at: Mapping[str, Fraction]) -> None:
    text = plain(tree)
    python = _NUMBER.sub(lambda m: f"Fraction('{m.group().replace(',', '')}')", text)
    names = {
        "Fraction": Fraction,
        "max": max,
        "min": min,
        "ceil": lambda x: Fraction(ceil(x)),
        "floor": lambda x: Fraction(floor(x)),
        **at,
    }
    try:
        expected = eval(python.replace("^", "**"), {"__builtins__": {}}, names)  # noqa: S307 - ours
    except ZeroDivisionError:
        assume(False)
    assert evaluate(parse_expression(text), at) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2*(8 - 1)/8*100", Fraction(175)),
        ("95[GB]", Fraction(95 * 10**9)),
        ("95[GiB]", Fraction(95 * 2**30)),
        ("8[bit]", Fraction(1)),
        ("1[TFLOP/s]/1[GFLOP/s]", Fraction(1000)),
        ("sum(i^2, (i, 1, 10))", Fraction(385)),
        ("sum(i, (i, -3, 3))", Fraction(0)),
        ("sum(1/i, (i, 1, 0))", Fraction(0)),
        ("sum(sum(i*j, (j, 1, i)), (i, 1, 3))", Fraction(25)),
        ("sum(i, (i, 1, 2)) + sum(i, (i, 1, 3))", Fraction(9)),
        ("2^10", Fraction(1024)),
        ("2^(-2)", Fraction(1, 4)),
        ("-2^2", Fraction(-4)),
        ("(1 - 3)^3", Fraction(-8)),
        ("0^0", Fraction(1)),
        ("0^0.3", Fraction(0)),
        ("4^(3/2)", Fraction(8)),
        ("(4/9)^(-1/2)", Fraction(3, 2)),
        ("sqrt(16/25)", Fraction(4, 5)),
        ("log2(1/8)", Fraction(-3)),
        ("log2(1024)", Fraction(10)),
        ("ceil(7/2) + floor(7/2)", Fraction(7)),
        ("ceil(-7/2)", Fraction(-3)),
        ("floor(-7/2)", Fraction(-4)),
        ("ceil(4)", Fraction(4)),
        ("max(1, 7/2, 3)", Fraction(7, 2)),
        ("min(1, sqrt(2))", Fraction(1)),
        ("floor(log2(1000))", Fraction(9)),
        ("ceil(sqrt(2)*10^40)", Fraction(14142135623730950488016887242096980785697)),
    ],
)
def test_known_values(text: str, expected: Fraction) -> None:
    assert evaluate(parse_expression(text), {}) == expected


@pytest.mark.parametrize(
    ("text", "squared"), [("sqrt(2)", 2), ("2^0.5", 2), ("sqrt(10^300 + 1)", 10**300 + 1)]
)
def test_a_root_is_enclosed_to_59_digits(text: str, squared: int) -> None:
    root = evaluate(parse_expression(text), {})
    assert isinstance(root, Interval)
    error = abs(root.middle() ** 2 / squared - 1)
    assert error < Fraction(1, 10**58)


def test_a_logarithm_is_enclosed_between_powers_of_two() -> None:
    log = rational(evaluate(parse_expression("log2(3)"), {}))
    # 3^1000 lies between 2^floor(1000 log2 3) and twice that.
    assert 2 ** floor(1000 * log) < 3**1000 < 2 ** ceil(1000 * log)


@given(st.fractions(Fraction(1, 100), 10**6))
def test_the_square_of_a_root_is_the_number(number: Fraction) -> None:
    squared = evaluate(parse_expression("sqrt(x)^2"), {"x": number})
    assert abs(rational(squared) / number - 1) < Fraction(1, 10**58)


@given(st.fractions(0, 10**6))
def test_the_root_of_a_square_is_exact(number: Fraction) -> None:
    assert evaluate(parse_expression("sqrt(x^2)"), {"x": number}) == number


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("ceil(sqrt(2)*sqrt(2))", "do not decide a ceil"),
        ("floor(sqrt(2)*sqrt(2))", "do not decide a floor"),
        ("floor(2*log2(2^0.5))", "do not decide a floor"),
        ("max(sqrt(2), 2/sqrt(2))", "do not tell the two sides apart"),
        ("1/(sqrt(2)*sqrt(2) - 2)", "do not tell from zero"),
        ("sqrt(sqrt(2)*sqrt(2) - 2)", "do not tell whether a root"),
        ("log2(sqrt(2)*sqrt(2) - 2)", "do not tell whether a logarithm"),
    ],
)
def test_what_60_digits_cannot_decide_is_left_undecided(text: str, why: str) -> None:
    with pytest.raises(DoesNotEvaluateError, match=why):
        evaluate(parse_expression(text), {})


def test_an_order_that_59_digits_tell_is_decided() -> None:
    near = Fraction(14142135623730950488016887242096980785696, 10**40)
    root = evaluate(parse_expression("sqrt(2)"), {})
    assert compare(near, "<", root)
    assert compare(near + Fraction(1, 10**40), ">", root)
    assert not compare(near, "=", root)


def test_a_chain_of_relations_holds_if_every_link_does() -> None:
    chain = parse_formula("a < b <= c = 3")
    assert isinstance(chain, Relations)
    assert holds(chain, {"a": 1, "b": 3, "c": 3})
    assert not holds(chain, {"a": 3, "b": 3, "c": 3})
    assert not holds(chain, {"a": 1, "b": 2, "c": 4})


@pytest.mark.parametrize("relation", ["≈", "<=>"])
def test_a_relation_that_no_single_point_decides_has_no_truth(relation: str) -> None:
    formula = parse_formula(f"1 {relation} 1")
    assert isinstance(formula, Relations)
    with pytest.raises(DoesNotEvaluateError, match="is not true or false"):
        holds(formula, {})


def test_a_sum_leaves_a_letter_of_its_index_as_it_was() -> None:
    assert evaluate(parse_expression("i + sum(i, (i, 1, i)) + i"), {"i": 4}) == 18


def test_a_missing_letter_is_named() -> None:
    with pytest.raises(DoesNotEvaluateError, match="no value for the letter N_fsdp"):
        evaluate(parse_expression("1 + N_fsdp"), {"N": 3})
