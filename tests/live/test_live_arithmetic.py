"""What JavaScript evaluates and prints is what Python does, text for text."""

from fractions import Fraction
from random import Random

import pytest
from live_vectors import (
    COMPOUND,
    VALUES,
    Told,
    differing,
    formulas,
    json_value,
    outcome,
    relations,
    shown_json,
    tree,
)

from workings.formula import evaluate, holds, parse_expression
from workings.formula.readings.javascript import PRECISION, expression
from workings.units import UNITS, Format, parse_unit, show, show_beside
from workings.values.javascript import style_json

MANY = [pytest.param(100, id="few"), pytest.param(4_000, id="all", marks=pytest.mark.slow)]
STYLES = [Format(digits=digits) for digits in (1, 2, 3, 4, 5, 6, 9, 12)]
STYLES += [Format(digits=4, decimals=decimals) for decimals in (0, 1, 2, 3, 6)]


@pytest.mark.parametrize("count", MANY)
def test_formulas_have_the_same_value_or_the_same_error(told: Told, count: int) -> None:
    made = list(formulas(count, tree))
    cases = [[expression(node), {n: json_value(v) for n, v in at.items()}] for node, at in made]
    wanted = [outcome(lambda: json_value(evaluate(node, at))) for node, at in made]  # noqa: B023 - called here
    found = told("evaluate", cases)
    assert differing(cases, wanted, found) == []
    alike = [want == got for want, got in zip(wanted, found, strict=True) if "interval" in want]
    assert alike.count(False) <= len(alike) // 50  # bounds that differ in their last bit are rare
    intervals, errors = (sum(kind in want for want in wanted) for kind in ("interval", "error"))
    assert min(intervals, errors, count - intervals - errors) > count // 10


