"""A letter that stands linearly, solved for by its coefficient, and the ways to write what it is."""

import pytest
import sympy

from workings.formula import parse_expression, plain
from workings.proof import Letter, Setting
from workings.proof.closed_form import solutions
from workings.proof.linear import linear_root
from workings.units import ONE
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


def test_every_way_to_write_a_solution_solves_the_equation() -> None:
    expression = (3 * X * Y + Y**2 * Z - Z) / (X + Y * Z)
    ways = linear_root(expression, Z + 1, X) or []
    assert len(ways) > 1
    for way in ways:
        assert sympy.simplify(expression.subs(X, way) - Z - 1) == 0


def test_a_letter_that_does_not_stand_linearly_is_left_to_others() -> None:
    assert linear_root(X**2 + Y, Z, X) is None
    assert linear_root(sympy.sqrt(X) + Y, Z, X) is None


def test_a_solution_that_is_nothing_or_negative_is_none() -> None:
    assert linear_root(X * Y + Z, Z, X) == []
    assert linear_root(-X * Y, Z, X) == []
