"""Input files that several tests write, and how they read them."""

from pathlib import Path

from workings.planning.inputs import read_job
from workings.planning.job import Job

MODEL = """
[model]
preset = "llama3-8b"
"""
CLUSTER = """
[cluster]
hardware = "h100-sxm"
devices = 16
price = "2.50 USD/h"
"""
LAUNCH = """
[launch]
tp = 2
batch = 64
sequence_length = 8192
microbatch = 2
zero = 1
recompute = "none"
training_tokens = "15T"
"""
JOB = MODEL + CLUSTER + LAUNCH


def write(folder: Path, text: str, name: str = "cluster.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def read(folder: Path, text: str = JOB, **settings: str) -> Job:
    return read_job(write(folder, text), settings)


def remarks(job: Job, remark: str) -> dict[str, str]:
    """What was noted with one remark, by key."""
    return {note.key: note.text for note in job.noted if note.remark == remark}


def launch(folder: Path, megatron: str, name: str = "run.sh", more: str = "", model: str = "") -> Job:
    """A job on H100s whose launch is a file of Megatron-LM's."""
    write(folder, megatron, name)
    return read(
        folder, f'{model}\n[cluster]\nhardware = "h100-sxm"\n{more}\n[launch]\nmegatron = "{name}"\n'
    )
