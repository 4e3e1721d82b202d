"""A job from the options of a command line: one line instead of a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from workings.planning.inputs.given import Reader
from workings.planning.inputs.jobs import job_of
from workings.planning.inputs.reviews import review_of
from workings.planning.inputs.settings import plain, settings_of
from workings.planning.job import Job, JobError

_OPTIONS = {
    "model.hf": "--hf", "model.preset": "--model", "cluster.hardware": "--gpu",
    "cluster.devices": "--gpus", "cluster.node_devices": "--per-node", "cluster.price": "--price",
    "launch.sequence_length": "--seq", "launch.batch": "--global-batch",
    "launch.training_tokens": "--tokens", "launch.megatron": "--megatron",
    "launch.torchtitan": "--torchtitan", "launch.framework": "--framework",
    "model.file": "--model-file", "cluster.file": "--cluster",
    "launch.file": "--launch", "name": "--name",
    "review.max_days": "--max-days", "review.max_cost": "--max-cost",
    "review.min_mfu": "--min-mfu",
}  # fmt: skip
_DEGREES = ("dp", "tp", "cp", "pp", "ep", "etp", "virtual-stages", "microbatch", "zero", "recompute",
            "sequence-parallel")  # fmt: skip
_SPELL = _OPTIONS | {f"launch.{name.replace('-', '_')}": f"--{name}" for name in _DEGREES}
_KEYS = {option.removeprefix("--").replace("-", "_"): key for key, option in _SPELL.items()}


def job_from_options(settings: Mapping[str, str] | None = None, **options: object) -> Job:
    """A job as `hf`, `model`, `gpu`, `gpus`, `per_node`, `seq`, `global_batch`, `tokens`, … describe it.

    Layout: `tp`, `pp`, `cp`, `ep`, `dp`, `virtual_stages`, `microbatch`, `zero`, `recompute`; launches
    of a program: `megatron`, `torchtitan`; the program that trains: `framework`; limits of the run:
    `max_days`, `max_cost`, `min_mfu`; `name` is what the job is called. Files are relative to the
    working folder. What is None is left out. Raises JobError or ScenarioError.
    """
    tables, over = _tables(options), settings_of(settings or {})
    for section, preset, needed in (
        ("model", "model", "--model or --hf"), ("cluster", "hardware", "--gpu or --cluster"),
    ):  # fmt: skip
        if not tables.get(section, True) and preset not in over.named:
            raise JobError(f"command line: {section}: found nothing, expected {needed}")
    reader = Reader(Path(), "command line", spell=_SPELL)
    return job_of(reader, tables, over)


def with_limits(job: Job, options: Mapping[str, object]) -> Job:
    """The job with the limits of its run that options name in place of its own. Raises JobError."""
    reader = Reader(Path(), "command line", spell=_SPELL)
    given = {name: _plain(value) for name, value in options.items()}
    _, (*_, time, cost, mfu) = review_of(reader, given)
    return replace(job, max_time=time or job.max_time, max_cost=cost or job.max_cost,
                   min_mfu=mfu or job.min_mfu)  # fmt: skip


def _plain(value: object) -> Any:
    """A value as a file would have it: a path is text, and a float its shortest digits."""
    return plain(str(value) if isinstance(value, Path | float) else value)


def _tables(options: Mapping[str, object]) -> dict[str, Any]:
    """The tables of a job that options stand for. Raises JobError for an unknown option."""
    tables: dict[str, Any] = {"model": {}, "cluster": {}, "launch": {}}
    for name, value in options.items():
        if name not in _KEYS:
            raise JobError(f"command line: found {name!r}, expected one of {', '.join(sorted(_KEYS))}")
        if value is None:
            continue
        section, _, key = _KEYS[name].partition(".")
        if key:
            tables.setdefault(section, {})[key] = _plain(value)
        else:
            tables[section] = str(value)
    if not tables["model"] and {"megatron", "torchtitan"} & tables["launch"].keys():
        del tables["model"]
    return tables
