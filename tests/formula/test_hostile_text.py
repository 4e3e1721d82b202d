"""Text from outside: refused with its place, or without a value, always at once."""

import sys
from collections.abc import Callable

import pytest
from effort import at_most
from looping import each

from workings.formula import (
    DoesNotEvaluateError,
    FormulaError,
    evaluate,
    exact,
    latex,
    parse_formula,
    plain,
)
from workings.formula.interval import Interval
from workings.formula.tree import Formula, Relations
from workings.units import UnitError, parse_number

CALLS = 3_000_000  # what a sum of 100,000 terms takes, the most that is allowed

# What must not even be read.
UNREADABLE = {
    "nothing": "",
    "only space": " \n\t ",
    "python import": "__import__('os').system('id')",
    "dunder name": "__import__",
    "attribute": "a.b",
    "attribute of a number": "(1).__class__",
    "subscript": "a[0]",
    "list": "[1, 2]",
    "string": "'a'",
    "f-string": 'f"{a}"',
    "lambda": "lambda x: x",
    "comprehension": "(i for i in x)",
    "walrus": "(a := 1)",
    "python power": "2**3",
    "floor division": "7//2",
    "modulo": "7 % 2",
    "semicolon": "a; b",
    "comment": "a # b",
    "backslash": r"\frac{a}{b}",
    "latex shell escape": r"\write18{id}",
    "jinja": "{{ 7*7 }}",
    "jinja of ours": "<< a >>",
    "html": "<script>alert(1)</script>",
    "shell": "$(id)",
    "backtick": "`id`",
    "null byte": "a\0b",
    "null byte in a number": "1\0",
    "bell": "a\x07",
    "carriage return": "a\r+ b",
    "no-break space": "a\u00a0+ b",
    "zero-width space": "a\u200b+ b",
    "right-to-left override": "a \u202e + b",
    "byte-order mark": "\ufeffa",
    "arabic digits": "٣ + ٤",
    "fullwidth digits": "１２",
    "superscript digit": "a²",
    "roman numeral": "Ⅷ",
    "cyrillic letter": "а + b",
    "greek letter": "α + 1",
    "fraction slash": "1⁄2",
    "root sign": "√2",
    "infinity": "∞",
    "emoji": "🙂",
    "lone surrogate": "\ud800",
    "implicit product of number and letter": "2x",
    "implicit product of letters": "a b",
    "implicit product before a parenthesis": "2(a + b)",
    "implicit product after a parenthesis": "(a + b)c",
    "implicit product of parentheses": "(a)(b)",
    "call of a letter": "N(3)",
    "unknown function": "exp(x)",
    "python function": "eval(x)",
    "function without arguments": "max()",
    "function without parentheses": "max",
    "too few arguments": "max(1)",
    "too many arguments": "sqrt(1, 2)",
    "21 arguments": f"max({', '.join('1' * 21)})",
    "ambiguous comma": "max(3,520)",
    "ambiguous comma in a sum": "sum(1,000, (i, 1, 2))",
    "number with two points": "1.2.3",
    "number ending in a point": "1.",
    "number starting with a point": ".5",
    "wrong thousands": "1,2345",
    "hexadecimal": "0x10",
    "underscored number": "1_000",
    "imaginary": "2j",
    "unit of nothing": "[GB]",
    "unknown unit": "2[parsec]",
    "unclosed unit": "2[GB",
    "unit injection": "2[GB]]",
    "unclosed parenthesis": "(a + b",
    "unopened parenthesis": "a + b)",
    "relation without a side": "a <",
    "two relations": "a < = b",
    "operator without a side": "a *",
    "power without exponent": "a^",
    "sum without range": "sum(a)",
    "sum over a number": "sum(a, (1, 1, 2))",
    "sum over two indices": "sum(a, (i, 1, 2), (j, 1, 2))",
    "81 digits": "1" * 81,
    "81 decimals": "0." + "1" * 81,
    "large exponent": "1e401",
    "small exponent": "1e-401",
    "huge exponent": "1e99999999999999999999",
    "huge exponent behind zeros": "1e" + "0" * 30 + "9999999999",
    "4,001 characters": "a" + "+a" * 2000,
    "1,501 tokens": "1" + "+1" * 750,
    "81-letter name": "a" * 81,
    "61 parentheses": "(" * 61 + "a" + ")" * 61,
    "1,000 parentheses": "(" * 1000 + "a" + ")" * 1000,
    "unclosed parentheses": "(" * 1400,
    "minus signs": "-" * 1400 + "a",
    "towers": "^".join("2" * 700),
    "nested functions": "sqrt(" * 300 + "2" + ")" * 300,
    "nested sums": "sum(" * 100 + "1" + ", (i, 1, 2))" * 100,
}


@each("text", UNREADABLE.values())
def test_text_that_is_no_formula_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(FormulaError) as caught, at_most(CALLS):
        parse_formula(text)
    lines = text.split("\n")
    assert 1 <= caught.value.line <= len(lines)
    assert 1 <= caught.value.column <= len(lines[caught.value.line - 1]) + 1
    assert str(caught.value).startswith(f"line {caught.value.line}, column {caught.value.column}: ")
    assert len(str(caught.value)) < 300


