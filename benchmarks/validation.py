"""Predicted step times and memory beside published ones.

    python benchmarks/validation.py            the figures
    python benchmarks/validation.py --write    the same figures, kept in reports/validation/, and the runs
                                               that reviews cite, in src/workings/planning/evidence.json

The published tables are in benchmarks/validation/, each row with the letters it was measured at. One
number is fitted, the efficiency of matrix products, on one table; other assumptions are the planner's.
"""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path

from auditing.records import Record, written
from heldouts.evidence import scored_runs
from validating.evidence import default, kept
from validating.predicting import FITTED_ON, by_the_plan_alone, fitted, predictions
from validating.published import Raw, tables
from validating.recording import shown, told_of

from workings.planning.accuracy import Run
from workings.planning.usual import ATTENTION

EVIDENCE = Path(__file__).parents[1] / "src" / "workings" / "planning" / "evidence.json"
FILE = Path(__file__).parents[1] / "reports" / "validation" / "measured.toml"


def efficiency() -> Fraction:
    """The efficiency fitted today."""
    return next(fitted(table) for table in tables("time") if table.id == FITTED_ON)


def measured() -> tuple[Record, ...]:
    """The tables of the report."""
    eta = efficiency()
    alike: Raw = {"eta_a": str(ATTENTION[0])}
    time, memory = tables("time"), tables("memory")
    alone = [by_the_plan_alone(table) for table in memory if not table.computed]
    return shown(
        predictions(time, eta),
        predictions(memory, eta),
        predictions(time, eta, alike),
        predictions(alone, eta),
        cited(),
    )


def text() -> str:
    """The file of the report."""
    return written(measured(), "python benchmarks/validation.py --write")


def cited() -> tuple[tuple[Run, ...], tuple[Run, ...]]:
    """The step times and peaks that reviews cite, each beside what a plan says with its defaults."""
    time, memory = (
        [one for table in tables(kind) for one in predictions([table], default(table))]
        for kind in ("time", "memory")
    )
    (times, peaks), (more_times, more_peaks) = told_of(time, memory), scored_runs()
    return (*times, *more_times), (*peaks, *more_peaks)


def evidence() -> str:
    """The file of the runs that reviews cite."""
    return kept(*cited())


def main() -> None:
    """Print the figures, or keep them."""
    if "--write" in sys.argv[1:]:
        FILE.parent.mkdir(exist_ok=True)
        FILE.write_text(text(), encoding="utf-8")
        EVIDENCE.write_text(evidence(), encoding="utf-8")
        return
    for table in measured():
        print(f"\n{table.caption}")
        for row in (table.head, *table.rows):
            print("  ".join(row))


if __name__ == "__main__":
    main()
