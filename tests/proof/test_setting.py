"""What a proof may assume, and the points it is probed at."""

from dataclasses import replace
from fractions import Fraction

import pytest

from workings.formula import FormulaError, Relations
from workings.proof import Divides, Letter, Opaque, Setting, parse_given
from workings.proof.setting import given_holds
from workings.units import BYTE, ONE
from workings.vocabulary.concept import Domain

WHOLE = Letter(ONE, Domain.POSITIVE_INTEGER)
REAL = Letter(BYTE, Domain.POSITIVE)
FROM_ZERO = Letter(BYTE, Domain.NONNEGATIVE)
PART = Letter(ONE, Domain.PART)


def test_points_are_awkward_ones_first_and_the_same_every_time() -> None:
    setting = Setting({"N": WHOLE, "S": REAL, "A": FROM_ZERO})
    points = list(setting.points(64))
    assert points == list(setting.points(64)) == list(replace(setting).points(64))
    assert points[0] == {"N": 1, "S": 1, "A": 1}
    assert any(p["A"] == 0 for p in points)
    assert any(p["S"] < 1 < p["N"] for p in points)  # type: ignore[operator]
    assert {p["N"] for p in points} >= {1, 2, 3, 5, 7, 11, 13}


def test_points_stay_in_the_domain_of_each_letter() -> None:
    for point in Setting({"N": WHOLE, "S": REAL, "A": FROM_ZERO}).points(100):
        values = {name: Fraction(str(value)) for name, value in point.items()}
        assert values["N"].denominator == 1
        assert values["N"] >= 1
        assert values["S"] > 0
        assert values["A"] >= 0


def test_a_part_of_a_whole_is_probed_from_nothing_to_all() -> None:
    parts = [Fraction(str(point["x"])) for point in Setting({"x": PART}).points(60)]
    assert min(parts) == 0
    assert max(parts) == 1
    assert len(set(parts)) > 4


def test_points_obey_every_condition() -> None:
    conditions = ("p divides m", "2*p*v divides L", "p*v divides s*t", "M > A/2")
    given = tuple(parse_given(text) for text in conditions)
    letters = dict.fromkeys("pmvLst", WHOLE) | {"M": REAL, "A": FROM_ZERO}
    points = list(Setting(letters, {}, given).points(40))
    assert len(points) == 40
    for point in points:
        v = {name: Fraction(str(value)) for name, value in point.items()}
        assert v["m"] % v["p"] == v["L"] % (2 * v["p"] * v["v"]) == 0
        assert v["s"] * v["t"] % (v["p"] * v["v"]) == 0
        assert v["M"] > v["A"] / 2


def test_used_results_are_evaluated_at_every_point() -> None:
    square = Opaque(lambda v: v["N"] * v["N"], lambda: None, ONE)  # type: ignore[operator,arg-type,return-value]
    for point in Setting({"N": WHOLE}, {"Q": square}).points(10):
        assert point["Q"] == point["N"] ** 2  # type: ignore[operator]


@pytest.mark.parametrize(
    ("text", "values", "true"),
    [
        ("p divides m", {"p": 3, "m": 12}, True),
        ("p divides m", {"p": 5, "m": 12}, False),
        ("4 divides m", {"m": 12}, True),
        ("8 divides m", {"m": 12}, False),
        ("m > p", {"p": 3, "m": 12}, True),
        ("p*v divides L", {"p": 2, "v": 4, "L": 12}, False),
        ("p*v divides L", {"p": 2, "v": 3, "L": 12}, True),
        ("2*c divides t*s", {"c": 3, "t": 3, "s": 4}, True),
        ("2*c divides t*s", {"c": 3, "t": 1, "s": 4}, False),
        ("m < p", {"p": 3, "m": 12}, False),
        ("0 < p < m", {"p": 3, "m": 12}, True),
    ],
)
def test_conditions_hold_or_not(text: str, values: dict[str, int], true: bool) -> None:
    point = {name: Fraction(value) for name, value in values.items()}
    assert given_holds(parse_given(text), point) is true


def test_conditions_are_read_as_relations_or_divisibility() -> None:
    assert isinstance(parse_given("2 divides L"), Divides)
    assert str(parse_given("p divides m")) == "p divides m"
    assert str(parse_given("p * v divides L")) == "p*v divides L"
    assert isinstance(parse_given("M_max > A/2"), Relations)


@pytest.mark.parametrize(
    "text",
    ["a + b", "a divides b divides c", "a + 1 divides b", "a/2 divides b", "a ≈ b", "a <=> b", "", "a >"],
)
def test_what_is_no_condition_is_refused(text: str) -> None:
    with pytest.raises(FormulaError):
        parse_given(text)
