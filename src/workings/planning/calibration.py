"""Measurements of a run put back into its plan: predicted against measured, and one efficiency fitted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

from workings.planning.calibrating.fitting import FITTED, Fit, fitted
from workings.planning.calibrating.measured import Measured
from workings.planning.calibrating.memory import Peak, peak
from workings.planning.exact_layouts import ExactLayouts
from workings.planning.inputs.assumptions import ASSUMABLE
from workings.planning.inputs.efficiencies import reached, settled
from workings.planning.inputs.results import RESULTS, has_a_count
from workings.planning.inputs.tiers import LINKS, hold_figure
from workings.planning.job import Figure, Job, JobError, Results
from workings.planning.letters import ASSUMED
from workings.planning.statement import Plan
from workings.planning.utilization import OF_COUNT, recounted
from workings.planning.working import shown
from workings.units import SECOND

Read: TypeAlias = Callable[[Mapping[str, str]], Job]  # a job with settings put over it
TARGETS = ("step_time", "tokens_per_second")  # what is fitted to: the first of them that was measured
USUAL = "matmul_efficiency"


@dataclass(frozen=True, slots=True)
class Compared:
    """A result as measured and as predicted.

    By the job as it was, with the measured assumptions, and with what was fitted.
    """

    name: str
    measured: Fraction
    before: Fraction
    replaced: Fraction
    fitted: Fraction | None

    def error(self, predicted: Fraction) -> Fraction:
        """By what share of the measured value a prediction is too high."""
        return predicted / self.measured - 1


@dataclass(frozen=True)
class Calibration:
    """A job with what was measured in place of what was assumed.

    `replaced` are the figures that were, and those that were measured; `remark` says why nothing was
    fitted; `peak` is the memory, if that was measured.
    """

    job: Job
    measured: Measured
    compared: tuple[Compared, ...]
    replaced: tuple[tuple[Figure, Figure], ...]
    fit: Fit | None
    remark: str
    peak: Peak | None = None

    @property
    def step_time(self) -> Fraction | None:
        """The step time that was measured, or follows from the tokens a second that were."""
        found = _target(self.job, self.measured)
        return None if found is None else found[1]

    @property
    def explained(self) -> bool:
        """Whether some efficiency gives the step time, and the plan's worst case holds the peak."""
        unfitted = self.fit is not None and self.fit.value is None
        return not unfitted and (self.peak is None or self.peak.where != "above")


def calibrate(read: Read, measured: Measured, plan: Plan, fit: str | None = None) -> Calibration:
    """Replace what was measured, fit one efficiency to the step time, share out the peak of memory.

    `fit` names the efficiency: matmul_efficiency, where nothing is said. Raises JobError.
    """
    was = read({})
    if not was.chosen:
        raise JobError(f"{was.name}: found no layout, expected the one that was measured in [launch]: "
                       "tp, pp, virtual_stages and so on")  # fmt: skip
    for letter in measured.figures.keys() & set(LINKS.values()):
        hold_figure(measured.figures[letter], was.figures[letter])
    counts = () if measured.counts is None else (measured.counts,)
    given = Results({RESULTS[n][0]: v for n, v in measured.results.items()}, counts=counts)
    has_a_count(was, given, measured.file, "counts")
    job = _job(read, measured)
    found, remark = _fit(read, measured, plan, job, fit)
    last = job
    if found is not None and found.value is not None:
        last = _fitted_job(read, measured, found, found.value)
    held = None
    if "peak_memory" in measured.results:
        held = peak(last, plan, measured.results["peak_memory"], measured.file)
        last = replace(last, figures={**last.figures, **held.accounts})
    compared = []
    for name, value in measured.results.items():
        letter = RESULTS[name][0]
        share = measured.counts if letter in OF_COUNT else None
        before, now, then = (recounted(plan, at.values(), letter, share) for at in (was, job, last))
        compared.append(Compared(name, value, before, now, None if last is job else then))
    replaced = tuple((was.figures[letter], new) for letter, new in measured.figures.items())
    return Calibration(last, measured, tuple(compared), replaced, found, remark, held)


def _job(read: Read, measured: Measured, over: Mapping[str, str] | None = None) -> Job:
    """The job with what was measured, and more settings. Read anew, so that what follows follows."""
    settings = {
        name: _text(measured.figures[ASSUMABLE[name]]) for name in measured.tables
        if ASSUMABLE[name] in ASSUMED
    }  # fmt: skip
    job = read({**settings, **(over or {})})
    figures = {**job.figures, **measured.figures}
    links = set(LINKS.values()) & measured.figures.keys()
    shares = settled(figures, links)
    figures |= {n: figure for n, figure in shares.items() if figures[n].kind == "assumed"}
    return replace(job, figures={**figures, **reached(figures, links, figures)})


def _text(figure: Figure) -> str:
    """A value as a setting in base units; a share of few digits exactly."""
    unit = str(figure.dimension)
    number = decimal(figure.value)
    return number if unit == "1" else f"{number} {unit}"


def decimal(value: Fraction) -> str:
    """A number as digits, to 20 places if it has more."""
    whole = f"{round(value * 10**20):021d}"
    return f"{whole[:-20]}.{whole[-20:]}".rstrip("0").rstrip(".")


def _value(plan: Plan, job: Job, letter: str) -> Fraction:
    return ExactLayouts(plan, job.values(), (letter,)).at({})[letter]


def _fit(
    read: Read, measured: Measured, plan: Plan, job: Job, name: str | None
) -> tuple[Fit | None, str]:
    """What was fitted, or why nothing was. Raises JobError where what is asked for cannot be."""
    wanted = name or USUAL
    if wanted not in FITTED:
        raise JobError(f"--fit: found {wanted!r:.60}, expected one of {', '.join(FITTED)}")
    found = _target(job, measured)
    why = ""
    if found is None:
        why = f"{measured.file}: found neither of {' and '.join(TARGETS)} to fit {wanted} to"
    elif wanted in measured.tables:
        why = f"{measured.file}: found {wanted} measured, so it is not fitted; --fit names another"
    if found is None or why:
        if name is not None:
            raise JobError(f"{why}, expected one")
        return None, why
    target, time = found

    def step_time(value: Fraction) -> Fraction:
        return _value(plan, _job(read, measured, {wanted: decimal(value)}), "T_step")

    return fitted(wanted, target, time, job.figures[ASSUMABLE[wanted]], step_time), ""


def _target(job: Job, measured: Measured) -> tuple[str, Fraction] | None:
    """The first of the targets that was measured, and the step time by it."""
    target = next((one for one in TARGETS if one in measured.results), None)
    if target is None:
        return None
    found = measured.results[target]
    return target, job.values()["b"] * job.values()["s"] / found if target == TARGETS[1] else found


def _fitted_job(read: Read, measured: Measured, fit: Fit, value: Fraction) -> Job:
    """The job with the fitted value, which counts as measured."""
    job = _job(read, measured, {fit.name: decimal(value)})
    letter = ASSUMABLE[fit.name]
    figure = replace(
        job.figures[letter], value=value, kind="measured", low=None, high=None,
        source=fit_source(fit, measured),
    )  # fmt: skip
    return replace(job, figures={**job.figures, letter: figure})


def fit_source(fit: Fit, measured: Measured) -> str:
    """Where a fitted value comes from."""
    return f"fitted to {fit.target} in {measured.file}: {shown(fit.time, SECOND)} a step"
