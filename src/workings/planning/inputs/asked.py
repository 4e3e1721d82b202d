"""The job that somebody asks for: a file with settings over it, or options in its place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from workings.errors import UserError
from workings.planning.inputs.given import tidy
from workings.planning.inputs.jobs import read_job
from workings.planning.inputs.options import job_from_options, with_limits
from workings.planning.job import Job, JobError

LIMITED = ("max_days", "max_cost", "min_mfu")  # options that stand over the [review] of a file


def job_asked(file: str | Path | None, settings: Mapping[str, str], options: Mapping[str, object]) -> Job:
    """The job of a file or of options, those that are None left out.

    Limits beside a file stand over those of its [review], and settings in the job's name, which the file
    chose without them. Raises JobError or ScenarioError.
    """
    return _named(_read(file, settings, options), file, settings)


def _named(job: Job, file: str | Path | None, settings: Mapping[str, str]) -> Job:
    """The job by the name that its file gave it, and what is changed."""
    if file is None or not settings:
        return job
    said = tidy(", ".join(f"{name} = {value}" for name, value in settings.items()))
    return replace(job, name=f"{job.name} (changed: {said})")


def _read(file: str | Path | None, settings: Mapping[str, str], options: Mapping[str, object]) -> Job:
    if not isinstance(file, str | Path | None):
        found = type(file).__name__
        raise JobError(f"job: found a {found}, expected the path of a TOML file or a scenario's name")
    given = {name: value for name, value in options.items() if value is not None}
    if file is None:
        if not given:
            raise JobError("found neither a job file nor options, expected one of them")
        return job_from_options(settings, **given)
    limits = {name: given.pop(name) for name in LIMITED if name in given}
    if given:
        spelled = ", ".join(f"--{name.replace('_', '-')}" for name in given)
        raise JobError(f"found {spelled} beside {file}, expected --set to change a job file")
    job = read_job(str(file), settings)
    return with_limits(job, limits) if limits else job


def reading(
    file: str | Path | None, settings: Mapping[str, str], options: Mapping[str, object]
) -> Callable[[Mapping[str, str]], Job]:
    """How the job is read with further settings put over it. Raises UserError for two of one name."""

    def read(more: Mapping[str, str]) -> Job:
        for name in more:
            if name in settings and settings[name] != more[name]:
                raise UserError(f"--set {name}: found it twice, expected one value for each name")
        return _named(_read(file, {**settings, **more}, options), file, settings)

    return read
