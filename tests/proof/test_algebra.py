"""What is asked of SymPy: is it zero, what sign has it."""

import pytest
import sympy

from workings.formula import parse_expression
from workings.proof import Letter, Setting, parse_given
from workings.proof.algebra import Algebra
from workings.units import ONE
from workings.vocabulary.concept import Domain

LETTERS = {
    "N": Letter(ONE, Domain.POSITIVE_INTEGER),
    "M": Letter(ONE, Domain.POSITIVE_INTEGER),
    "x": Letter(ONE, Domain.POSITIVE),
    "y": Letter(ONE, Domain.POSITIVE),
    "z": Letter(ONE, Domain.NONNEGATIVE),
}


def algebra(*given: str) -> Algebra:
    return Algebra(Setting(LETTERS, {}, tuple(parse_given(text) for text in given)))


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("x + y", "+"),
        ("-x - y", "-"),
        ("x + z", "+"),
        ("z", "0+"),
        ("-z/x", "0-"),
        ("x - x", "0"),
        ("3", "+"),
        ("x - y", None),
        ("N - 1", "0+"),
        ("N + M - 2", "0+"),
        ("N*M - 1", "0+"),
        ("N - 2", None),
        ("N*ceil(M/N) - M", "0+"),
        ("M - N*floor(M/N)", "0+"),
        ("floor(M/N)*N - M", "0-"),
        ("M - N*floor(M/N) - 1", None),
        ("2*N - 1", "+"),
        ("sqrt(2)*x + y", "+"),
        ("(sqrt(2) - 2)*x", "-"),
        ("(x^2 - 2*y^2)/(x - sqrt(2)*y)", "+"),
        ("(x - y)^2", "0+"),
        ("(x - y)^2 + 1", None),
        ("(x + y)^2/(x*y)", "+"),
        ("(x - y)/(x - y)", "+"),
        ("sqrt(x) + sqrt(y)", "+"),
        ("x + y - 2*sqrt(x*y)", "0+"),
        ("1/N - 1", "0-"),
        ("max(x, y)", None),
        ("floor(x)", None),
        ("2^N", None),
        ("log2(N)", None),
        ("x^(1/3)", None),
        ("sum(x, (i, 1, N))", "+"),
    ],
)
def test_a_sign_is_told_only_where_coefficients_tell_it(text: str, sign: str | None) -> None:
    reading = algebra()
    assert reading.sign(reading.read(parse_expression(text))) == sign


def test_a_condition_decides_a_sign() -> None:
    text = parse_expression("x - y/2")
    assert algebra().sign(algebra().read(text)) is None
    for given, sign in [("x > y/2", "+"), ("x >= y/2", "0+"), ("y/2 < x", "+"), ("x = y", "+")]:
        reading = algebra(given)
        assert reading.sign(reading.read(text)) == sign


def test_one_condition_may_rest_on_another() -> None:
    reading = algebra("x > y", "y > 2")
    assert reading.sign(reading.read(parse_expression("x - 2"))) == "+"


@pytest.mark.parametrize(
    "text",
    [
        "2*(N - 1)/N*x - (2*x - 2*x/N)",
        "sum(x/N, (i, 1, N - 1)) - (N - 1)*(x/N)",
        "max(x, y) + min(x, y) - x - y",
        "min(x/y, x/z) - x/max(y, z)",
        "sqrt(x*y) - sqrt(x)*sqrt(y)",
        "x/sqrt(x) - sqrt(x)",
        "log2(x*y) - log2(x) - log2(y)",
    ],
)
def test_identities_are_zero(text: str) -> None:
    reading = algebra()
    assert reading.is_zero(reading.read(parse_expression(text)))


@pytest.mark.parametrize("text", ["x", "x - y", "N - 1", "z", "max(x, y) - x", "sqrt(x) - x"])
def test_what_is_zero_only_somewhere_is_not_zero(text: str) -> None:
    reading = algebra()
    assert not reading.is_zero(reading.read(parse_expression(text)))


def test_a_condition_can_make_a_difference_zero() -> None:
    text = parse_expression("floor(M/N) - M/N")
    assert not algebra().is_zero(algebra().read(text))
    reading = algebra("N divides M")
    assert reading.is_zero(reading.read(text))


@pytest.mark.parametrize(
    "text", ["max(x, y) - x", "N*ceil(M/N) - M", "floor(x) - x/2", "min(x, N)/z - 1"]
)
def test_what_is_no_0_at_primes_is_not_simplified(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sympy, "simplify", lambda _: pytest.fail("it searches for a 0"))
    asked = algebra()
    assert not asked.is_zero(asked.read(parse_expression(text)))


@pytest.mark.parametrize(
    "text", ["max(x, y) + min(x, y) - x - y", "ceil(M + 1/2) - M - 1", "2^(N + M) - 2^N*2^M"]
)
def test_what_is_0_at_primes_or_too_long_to_write_out_is_simplified(text: str) -> None:
    asked = algebra()
    assert asked.is_zero(asked.read(parse_expression(text)))
