"""What a review says of the model's errors is what the validation found."""

import tomllib
from fractions import Fraction
from pathlib import Path

from workings.planning import accuracy

MEASURED = Path(__file__).parents[2] / "reports" / "validation" / "measured.toml"


def rows() -> dict[str, tuple[str, str]]:
    table = tomllib.loads(MEASURED.read_text(encoding="utf-8"))["together"]
    return {row[0]: (row[1], row[2]) for row in table["rows"]}


def test_the_median_error_and_the_runs_are_those_measured() -> None:
    found = rows()
    error, runs = found["median error of all other step times"]
    assert Fraction(error) / 100 == accuracy.MEDIAN_ERROR
    assert int(runs) == accuracy.RUNS
    default, _ = found["the same, with the planner's efficiency of attention for every kernel"]
    assert Fraction(default) / 100 == accuracy.MEDIAN_WITH_DEFAULTS
    near, measured = found["measured within 5 %"]
    assert (int(near), int(measured)) == (accuracy.MEMORIES_WITHIN_5, accuracy.MEMORIES)


def test_eight_of_ten_published_figures_lie_where_reviews_say() -> None:
    table = tomllib.loads(MEASURED.read_text(encoding="utf-8"))["spread"]
    found = [tuple(map(Fraction, row[1:4])) for row in table["rows"]]
    assert found == [
        accuracy.STEP_SPREAD, accuracy.EXPERTS_SPREAD, accuracy.SHARDED_SPREAD, accuracy.MEMORY_SPREAD,
    ]  # fmt: skip


def test_what_runs_had_and_the_errors_there_are_those_measured() -> None:
    table = tomllib.loads(MEASURED.read_text(encoding="utf-8"))["axes"]
    said = {one.name: one for one in accuracy.EVIDENCE}
    assert [row[0] for row in table["rows"]] == list(said)
    for name, count, median, signed in table["rows"]:
        assert int(count) == said[name].rows
        if count != "0":
            assert Fraction(median) / 100 == said[name].median
            assert Fraction(signed) / 100 == said[name].signed
