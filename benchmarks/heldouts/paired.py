"""Rows in pairs: how far off a step, or a peak, is where that of another run of its page is known."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from statistics import mean

from heldouts.evidence import scored_runs
from heldouts.groups import ALL
from heldouts.printing import table
from heldouts.rows import Row
from workings.planning.accuracy import Run, Spread, at_shares, of_memory, peaks, spread
from workings.planning.pairs import (
    after_a_step,
    as_many_bytes,
    as_many_times,
    order,
    pair_error,
    pairs,
)

_HEAD = ("", "rows", "sources", "median error", "before", "inside P10 to P90", "P90/P10")


def paired(rows: Sequence[Row]) -> str:
    """The tables of step times and of peaks, and how often the model has pairs in the right order."""
    times, sizes = scored_runs(rows)
    return "\n".join((
        "\nStep time, where that of another run of the same model and page is known:\n",
        _table(times, as_many_times, _after_a_step),
        "\nPeak memory, likewise:\n",
        _table(sizes, as_many_bytes, _after_a_peak),
        *_ordered(times),
    ))  # fmt: skip


def _table(
    runs: tuple[Run, ...], after: Callable[[Run, Run], Fraction], odds: Callable[[Run], Spread | None]
) -> str:
    lines = []
    found, before = pairs(runs, after), {(run.page, run.name): run for run in runs}
    named: dict[str, list[Run]] = {ALL: list(found)}
    for run in found:
        named.setdefault(f"{run.generation}, {run.precision}", []).append(run)
    for name, some in sorted(named.items()):
        was = [before[run.page, run.name] for run in some]
        told = [(run, ends) for run in some if (ends := odds(run))]
        inside = _alike([(run, float(ends.least <= run.ratio <= ends.most)) for run, ends in told])
        width = _alike([(run, float(ends.most / ends.least)) for run, ends in told])
        lines.append((name, str(len(some)), str(len({run.source for run in some})), _off(some), _off(was),
                      f"{100 * inside:.0f} %", f"{width:.2f}"))  # fmt: skip
    return table(_HEAD, lines)


def _alike(numbers: Sequence[tuple[Run, float]]) -> float:
    """The mean over sources of a source's mean; of none no number."""
    of = defaultdict[str, list[float]](list)
    for run, number in numbers:
        of[run.source].append(number)
    return mean(map(mean, of.values())) if of else float("nan")


def _off(runs: Sequence[Run]) -> str:
    """The median size of errors, each source alike."""
    sizes = [replace(run, ratio=abs(run.error)) for run in runs]
    return f"{float(at_shares(sizes, [Fraction(1, 2)])[0]) * 100:.1f} %"


def _after_a_step(run: Run) -> Spread | None:
    return spread(after_a_step((run.generation, run.precision), run.values, run.program))


def _after_a_peak(run: Run) -> Spread | None:
    found = pairs(peaks(), as_many_bytes)
    return spread(of_memory(found, run.generation, run.precision, run.program))


def _ordered(times: tuple[Run, ...]) -> Iterator[str]:
    for apart in (Fraction(0), pair_error(), 2 * pair_error()):
        found = order(times, apart)
        yield (
            f"\nPairs on as many devices, by the model more than {float(apart) * 100:.1f} % apart: "
            f"{found.pairs} of {found.sources} sources, {float(found.share) * 100:.0f} % in the right "
            "order."
        )
