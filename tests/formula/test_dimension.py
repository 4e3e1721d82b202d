"""The unit reading: what can be added, compared and put into functions."""

from fractions import Fraction

import pytest

from workings.formula import Relations, dimension_of, parse_expression, parse_formula
from workings.formula.dimension import check_relations
from workings.units import BYTE, FLOP, ONE, SECOND, Dimension, UnitError

LETTERS = {"S": BYTE, "t": SECOND, "C": FLOP / SECOND, "n": ONE, "q": BYTE**2}


@pytest.mark.parametrize(
    ("text", "dimension"),
    [
        ("3", ONE),
        ("3[GiB]", BYTE),
        ("S/t", BYTE / SECOND),
        ("2*(n - 1)/n*S", BYTE),
        ("4[FLOP]*n/C", SECOND),
        ("S/S", ONE),
        ("1/t", ONE / SECOND),
        ("-S", BYTE),
        ("S^2/S", BYTE),
        ("S^(-2)", Dimension(byte=Fraction(-2))),
        ("S^(1/2)", Dimension(byte=Fraction(1, 2))),
        ("q^0.5", BYTE),
        ("sqrt(q)", BYTE),
        ("n^n", ONE),
        ("2^n", ONE),
        ("max(S, 3[GB], 0)", BYTE),
        ("S + 0", BYTE),
        ("0", ONE),
        ("ceil(S/3[GB])", ONE),
        ("log2(n)", ONE),
        ("sum(S/n, (i, 1, n - 1))", BYTE),
        ("sum(i*t, (i, 1, n))", SECOND),
    ],
)
def test_dimensions_follow_the_operations(text: str, dimension: Dimension) -> None:
    assert dimension_of(parse_expression(text), LETTERS) == dimension


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("S + t", r"^in S \+ t: S is in byte but t is in s$"),
        ("n*(S - 1)", r"^in S - 1: S is in byte but 1 is in 1$"),
        ("max(S, C)", r"^in max\(S, C\): S is in byte but C is in FLOP/s$"),
        ("1 + (S + t)", r"^in S \+ t: "),
        ("ceil(S)", r"^in ceil\(S\): expected a plain number, found byte$"),
        ("log2(t)", r"^in log2\(t\): expected a plain number, found s$"),
        ("2^t", r"^in 2\^t: expected a plain number, found s$"),
        ("S^n", r"^in S\^n: a quantity with a unit needs a literal exponent$"),
        ("sum(n, (i, 1, S))", r"expected a plain number, found byte$"),
        ("S*k", r"^no unit for the letter k$"),
        ("S + 0[s]", r"S is in byte but 0\[s\] is in s$"),
        ("3[GB] + 3[GB/s]", r"3\[GB\] is in byte but 3\[GB/s\] is in byte/s$"),
        ("sum(i*t, (i, 1, n)) + i", r"^no unit for the letter i$"),
    ],
)
def test_what_does_not_fit_is_named(text: str, message: str) -> None:
    with pytest.raises(UnitError, match=message):
        dimension_of(parse_expression(text), LETTERS)


def test_both_sides_of_every_relation_share_a_dimension() -> None:
    good = parse_formula("0 < S <= 95[GB]")
    bad = parse_formula("S < 95[GB] < t")
    assert isinstance(good, Relations)
    assert isinstance(bad, Relations)
    assert check_relations(good, LETTERS) == BYTE
    with pytest.raises(UnitError, match="S is in byte but t is in s"):
        check_relations(bad, LETTERS)
