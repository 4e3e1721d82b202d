"""To SymPy and back: the same value, the order of the letters, no sign out of place."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest
import sympy
from formula_trees import Undefined, points, rational_trees, value
from hypothesis import assume, given, settings

from workings.formula import Expr, FormulaError, evaluate, parse_expression, plain
from workings.formula.interval import rational
from workings.formula.sympy_reading import from_sympy, to_sympy

POSITIVE = {name: sympy.Symbol(name, positive=True) for name in "xNSAMVabcLekW"}
ORDER = tuple(POSITIVE)


def read(text: str) -> Any:
    return to_sympy(parse_expression(text), POSITIVE)


def back(expression: Any, order: str = "SAMNVxLekW") -> str:
    return plain(from_sympy(expression, tuple(order)))


def _put(expression: Any, at: Mapping[str, Fraction]) -> Any:
    values = {POSITIVE[n]: sympy.Rational(v.numerator, v.denominator) for n, v in at.items()}
    return expression.subs(values).doit()


@settings(deadline=None, max_examples=200)
@given(rational_trees, points)
def test_sympy_reads_the_value_that_python_reads(tree: Expr, at: Mapping[str, Fraction]) -> None:
    try:
        expected = value(tree, at)
    except Undefined:
        assume(False)
    assert _put(to_sympy(tree, POSITIVE), at) == sympy.Rational(expected.numerator, expected.denominator)


@settings(deadline=None, max_examples=200)
@given(rational_trees, points)
def test_a_tree_comes_back_from_sympy_with_its_value(tree: Expr, at: Mapping[str, Fraction]) -> None:
    try:
        expected = value(tree, at)
    except Undefined:
        assume(False)
    assert evaluate(from_sympy(to_sympy(tree, POSITIVE), ORDER), at) == expected


@pytest.mark.parametrize(
    "text",
    [
        "sum(i^2, (i, 1, N))",
        "sum(x/N, (i, 1, N - 1))",
        "sqrt(L*e)*sqrt(k)",
        "x^(3/2)/S^(1/2)",
        "log2(x)*S/log2(N)",
        "2^(-x)*3",
        "x^(1/3)",
        "max(x, N, 3)/min(S, 2)",
        "ceil(x/3)*floor(N/2)",
        "95[GB]/8[GiB]*x",
    ],
)
def test_sums_roots_and_logarithms_come_back_with_their_value(text: str) -> None:
    at = {"x": Fraction(7, 3), "N": Fraction(5), "S": Fraction(2), "L": Fraction(6),
          "e": Fraction(3, 2), "k": Fraction(11)}  # fmt: skip
    tree = parse_expression(text)
    expected = rational(evaluate(tree, at))
    for form in (read(text), read(text).doit(), sympy.simplify(read(text))):
        again = rational(evaluate(from_sympy(form, ORDER), at))
        assert abs(again / expected - 1) < Fraction(1, 10**50)


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("(0 - 2*S - A)/(A - 2*M)", "(2*S + A)/(2*M - A)"),
        ("-S/(A - M)", "S/(M - A)"),
        ("S/(A - M)*(0 - 1)", "S/(M - A)"),
        ("(0 - S)/N", "-S/N"),
        ("0 - S", "-S"),
        ("A - S", "A - S"),
        ("-S - A", "-S - A"),
        ("S/N - A/N", "S/N - A/N"),
        ("1/N", "1/N"),
        ("1/sqrt(N)", "1/sqrt(N)"),
        ("0*N", "0"),
        ("0 - 3/4", "-3/4"),
        ("S*3/4", "3*S/4"),
    ],
)
def test_results_come_back_without_leading_minuses_where_they_need_none(text: str, printed: str) -> None:
    assert back(read(text)) == printed


def test_letters_come_back_in_the_order_of_the_vocabulary() -> None:
    product = read("V*x*S*A*2")
    assert back(product, "SAVx") == "2*S*A*V*x"
    assert back(product, "xVAS") == "2*x*V*A*S"
    assert back(read("x + V + S"), "SVx") == "S + V + x"
    assert back(read("(x + S)*V"), "xVS") == "V*(x + S)"


def test_the_order_does_not_depend_on_how_sympy_built_it() -> None:
    forwards = sympy.Mul(*(POSITIVE[n] for n in "SAMNV"))
    backwards = sympy.Mul(*(POSITIVE[n] for n in "VNMAS"))
    assert back(forwards) == back(backwards) == "S*A*M*N*V"


def test_a_root_of_a_product_comes_back_as_one_root() -> None:
    assert back(read("sqrt(L)*sqrt(e)*sqrt(k)*2")) == "2*sqrt(L*e*k)"


def test_a_logarithm_comes_back_to_the_base_of_two() -> None:
    assert back(read("log2(x)")) == "log2(x)"
    assert back(sympy.log(8 * POSITIVE["x"]) / sympy.log(2)) == "log2(8*x)"


@pytest.mark.parametrize(
    "expression",
    [
        sympy.pi,
        sympy.oo,
        sympy.nan,
        sympy.I,
        sympy.log(POSITIVE["x"]),
        sympy.sin(POSITIVE["x"]),
        sympy.Abs(sympy.Symbol("y")),
        sympy.Piecewise((1, POSITIVE["x"] > 1), (0, True)),
        sympy.Limit(POSITIVE["x"], POSITIVE["x"], 0),
        sympy.harmonic(POSITIVE["x"]),
        sympy.Float(0.5),
    ],
    ids=str,
)
def test_what_formulas_cannot_say_is_refused(expression: Any) -> None:
    with pytest.raises(FormulaError, match="SymPy's answer contains"):
        from_sympy(expression, ORDER)


@pytest.mark.parametrize("text", ["9^9^9", "2^(10^6)", "x^(10^9)", "(2*x)^5000", "sqrt(2)^(10^9)"])
def test_a_power_that_sympy_would_write_out_is_refused(text: str) -> None:
    with pytest.raises(FormulaError, match="a power of more than 4096 bits"):
        read(text)


def test_the_index_of_a_sum_from_zero_is_not_taken_for_positive() -> None:
    counted = read("sum(min(i, 1), (i, 0, N))").subs(POSITIVE["N"], 5).doit()
    assert counted == 5


def test_literals_are_read_exactly_and_in_base_units() -> None:
    assert read("0.1") == sympy.Rational(1, 10)
    assert read("1.5[GB]") == 1_500_000_000
    assert read("1[GiB]") == 2**30


def test_an_unknown_letter_is_an_error_and_never_a_new_symbol() -> None:
    with pytest.raises(KeyError):
        read("unknown")
