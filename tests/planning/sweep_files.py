"""Job files that tests of sweeps and calibrations write, and how they read them."""

from collections.abc import Callable, Mapping
from pathlib import Path

from workings.planning.inputs import read_job
from workings.planning.job import Job

JOB = """
name = "a job"
[model]
preset = "llama3-8b"
[cluster]
hardware = "h100-sxm"
devices = 64
[launch]
tp = 2
batch = "4M"
sequence_length = 8192
"""


def reading(folder: Path, text: str = JOB) -> Callable[[Mapping[str, str]], Job]:
    """How a job file is read with settings over it."""
    path = folder / "job.toml"
    path.write_text(text, encoding="utf-8")
    return lambda settings: read_job(path, settings)
