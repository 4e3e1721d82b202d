"""One number is fitted on one table; what the report prints is what the cost model says today."""

import re
import statistics
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from auditing.records import Record
from validating.evidence import runs
from validating.predicting import (
    FAR,
    FITTED_ON,
    Prediction,
    by_the_plan_alone,
    fitted,
    median_error,
    predict,
    predictions,
    worst_end,
)
from validating.published import read_table, tables
from validating.recording import NO_REASON, grouped, in_parts, ratios, shown, signed
from validation import FILE, text

from workings.planning.cost import plan

TIME, MEMORY = tables("time"), tables("memory")
FIT = next(table for table in TIME if table.id == FITTED_ON)

ONE = """
title = "One"
short = "one"
source = "here"
unit = "s"
ours = "T_step"
theirs = "published"
base = ["dense", "plain", "gpt", "megatron", "flash"]
hardware = "h100-sxm"
given = { L = 4, D = 256, H = 4, V = 1024, s = 128, n = 2, b = 8, b_m = 2 }
columns = ["name", "published"]
rows = [["a", 1], ["b", 2]]

[[open]]
rows = "a"
given = { b_m = 4 }
says = "another micro-batch"
"""


@cache
def eta() -> Fraction:
    return fitted(FIT)


@cache
def found() -> tuple[Prediction, ...]:
    """Every published step time."""
    return predictions(TIME, eta())


@cache
def held() -> tuple[Prediction, ...]:
    """Every published peak."""
    return predictions(MEMORY, eta())


@pytest.mark.slow
def test_half_of_the_fitted_rows_are_too_slow_and_half_too_fast() -> None:
    ratios = sorted(float(one.ours / one.theirs) for one in found() if one.table.id == FITTED_ON)
    assert len(ratios) == 10
    assert ratios[4] - 1e-3 <= 1 <= ratios[5] + 1e-3  # the fit has three digits
    assert ratios[4] * ratios[5] == pytest.approx(1, abs=2e-3)


def tables_shown() -> tuple[Record, ...]:
    return shown(found(), held(), found(), held(), (runs(found()), runs(held())))


def test_an_error_is_ours_over_theirs(tmp_path: Path) -> None:
    path = tmp_path / "one.toml"
    path.write_text(ONE, encoding="utf-8")
    table = read_table(path)
    a, b = (predict(table, row, {"eta": 0.5}) for row in table.rows)
    assert a.error + 1 == 2 * (b.error + 1)  # the same step, published as twice as long
    assert [len(one.ends) for one in (a, b)] == [1, 0]
    assert worst_end(a) == max(abs(a.error), abs(a.ends[0][1]))


def test_a_better_efficiency_makes_no_step_longer() -> None:
    row = FIT.rows[0]
    times = [predict(FIT, row, {"eta": eta}).ours for eta in (0.4, 0.6, 0.8)]
    assert times == sorted(times, reverse=True)


@pytest.mark.slow
def test_step_times_outside_the_fit_come_within_10_percent_in_the_median() -> None:
    assert median_error(one for one in found() if one.table.id != FITTED_ON) <= Fraction(1, 10)


def test_measured_memory_comes_within_5_percent_in_the_median_of_rows_and_of_sources() -> None:
    measured = [one for one in held() if not one.table.computed]
    of_each = [median_error(some) for some in grouped(measured).values()]
    assert median_error(measured) <= Fraction(5, 100)
    assert statistics.median(of_each) <= Fraction(5, 100)


def test_the_plan_alone_knows_nothing_of_a_source_but_its_layout_and_comes_within_5_percent() -> None:
    own = {statement.letter for statement in plan().statements}
    measured = [table for table in MEMORY if not table.computed]
    alone = [by_the_plan_alone(table) for table in measured]
    replaced = [own & {*table.given, *table.rows[0].given} for table in measured]
    assert any(replaced)
    assert not any(own & {*table.given, *table.rows[0].given} for table in alone)
    assert {table.ours.partition("/")[0] for table in alone} == {"M", "(M - M_ctx - M_comm)"}
    assert median_error(predictions(alone, eta())) <= Fraction(5, 100)


@pytest.mark.slow
def test_every_step_time_far_off_has_a_reason() -> None:
    assert [
        one.row.name for one in found() if abs(one.error) > FAR and not one.table.remark(one.row)
    ] == []
    cells = [cell for table in tables_shown() for row in table.rows for cell in row]
    assert NO_REASON not in cells


def test_a_long_table_is_cut_into_parts_that_keep_every_row() -> None:
    rows = tuple((str(i),) for i in range(7))
    parts = in_parts(Record("long", "Long", "l", ("n",), rows), 3)
    assert [part.name for part in parts] == ["long-1", "long-2", "long-3"]
    assert sum((part.rows for part in parts), ()) == rows
    assert parts[0].caption == "Long, part 1 of 3"
    assert in_parts(Record("short", "", "l", ("n",), rows), 7)[0].name == "short"


def test_a_figure_has_the_ratio_of_every_row_of_a_source_the_worst_source_first(tmp_path: Path) -> None:
    (tmp_path / "one.toml").write_text(ONE, encoding="utf-8")
    good = replace(read_table(tmp_path / "one.toml"), id="good", short="good")
    three = [Prediction(FIT, FIT.rows[0], Fraction(n), Fraction(4), {}) for n in (3, 1)]
    three.append(Prediction(good, good.rows[0], Fraction(9), Fraction(10), {}))
    assert ratios("r", "step times", three[::-1]).rows == (
        ("Megatron 1", "0.250 0.750"),
        ("good", "0.900"),
    )


def test_errors_have_a_sign() -> None:
    assert [signed(Fraction(n, 1000)) for n in (-123, 5, 0)] == ["-12.3", "+0.5", "+0.0"]


@pytest.mark.slow
def test_the_report_prints_what_the_cost_model_says() -> None:
    assert text() == FILE.read_text(encoding="utf-8"), (
        "run `python benchmarks/validation.py --write`, then `make report`"
    )


@pytest.mark.slow
def test_the_report_shows_every_table() -> None:
    named = re.findall(r":table: (\S+)", (FILE.parent / "source.md").read_text(encoding="utf-8"))
    assert sorted(named) == sorted(table.name for table in tables_shown())
