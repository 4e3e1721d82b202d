"""A formula copied as Python has the value that it has here."""

from collections.abc import Mapping
from fractions import Fraction
from math import ceil, floor, log2, sqrt

import pytest

from workings import catalogue
from workings.formula import DoesNotEvaluateError, Name, Relations, evaluate, names_in, parse_formula
from workings.formula.readings.python import assignment, identifier, python


def run(text: str, letters: Mapping[str, int]) -> float:
    """The text as Python runs it: our own formulas, nothing from outside."""
    names = {identifier(name): value for name, value in letters.items()}
    known = {
        "ceil": ceil,
        "floor": floor,
        "log2": log2,
        "max": max,
        "min": min,
        "range": range,
        "sqrt": sqrt,
    }
    return float(eval(text, {"__builtins__": {**known, "sum": sum}, **names}))  # noqa: S307


def test_every_formula_of_the_catalogue_has_its_value_as_python() -> None:
    seen = 0
    for id_ in catalogue.ids():
        for formula in (line.formula for line in catalogue.get(id_).lines):
            if isinstance(formula, Relations):
                continue
            letters = {name: 3 + 2 * place for place, name in enumerate(names_in(formula))}
            try:
                value = evaluate(formula, {name: Fraction(one) for name, one in letters.items()})
            except DoesNotEvaluateError:
                continue
            if isinstance(value, Fraction):
                assert run(python(formula), letters) == pytest.approx(float(value), rel=1e-9), id_
                seen += 1
    assert seen > 1000


def test_sums_units_and_awkward_names() -> None:
    assert python(parse_formula("sum(i*x, (i, 1, N - 1))")) == "sum(i*x for i in range(1, N - 1 + 1))"
    assert run(python(parse_formula("sum(i*x, (i, 1, N - 1))")), {"x": 2, "N": 4}) == 12
    assert python(parse_formula("M < 95[GB] - 8,192")) == "M < 95000000000 - 8192"
    assert python(parse_formula("x*1.8e11 + 0.5[KiB]")) == "x*180000000000 + 512"
    assert python(parse_formula("-(a - b)^2/(c/d)")) == "-(a - b)**2/(c/d)"
    assert python(parse_formula("a <=> b")) == "a == b"
    assert python(Name("lambda")) == "lambda_"
    assert identifier("X_a,b+") == "X_a_b_"


def test_an_assignment_imports_what_it_calls() -> None:
    made = assignment("n", parse_formula("ceil(log2(N)/sqrt(p))"))
    assert made == "from math import ceil, log2, sqrt\nn = ceil(log2(N)/sqrt(p))"
    assert assignment("M_max", parse_formula("2*N")) == "M_max = 2*N"