@pytest.mark.parametrize("count", MANY)
def test_relations_are_true_false_or_undecided_alike(told: Told, count: int) -> None:
    made = list(formulas(count // 4, relations))
    cases = [[expression(node), {n: json_value(v) for n, v in at.items()}] for node, at in made]
    wanted = [outcome(lambda: holds(node, at)) for node, at in made]  # noqa: B023 - called here
    assert differing(cases, wanted, told("holds", cases)) == []
    assert any(want is True for want in wanted)
    assert any(want is False for want in wanted)


EDGES = (
    *("0", "1", "10", "12.50", "0.5", "1.5", "2.5", "0.25", "9.9995", "999.94", "999.95", "999.96"),
    *("0.0001", "0.00009999", "0.00009995", "0.00099995", "1e-9", "999949999999", "999999999999.5"),
    *("1e12", "1.44e16", "1e17", "999999999999999999", "1e18", "1e21"),
)


# What an interval decides or not; limits; and where a series needs more bits: near 1, near 0 and far out.
DECIDED = """
ceil(sqrt(2)*sqrt(2)); floor(2*log2(2^0.5)); max(sqrt(2), 2/sqrt(2)); 1/(sqrt(2)*sqrt(2) - 2)
sqrt(sqrt(2)*sqrt(2) - 2); log2(sqrt(2)*sqrt(2) - 2); (8/27)^(-2/3); 0^(1/3); 1^(1/1000000007)
2^(1/1000000007); (-8)^(1/3); 0^(-1/3); sqrt(10^300 + 1); sqrt(10^300); ceil(log2(2^70 + 1))
floor(log2(2^70 - 1)); log2(1/1024); 2^sqrt(2); sqrt(2)^12; sqrt(2)^-3; 2^4096; 2^4097
3^(-2584); (1/3)^2586; 2^4097.5; 1.5^(2^0.5*4000); (-2)^3; (-2)^-3; sum(1/i, (i, 1, 2000))
sum(1/i, (i, 1, 4000)); sum(i^2, (i, 1, 2000)); sum(i, (i, 5, 4)); sum(i, (i, 1, 500001))
sum(i, (i, 0, 0.5)); sum(sqrt(i), (i, 1, 20)); max(3, 7/2, sqrt(13))
2^(0*sqrt(2)); floor(2^(0*sqrt(2))); log2(0*sqrt(2) + 1); floor(log2(0*sqrt(2) + 1))
2^2049; 2^2050; (1/3)^2049; (1/3)^2050; 7^1366; 7^1367; 2^2047.3; 2^2048.3; 0.9^4095.3; 0.9^4096.3
sqrt(2)^2048; sqrt(2)^2049; sqrt(2)^4096; sqrt(2)^4097; sqrt(5)^1366; sqrt(5)^2048; sqrt(5)^-9
(0*sqrt(2))^2; (0*sqrt(2))^-2; (-sqrt(2))^3; (-sqrt(2))^4; (-sqrt(2))^-3; (-sqrt(2))^0.5
sum(i + 1, (i, 1, 333334)); sum(i, (i, 1, 1000001))
1/(-sqrt(2)); (sqrt(2) - 2)/(-sqrt(3)); 0*sqrt(2)/sqrt(3); (sqrt(5) - 2)/(sqrt(2) - 2)
log2(1 + 1e-30); log2(1 - 1e-50); log2(1e300 + 1/3); log2(1e-300*7); 2^(sqrt(2)*1e-40) - 1
(1 + 1e-30)^(1/3) - 1; 2^(2000*sqrt(2)); 2^(-2000*sqrt(2)); 1.0001^(1000/3); 0.9999^(1000/3)
""".strip()


def test_what_is_decided_and_what_is_not_is_the_same(told: Told) -> None:
    texts = DECIDED.replace("\n", "; ").split("; ")
    nodes = [parse_expression(text) for text in texts]
    wanted = [outcome(lambda: json_value(evaluate(node, {}))) for node in nodes]  # noqa: B023 - called here
    assert differing(texts, wanted, told("evaluate", [[expression(node), {}] for node in nodes])) == []


def amounts(count: int) -> list[Fraction]:
    """Edges of rounding and of the forms of a number, what is next to them, then random ones."""
    random = Random(4)  # noqa: S311 - a fixed sequence of cases, not a secret
    edges = [Fraction(text) for text in EDGES]
    edges += [edge + step for edge in edges for step in (Fraction(1, 10**30), -Fraction(1, 10**30))]
    edges += list(VALUES)
    while len(edges) < count:
        size = Fraction(10) ** random.randint(-14, 26)
        edges.append(Fraction(random.randint(1, 10**6), random.choice((1, 2, 3, 7, 1000, 999983))) * size)
    chosen = edges if count > len(edges) else random.sample(edges, count)
    return [amount * random.choice((1, 1, -1)) for amount in chosen]


@pytest.mark.parametrize("count", MANY)
def test_numbers_are_printed_alike(told: Told, count: int) -> None:
    random = Random(5)  # noqa: S311 - a fixed sequence of cases, not a secret
    units = [parse_unit(text) for text in ("1", "1", "1", *UNITS, *COMPOUND)]
    made = [(a, random.choice(units), random.choice(STYLES)) for a in amounts(count)]
    made += [(a * unit.scale, unit, style) for a, unit, style in made]
    cases = [[str(value), unit.text, style_json(style)] for value, unit, style in made]
    wanted = [shown_json(show(value, unit, style)) for value, unit, style in made]
    assert differing(cases, wanted, told("show", cases)) == []


@pytest.mark.parametrize("count", MANY)
def test_numbers_beside_a_limit_are_printed_alike(told: Told, count: int) -> None:
    random = Random(6)  # noqa: S311 - a fixed sequence of cases, not a secret
    units = [parse_unit(text) for text in ("1", "GB", "GiB", "s", "ms", "TFLOP/s")]
    made = []
    for amount in amounts(count // 4):
        unit, nearly = (
            random.choice(units),
            1 + Fraction(random.choice((-1, 0, 1)), 10 ** random.randint(1, 22)),
        )
        made.append((amount * unit.scale, amount * unit.scale * nearly, unit, random.choice(STYLES)))
    cases = [[str(value), str(limit), unit.text, style_json(style)] for value, limit, unit, style in made]
    wanted = [shown_json(show_beside(*one)) for one in made]
    assert differing(cases, wanted, told("beside", cases)) == []


def test_a_style_chooses_the_same_unit_for_a_dimension(told: Told) -> None:
    units = [parse_unit(text) for text in ("1", *UNITS, *COMPOUND)]
    styles = [Format(), Format(units=("GiB", "ms", "byte/s")), Format(units=())]
    made = [(unit.dimension, style) for unit in units for style in styles]
    cases = [[str(dimension), style_json(style)] for dimension, style in made]
    wanted = [style.unit_for(dimension).text for dimension, style in made]
    assert differing(cases, wanted, told("unitFor", cases)) == []


def test_both_languages_keep_as_many_bits_of_a_bound() -> None:
    from mpmath import iv

    iv.dps = 60
    assert iv.prec == PRECISION
