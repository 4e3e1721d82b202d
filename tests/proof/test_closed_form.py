"""SymPy's own results as trees: simplified, solved, differentiated, taken to the limit."""

from fractions import Fraction

import pytest
from looping import each

from workings import catalogue
from workings.derivation import Derivation
from workings.formula import (
    Expr,
    FormulaError,
    Relations,
    evaluate,
    parse_expression,
    parse_formula,
    plain,
)
from workings.formula.interval import rational
from workings.proof import PROVED, SAMPLED, Letter, Setting, prove_equality
from workings.proof.closed_form import (
    critical_points,
    derivative,
    limit,
    only_solution,
    simplified,
    solutions,
)
from workings.units import BYTE, ONE
from workings.vocabulary.concept import Domain

SETTING = Setting(
    {
        "N": Letter(ONE, Domain.POSITIVE_INTEGER),
        "S": Letter(BYTE),
        "A": Letter(BYTE),
        "M": Letter(BYTE),
        "x": Letter(ONE),
        "y": Letter(ONE),
    }
)


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("sum(S/N, (i, 1, N - 1)) + sum(S/N, (i, 1, N - 1))", "2*S*(N - 1)/N"),
        ("sum(i, (i, 1, N))", "N*(N + 1)/2"),
        ("S*N/N", "S"),
        ("(x^2 - y^2)/(x + y)", "x - y"),
        ("2[byte]*x + 3[byte]*x", "5[byte]*x"),
        ("4[GB]*x/2", "2000000000[byte]*x"),
        ("max(x, x)", "x"),
    ],
)
def test_formulas_are_written_in_their_shortest_form(text: str, printed: str) -> None:
    assert plain(simplified(parse_expression(text), SETTING)) == printed


def test_a_sum_from_zero_is_not_simplified_as_if_its_index_were_positive() -> None:
    form = simplified(parse_expression("sum(min(i, 1), (i, 0, N))"), SETTING)
    assert evaluate(form, {"N": 5}) == 5


def test_a_closed_form_that_is_wrong_where_a_sum_is_empty_is_refused() -> None:
    # SymPy makes it x*(N - 2), but at N = 1 the sum has no terms and is 0.
    with pytest.raises(FormulaError, match=r"SymPy's closed form x\*\(N - 2\) is false at N = 1"):
        simplified(parse_expression("sum(x, (i, 1, N - 2))"), SETTING)


def test_a_form_that_is_only_defined_at_more_points_is_kept() -> None:
    assert plain(simplified(parse_expression("(x^2 - y^2)/(x - y)"), SETTING)) == "x + y"


def test_a_power_by_a_letter_keeps_its_unit() -> None:
    what = catalogue.get("scaling-law-parameters")
    equals_its_first_line(what)


EXPRESSIONS = [what for what in catalogue.every() if what.head]


@each("what", EXPRESSIONS[::9], ids=lambda d: d.id)
def test_the_simplified_first_line_of_a_ninth_of_all_derivations_equals_it(what: Derivation) -> None:
    equals_its_first_line(what)


@pytest.mark.slow
@each("what", EXPRESSIONS, ids=lambda d: d.id)
def test_the_simplified_first_line_of_every_derivation_equals_it(what: Derivation) -> None:
    equals_its_first_line(what)


def equals_its_first_line(what: Derivation) -> None:
    first = what.lines[0].formula
    assert not isinstance(first, Relations)
    verdict = prove_equality(first, simplified(first, what.setting), what.setting)
    assert verdict.word in (PROVED, SAMPLED), verdict


@pytest.mark.parametrize(
    ("text", "letter", "found"),
    [
        ("(S + A/2)/N + A/2", "N", ["(2*S + A)/(2*M - A)"]),
        ("2*(N - 1)/N*S", "S", ["N*M/(2*N - 2)"]),
        ("S*x^2", "x", ["sqrt(M/S)"]),
        ("S*x + A", "x", ["(M - A)/S"]),
    ],
)
def test_a_result_is_solved_for_a_letter(text: str, letter: str, found: list[str]) -> None:
    forms = solutions(parse_expression(text), letter, "M", SETTING)
    assert [plain(form) for form in forms] == found


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("(S + A/2)/N + A/2", "S"), ("(S + A/2)/N + A/2", "A"), ("(S + A/2)/N + A/2", "N"),
        ("S*x^2 + A*x", "x"), ("S/(x + A/S)", "S"), ("S/(x + A/S)", "x"), ("A*x - S/x", "x"),
    ],
)  # fmt: skip
def test_a_solution_put_back_gives_the_result(text: str, letter: str) -> None:
    tree = parse_expression(text)
    at: dict[str, Fraction | int] = {"S": 3, "A": 2, "M": 700, "N": 5, "x": Fraction(7, 2)}
    forms = solutions(tree, letter, "M", SETTING)
    assert forms
    for form in forms:
        found = rational(evaluate(form, at))
        again = rational(evaluate(tree, {**at, letter: found}))
        assert abs(again - 700) < Fraction(1, 10**40)


