"""What products reach of a device's peak, fitted to published runs by generation and precision.

    python benchmarks/efficiencies.py          the numbers, as src/workings/planning/usual.py holds them

The runs are those of benchmarks/validation, each with all that its source says of it, and the rows of
benchmarks/heldout that have been scored once, each as a user would write it. A source counts once, but
where there are fewer than four.
"""

from __future__ import annotations

import math
import statistics
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from heldouts.jobs import job
from heldouts.published import step
from heldouts.rows import RefusedError, every_row, source
from validating.evidence import PRECISION
from validating.letters import letters_of
from validating.predicting import predict
from validating.published import Row, Table, author, tables

from workings.errors import UserError
from workings.formula import DoesNotEvaluateError
from workings.planning.cost import plan
from workings.planning.exact import exactly
from workings.planning.generations import generation
from workings.planning.job import Job
from workings.planning.precision import narrower, timed_at
from workings.planning.usual import ATTENTION, ENOUGH, Usual
from workings.scenario.presets import read_preset

LEAST, MOST = 0.1, 1.5
FEW, ALONE = 3, 12  # sources, and runs from which on fewer sources are taken
HIGHEST = 0.95  # of a peak, which nothing reaches whole
WIDE = (Fraction(7, 5), Fraction(11, 20))  # times the middle, where few sources are known
Group = tuple[str, str]
Off = Callable[[float], float]


@dataclass(frozen=True)
class Run:
    """A published run: its source, and the logarithm of published over predicted at an efficiency."""

    source: str
    off: Off


def groups() -> Mapping[Group, Sequence[Run]]:
    """Every run by its device's generation and its precision."""
    found: defaultdict[Group, list[Run]] = defaultdict(list)
    for group, run in (*_of_tables(), *_of_rows()):
        found[group].append(run)
    return found


def _of_tables() -> Iterator[tuple[Group, Run]]:
    for table in tables("time"):
        name = str(read_preset("hardware", table.hardware)["name"])
        bits = PRECISION[int(letters_of(table, table.rows[0])["a"])]
        for row in table.rows:
            yield (generation(name), bits), Run(author(table), _by_row(table, row))


def _by_row(table: Table, row: Row) -> Off:
    def off(eta: float) -> float:
        return -math.log(float(predict(table, row, {"eta": str(eta)}).error + 1))

    return off


def _of_rows() -> Iterator[tuple[Group, Run]]:
    for row in every_row():
        try:
            read, published = job(row), step(row).seconds
            exactly(plan(), read.values(), {"T_step"})
        except (RefusedError, UserError, DoesNotEvaluateError):
            continue
        bits = timed_at(read.device, read.figures["C"].value, read.figures["a"].value)
        yield (generation(read.device), bits), Run(source(row), _by_job(read, published))


def _by_job(read: Job, published: float) -> Off:
    def off(eta: float) -> float:
        values = {**read.values(), "eta": Fraction(eta).limit_denominator(10_000),
                  "eta_a": ATTENTION[0] * narrower(read.device, read.figures["C"].value)}  # fmt: skip
        return math.log(published / float(exactly(plan(), values, {"T_step"})["T_step"]))

    return off


def fitted(runs: Sequence[Run]) -> Usual:
    """The efficiency at which sources are in the median neither too fast nor too slow, and its range."""
    sources = len({run.source for run in runs})
    middle = _where(runs, 0.5)
    if sources >= ENOUGH:
        best, worst = _where(runs, 0.1), _where(runs, 0.9)
    else:
        best, worst = (middle * float(way) for way in WIDE)
    return Usual(f"{middle:.2f}", f"{min(best, HIGHEST):.2f}", f"{worst:.2f}", len(runs), sources)


def _where(runs: Sequence[Run], quantile: float) -> float:
    """The efficiency at which this quantile of the sources' medians is 0: they rise with it."""
    low, high = LEAST, MOST
    while high - low > 0.002:
        middle = (low + high) / 2
        if _quantile(_medians(runs, middle), quantile) > 0:
            high = middle
        else:
            low = middle
    return (low + high) / 2


def _medians(runs: Sequence[Run], eta: float) -> list[float]:
    """A median for each source; of few sources every run, lest one row weigh like all of a page."""
    by_source: defaultdict[str, list[float]] = defaultdict(list)
    if len({run.source for run in runs}) < ENOUGH:
        return sorted(run.off(eta) for run in runs)
    for run in runs:
        by_source[run.source].append(run.off(eta))
    return sorted(map(statistics.median, by_source.values()))


def _quantile(ordered: Sequence[float], quantile: float) -> float:
    """Of some in ascending order, between the two that it lies between."""
    place = quantile * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def main() -> None:
    """Print the table."""
    for (device, bits), runs in sorted(groups().items()):
        found = fitted(runs)
        if found.sources < FEW and found.runs < ALONE:
            continue
        if float(found.value) > HIGHEST:  # not products, but what the model has too slow, bounds its runs
            continue
        print(f'    ("{device}", "{bits}"): Usual{tuple(found)!r},'.replace("'", '"'))
        if "--sources" in sys.argv[1:]:
            names = sorted({run.source for run in runs})
            print("       ", ", ".join(names))


if __name__ == "__main__":
    main()
