"""A row as the job that a user would write, read by the product's own reader."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from heldouts.clusters import cluster
from heldouts.defaults import assumed
from heldouts.launches import launch
from heldouts.models import model
from heldouts.rows import RefusedError, Row
from workings.errors import UserError
from workings.planning.inputs.given import Reader
from workings.planning.inputs.jobs import job_of
from workings.planning.inputs.settings import settings_of
from workings.planning.job import Job

_NAME = "row"


def tables(row: Row) -> dict[str, Any]:
    """The tables of the job's file. Raises RefusedError."""
    launched = launch(row)
    found = {"cluster": cluster(row), "model": model(row), "launch": launched}
    return {**found, **({"assume": given} if (given := assumed(row, launched)) else {})}


def job(row: Row) -> Job:
    """The job as `workings review` reads such a file. Raises RefusedError, with the reader's words."""
    given = tables(row)
    try:
        return job_of(Reader(Path(), _NAME), given, settings_of({}))
    except UserError as error:
        raise RefusedError(f"reader: {kind(str(error))}") from error


def kind(message: str) -> str:
    """A message without its file and numbers, so that others of its kind read alike."""
    return re.sub(r"\d[\d,.]*", "N", message.removeprefix(f"{_NAME}: ").rstrip("."))