# What can be read but has no value that could be written down.
WORTHLESS = {
    "tower": "9^9^9^9",
    "power of 4,100 bits": "2^4100",
    "small power": "2^(-4100)",
    "power of a large number": "(10^80)^80",
    "irrational power": "2^(0.3)^(-10^20)",
    "irrational base": "sqrt(2)^(10^9)",
    "irrational tower": "((2^0.3)^(10^300))^((2^0.3)^(10^300))",
    "irrational exponent": "2^(sqrt(2)*10^5)",
    "huge range": "sum(1, (i, 1, 10^9))",
    "huge range of a heavy body": "sum(9^400, (i, 1, 10^6))",
    "endless body": f"sum({'+'.join('1' * 700)}, (i, 1, 10^4))",
    "harmonic": "sum(1/i, (i, 1, 10^5))",
    "range of fractions": "sum(1, (i, 1, 1/2))",
    "range of roots": "sum(1, (i, 1, sqrt(2)))",
    "division by zero": "1/(2 - 2)",
    "division by what may be zero": "1/(sqrt(2)*sqrt(2) - 2)",
    "zero to a negative power": "0^(-1)",
    "zero to a negative root": "0^(-0.3)",
    "root of a negative": "sqrt(1 - 2)",
    "root of an irrational negative": "sqrt(sqrt(2) - 2)",
    "power of a negative": "(1 - 9)^(1/3)",
    "half a power of a negative": "(1 - 9)^(3/2)",
    "logarithm of zero": "log2(0)",
    "logarithm of a negative": "log2(1 - 2)",
    "logarithm of an irrational negative": "log2(sqrt(2) - 2)",
    "undecided ceiling": "ceil(sqrt(2)*sqrt(2))",
    "undecided floor": "floor(10^70*sqrt(2))",
    "undecided order": "max(sqrt(2), sqrt(2))",
    "letter without a value": "N + 1",
}


@pytest.mark.parametrize("text", WORTHLESS.values(), ids=WORTHLESS.keys())
def test_a_formula_without_a_value_says_so(text: str) -> None:
    with pytest.raises(DoesNotEvaluateError), at_most(CALLS):
        value(text)


def value(text: str) -> object:
    tree = parse_formula(text)
    assert not isinstance(tree, Relations)
    return evaluate(tree, {})


def test_the_terms_of_nested_ranges_are_counted_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "MAX_TERMS", 10_000)
    with at_most(500_000):
        assert value("sum(sum(1, (i, 1, 90)), (k, 1, 50))") == 4_500
        for text in (
            "sum(sum(sum(1, (i, 1, 1000)), (j, 1, 1000)), (k, 1, 1000))",
            "sum(sum(1, (i, 1, 90)), (k, 1, 10^9))",
            "sum(sum(1, (i, 1, 90)), (k, 1, 200))",
        ):
            with pytest.raises(DoesNotEvaluateError, match="more than 10,000 terms"):
                value(text)


# What lies just inside the limits is read, printed and evaluated.
ALLOWED = {
    "80 digits": "1" * 80,
    "80-letter name": "a" * 80,
    "exponent 400": "1e400 + 1e-400 + 1e+00000400",
    "59 parentheses": "(" * 59 + "a" + ")" * 59,
    "1,499 tokens": "a" + "+a" * 749,
    "power of 4,096 bits": "65535^256 + 65535^(-256)",
    "20 arguments": f"max({', '.join('1' * 20)})",
    "a sum of 100,000": "sum(i, (i, 1, 100000))",
    "an empty sum": "sum(1/i, (i, 1, 0))",
}


@pytest.mark.parametrize("text", ALLOWED.values(), ids=ALLOWED.keys())
def test_what_lies_inside_the_limits_works(text: str) -> None:
    with at_most(CALLS):
        tree = parse_formula(text)
        assert parse_formula(plain(tree)) == tree
        assert latex(tree)
        assert not isinstance(tree, Relations)
        assert not isinstance(evaluate(tree, {"a": 1, "a" * 80: 1}), Interval)


@pytest.mark.parametrize("reading", [plain, latex, parse_formula])
def test_a_nearly_full_stack_is_enough_for_the_deepest_formula(
    reading: Callable[[Formula], object] | Callable[[str], object],
) -> None:
    text = "-(" * 29 + "a" + ")" * 29
    argument: object = text if reading is parse_formula else parse_formula(text)
    limit = sys.getrecursionlimit()
    try:
        sys.setrecursionlimit(_depth() + 400)
        assert reading(argument)  # type: ignore[arg-type]
    finally:
        sys.setrecursionlimit(limit)


def _depth() -> int:
    frame, depth = sys._getframe(), 0
    while frame.f_back is not None:
        frame, depth = frame.f_back, depth + 1
    return depth


@pytest.mark.parametrize("digits", ["9" * 5_000, f"1e{'9' * 5_000}", f"1e-{'0' * 5_000}999"])
def test_numbers_longer_than_python_converts_are_refused_too(digits: str) -> None:
    with pytest.raises(UnitError, match="is longer than 80 digits"):
        parse_number(digits)
