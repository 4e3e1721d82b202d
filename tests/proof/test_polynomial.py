"""A letter that stands linearly, squared or in one power is solved for, written in the shortest way."""

from collections.abc import Mapping

import pytest
import sympy
from looping import each

from workings import catalogue
from workings.derivation import Derivation
from workings.formula import (
    DoesNotEvaluateError,
    Expr,
    FormulaError,
    Value,
    evaluate,
    names_in,
    parse_expression,
    plain,
)
from workings.formula.interval import rational
from workings.proof import Letter, Setting
from workings.proof.closed_form import solutions
from workings.proof.polynomial import positive_roots
from workings.units import ONE
from workings.values.solving import closed_forms
from workings.vocabulary.concept import Domain

X, Y, Z = sympy.symbols("x y z", positive=True)
SETTING = Setting({**{name: Letter(ONE) for name in "abcdx"}, "n": Letter(ONE, Domain.POSITIVE_INTEGER)})


@pytest.mark.parametrize(
    ("text", "letter", "printed"),
    [
        ("a*x + b*x + c", "x", "(M - c)/(a + b)"),
        ("a*b*x + a*c*x", "x", "M/(a*(b + c))"),
        ("a*(b + c + d) + x", "x", "M - a*(b + c + d)"),
        ("x*n - x + a", "x", "(M - a)/(n - 1)"),
        ("a*x/b - c*x/d", "x", "M*b*d/(a*d - b*c)"),
        ("(a - x)/(b + c + d)", "x", "a - M*(b + c + d)"),
    ],
)
def test_the_shortest_way_to_write_a_solution_is_taken(text: str, letter: str, printed: str) -> None:
    (form,) = solutions(parse_expression(text), letter, "M", SETTING)
    assert plain(form) == printed


@pytest.mark.parametrize(
    ("text", "letter", "printed"),
    [
        ("max(a, b)*(x + c) + ceil(a/b)*x", "x", "(M - max(a, b)*c)/(ceil(a/b) + max(a, b))"),
        ("2^n*x/(2^n - 1)", "x", "M - M/2^n"),
        ("x*log2(n) + a", "x", "(M - a)/log2(n)"),
        ("sqrt(a)*x + a", "x", "(M - a)/sqrt(a)"),
    ],
)
def test_what_is_no_polynomial_takes_part_as_a_letter(text: str, letter: str, printed: str) -> None:
    (form,) = solutions(parse_expression(text), letter, "M", SETTING)
    assert plain(form) == printed


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("a*x^2", ["sqrt(M/a)"]),
        ("x^2 + 2*a*x", ["sqrt(M + a^2) - a"]),  # the other root is negative
        ("x^2 - 2*a*x", ["sqrt(M + a^2) + a"]),  # and here: the product of both is -M
        ("2*a*x - x^2", ["sqrt(a^2 - M) + a", "a - sqrt(a^2 - M)"]),
        ("a - x^2", ["sqrt(a - M)"]),
        ("x^2/(x + a)", ["sqrt(M*a + M^2/4) + M/2"]),
        ("(x^2 + a*x)/x", ["M - a"]),
    ],
)
def test_a_square_has_the_roots_that_can_be_positive(text: str, printed: list[str]) -> None:
    assert [plain(form) for form in solutions(parse_expression(text), "x", "M", SETTING)] == printed


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("a*(x + b)^c", "(M/a)^(1/c) - b"),
        ("a*sqrt(x) + b", "(M - b)^2/a^2"),
        ("a - b*(1 - x/c)^n", "c - ((a - M)/b)^(1/n)*c"),
        ("a*b^(x + c)", "log2(M/a)/log2(b) - c"),
        ("a*log2(b*x)", "2^(M/a)/b"),
        ("(sqrt(a) + sqrt(x))^2", "(sqrt(M) - sqrt(a))^2"),
    ],
)
def test_a_letter_in_one_power_is_solved_for(text: str, printed: str) -> None:
    forms = [plain(form) for form in solutions(parse_expression(text), "x", "M", SETTING)]
    assert printed in forms


def test_a_number_of_many_digits_leaves_its_root_at_once() -> None:
    (form,) = solutions(parse_expression("10^40*x^2 + 10^30*a*x"), "x", "M", SETTING)
    assert plain(form) == "sqrt(M + 25000000000000000000*a^2)/100000000000000000000 - a/20000000000"


def test_every_way_to_write_a_solution_solves_the_equation() -> None:
    expression = (3 * X * Y + Y**2 * Z - Z) / (X + Y * Z)
    for power in (1, 2):
        roots = positive_roots(expression.subs(X, X**power), Z + 1, X)
        (ways,) = roots or [[]]
        assert len(ways) > 1
        for way in ways:
            assert sympy.simplify(expression.subs(X, way**power) - Z - 1) == 0


def test_a_letter_that_stands_in_no_such_polynomial_is_left_to_others() -> None:
    assert positive_roots(X**3 + X * Y, Z, X) is None
    assert positive_roots(2**X + X, Z, X) is None
    assert positive_roots(sympy.Max(X, Y) + X, Z, X) is None
    assert positive_roots(2 ** sympy.ceiling(X), Z, X) is None


def test_a_solution_that_is_nothing_or_negative_is_none() -> None:
    assert positive_roots(X * Y + Z, Z, X) == []
    assert positive_roots(-X * Y, Z, X) == []
    assert positive_roots(X**2 + X * Y + Y + Z, Z, X) == []
    assert positive_roots(-(X**2), Z, X) == []


EXPRESSIONS = [what for what in catalogue.every() if what.head]


@each("what", EXPRESSIONS[::9], ids=lambda d: d.id)
def test_a_ninth_of_all_results_gives_each_letter_back(what: Derivation) -> None:
    gives_its_letters_back(what)


@pytest.mark.slow
@each("what", EXPRESSIONS, ids=lambda d: d.id)
def test_every_result_gives_each_letter_back(what: Derivation) -> None:
    gives_its_letters_back(what)


def gives_its_letters_back(what: Derivation) -> None:
    """At every point one of the solutions is the value that the letter has there."""
    for letter in names_in(what.result):
        try:
            forms = closed_forms(what, letter)
        except FormulaError:
            continue
        for point in what.setting.points(6):
            there = {**point, str(what.head): value_or_none(what.result, point)}
            found = [value_or_none(form, there) for form in forms]
            here = rational(point[letter])
            near = [v is not None and abs(rational(v) - here) <= here / 10**40 for v in found]
            assert any(near) or None in found or here == 0, (what.id, letter, point)


def value_or_none(node: Expr, values: Mapping[str, Value | None]) -> Value | None:
    known = {name: value for name, value in values.items() if value is not None}
    try:
        return evaluate(node, known)
    except DoesNotEvaluateError:
        return None