@pytest.mark.parametrize("text", ["ceil(x)*S", "S*floor(x/y)", "max(x, y) + x", "min(2*x, S/A)"])
def test_what_is_rounded_or_chosen_is_not_solved_through(text: str) -> None:
    with pytest.raises(NotImplementedError, match="x stands in what is rounded or chosen"):
        solutions(parse_expression(text), "x", "M", SETTING)


def test_roots_that_only_an_equation_once_squared_has_are_none() -> None:
    forms = solutions(parse_expression("x + sqrt(x)"), "x", "M", SETTING)
    assert [plain(form) for form in forms] == ["(sqrt(M + 1/4) - 1/2)^2"]
    forms = solutions(parse_expression("(x^2 - y^2)/(x - y)"), "x", "M", SETTING)  # y makes it 0/0
    assert [plain(form) for form in forms] == ["M - y"]


def test_a_root_that_no_formula_can_say_is_refused_with_its_name() -> None:
    for find in (solutions, only_solution):
        with pytest.raises(FormulaError, match="SymPy's answer contains ImaginaryUnit"):
            find(parse_expression("x^3 + y*x"), "x", "M", SETTING)


@pytest.mark.parametrize(
    "text", ["log2(x) + x", "x*2^x", "x^x", "log2(x + S)/log2(x)", "x^y + (x - 1)^y"]
)
def test_a_letter_in_a_logarithm_or_an_exponent_and_beside_it_is_not_solved_for(text: str) -> None:
    with pytest.raises(NotImplementedError, match="x stands in a logarithm or an exponent and beside it"):
        solutions(parse_expression(text), "x", "M", SETTING)


def test_a_letter_in_one_logarithm_or_exponent_is_solved_for() -> None:
    forms = solutions(parse_expression("S*log2(x) + A"), "x", "M", SETTING)
    assert [plain(form) for form in forms] == ["2^((M - A)/S)"]


def test_the_only_solution_is_none_where_there_are_two() -> None:
    assert only_solution(parse_expression("y*x - x^2"), "x", "M", SETTING) is None
    assert only_solution(parse_expression("S*x + A"), "x", "M", SETTING) == parse_expression("(M - A)/S")


def test_a_letter_that_is_none_cannot_be_solved_for() -> None:
    with pytest.raises(FormulaError, match="q is not a letter here, expected one of N, S"):
        solutions(parse_expression("S/N"), "q", "M", SETTING)


def test_derivatives_and_limits_come_back_as_formulas() -> None:
    ring = parse_expression("2*(N - 1)/N*S")
    assert plain(derivative(ring, "N", SETTING)) == "2*S/N^2"
    assert plain(limit(ring, "N", SETTING)) == "2*S"
    with pytest.raises(FormulaError, match="SymPy's answer contains Infinity"):
        limit(parse_expression("S*N"), "N", SETTING)


def points(text: str, **values: int) -> list[Fraction]:
    known = {name: Fraction(value) for name, value in values.items()}
    return critical_points(parse_expression(text), "x", known)


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("(x - 2)*(x - 5)", [Fraction(2), Fraction(5)]),
        ("(7*x - 3)/(x - 1)", [Fraction(3, 7), Fraction(1)]),
        ("x^2 + 1", []),
        ("3*x - 12345678901234567890", [Fraction(4115226300411522630)]),
        ("max(x - 2, 5 - x)", [Fraction(2), Fraction(5)]),
        ("sum(x, (i, 1, n)) - 6", [Fraction(2)]),
    ],
)
def test_places_where_a_formula_may_change_sign_are_exact(text: str, places: list[Fraction]) -> None:
    assert points(text, n=3) == places


def test_irrational_places_are_good_to_30_digits() -> None:
    (negative, positive) = points("x^2 - 2")
    assert abs(positive**2 - 2) < Fraction(1, 10**30)
    assert negative == -positive


@pytest.mark.parametrize("text", ["ceil(x) - 3", "sqrt(x) - 3", "2^x - 3", "log2(x)"])
def test_what_is_no_fraction_of_polynomials_is_refused(text: str) -> None:
    with pytest.raises(FormulaError, match="cannot be solved"):
        points(text)


def test_a_tree_keeps_its_value_when_simplified() -> None:
    tree: Expr = parse_expression("sum(S*i/N, (i, 1, N)) + S*(N - 1)/2")
    form = simplified(tree, SETTING)
    at = {"S": 3, "N": 7}
    assert evaluate(form, at) == evaluate(tree, at)
    assert parse_formula(plain(form)) == form
