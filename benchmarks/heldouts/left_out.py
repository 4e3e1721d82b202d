"""How often a source that is left out lies from P10 to P90 of the others, as reviews state them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache, partial
from math import exp, log
from statistics import mean, median

from workings.planning.accuracy import (
    MODEL,
    Run,
    Spread,
    alike,
    at_shares,
    kind,
    of_kind,
    of_memory,
    peaks,
    spread,
    step_times,
)
from workings.planning.precedents import LAYOUT, of_model

SIZES = (*MODEL, "F", "F_E")  # by which a model is the same


def inside() -> dict[str, float]:
    """The share of step times and of peaks, the mean over sources of a source's mean."""
    return {"T_step": _share(step_times(), _of_steps), "M": _share(peaks(), _of_peaks)}


def by_its_model() -> dict[str, float]:
    """How far off the middle of others' runs of the same model is, and that of all runs of its kind.

    Of step times for whose model another source has runs on such devices, each source counting alike.
    """
    found: dict[str, dict[str, list[float]]] = {"of its model": {}, "of its kind": {}}
    middle = cache(lambda runs: float(at_shares(runs, [Fraction(1, 2)])[0]))
    for run in step_times():
        others = [other for other in alike(step_times(), run.generation, run.precision)
                  if other.source != run.source]  # fmt: skip
        own = tuple(other for other in others if all(other.values[n] == run.values[n] for n in SIZES))
        for name, some in (("of its model", own), ("of its kind", _of_steps(others, run))):
            if own:
                off = abs(log(float(run.ratio) / middle(tuple(some))))
                found[name].setdefault(run.source, []).append(off)
    return {name: exp(median(map(median, of.values()))) - 1 for name, of in found.items()}


def by_its_layout() -> dict[str, float]:
    """How far a step is from what others' fastest MFU in its layout makes of it, its P50, and half-way.

    Of step times for whose model, length and layout on as many devices another source has runs, each
    source counting alike.
    """
    found: dict[str, dict[str, list[float]]] = {"as published": {}, "its P50": {}, "half-way": {}}
    middle = cache(lambda runs: float(at_shares(runs, [Fraction(1, 2)])[0]))
    for run in (run for run in step_times() if run.mfu):
        others = [other for other in alike(step_times(), run.generation, run.precision)
                  if other.source != run.source]  # fmt: skip
        own = (other for other in of_model(run.values, others) if other.mfu)
        same = [
            other.mfu for other in own if all(other.values[n] == run.values[n] for n in (*LAYOUT, "s"))
        ]
        if not same:
            continue
        published = log(run.mfu / max(same))  # a step at that MFU over this run's
        p50 = log(middle(_of_steps(others, run)) / float(run.ratio))
        half = (p50 + published) / 2
        for name, off in (("as published", published), ("its P50", p50), ("half-way", half)):
            found[name].setdefault(run.source, []).append(abs(off))
    return {name: exp(median(map(median, of.values()))) - 1 for name, of in found.items()}


def _share(runs: tuple[Run, ...], told: Callable[[Sequence[Run], Run], tuple[Run, ...]]) -> float:
    of = defaultdict[str, list[float]](list)
    ends = cache(partial(_ends, runs, told))
    for run in runs:
        known = ends(run.source, run.generation, run.precision, run.program, kind(run.values))
        if known is not None:
            of[run.source].append(float(known.least <= run.ratio <= known.most))
    return mean(map(mean, of.values()))


def _ends(
    runs: Sequence[Run], told: Callable[[Sequence[Run], Run], tuple[Run, ...]], source: str, *about: str
) -> Spread | None:
    """P10 to P90 for runs of a source about which all is alike, by the runs of others."""
    like = next(run for run in runs if run.source == source and _about(run) == about)
    return spread(told([run for run in runs if run.source != source], like))


def _about(run: Run) -> tuple[str, ...]:
    return run.generation, run.precision, run.program, kind(run.values)


def _of_steps(others: Sequence[Run], run: Run) -> tuple[Run, ...]:
    return of_kind(alike(others, run.generation, run.precision), run.values, run.program)


def _of_peaks(others: Sequence[Run], run: Run) -> tuple[Run, ...]:
    return of_memory(others, run.generation, run.precision, run.program)
