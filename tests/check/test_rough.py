"""The quick look never denies what exact comparison would grant."""

import sys
from pathlib import Path

import pytest
from hypothesis import given

from workings.check.rough import alike, rough
from workings.formula import Expr, Name, Product, parse_expression

sys.path.append(str(Path(__file__).parent.parent / "formula"))
from formula_trees import rational_trees


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("2*N", "N + N", True),
        ("N^2", "N", False),
        ("2*N", "3*N", True),
        ("max(N, 1)", "N", True),
        ("N*8", "8*N[GB]", True),
        ("x + N", "x*N", False),
        ("N", "N/0", True),
        ("log2(8)", "3", True),
        ("ceil(N)", "N", True),
        ("sqrt(N)", "N", False),
    ],
)
def test_sides_equal_up_to_a_factor_are_alike(left: str, right: str, expected: bool) -> None:
    text = right.replace("[GB]", "")
    assert alike(parse_expression(left), parse_expression(text)) is expected


@given(rational_trees)
def test_a_formula_is_alike_itself_and_its_double(node: Expr) -> None:
    assert alike(node, node) or rough(node, 1) != rough(node, 1) or rough(node, 1) == 0
    assert alike(Product(node, (("*", parse_expression("2")),)), node) or rough(node, 1) == 0


def test_a_letter_has_the_same_value_wherever_it_stands() -> None:
    assert rough(Name("N"), 1) == rough(Name("N"), 1) != rough(Name("N"), 2)
