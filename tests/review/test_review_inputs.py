"""What became of each key of the inputs, with its value."""

from pathlib import Path

from reviewed import files, review

from workings.planning.inputs import read_job

JOB = """
[model]
preset = "llama3-8b"
[cluster]
hardware = "h100-sxm"
devices = 8
[launch]
tp = 2
batch = 64
sequence_length = 8192
[assume]
core_counted = 0.5
communicator = { value = "2 GB", measured = true }
[review]
date = 2026-11-21
"""


def test_every_key_stands_with_its_value(tmp_path: Path) -> None:
    path = tmp_path / "job.toml"
    path.write_text(JOB, encoding="utf-8")
    text = files(review(read_job(path)), ("md",))["workings.md"]
    inputs = text.split("\n## Inputs\n")[1].split("\n## ")[0]
    for row in (
        "| read | `assume.core_counted` | 0.5, given |",
        "| read | `assume.communicator` | 2 GB, measured |",
        "| read | `review.date` | 2026-11-21 |",
        "| read | `launch.tp` | 2 |",
    ):
        assert row in inputs
