"""Checks are asked for in the commands of the devices that the job has, whatever its files are called."""

from dataclasses import replace

import pytest
from jobs import llama3_8b

from workings.review.measure import on_tpus


@pytest.mark.parametrize("name", ["presets/hardware/tpu-v4.toml", "presets/hardware/tpu-v5p.toml"])
def test_the_preset_of_the_hardware_says_that_devices_are_tpus(name: str) -> None:
    assert on_tpus(replace(llama3_8b(), files={"job.toml": b"", name: b""}))


@pytest.mark.parametrize("name", ["output.toml", "tpu-v5p.toml", "input/tpu.json"])
def test_the_names_of_other_files_say_nothing(name: str) -> None:
    assert not on_tpus(replace(llama3_8b(), files={name: b""}))


@pytest.mark.parametrize(
    ("called", "tpus"),
    [
        ("Llama 3 8B on 16 × TPU v5p", True),
        ("Llama 3 8B on 16 × OUTPUT 9", False),
        ("TPU run repeated on 16 × H100", False),
    ],
)
def test_a_cluster_given_by_hand_is_known_by_its_name(called: str, tpus: bool) -> None:
    assert on_tpus(replace(llama3_8b(), name=called)) == tpus


def test_a_preset_counts_more_than_a_name() -> None:
    files = {"presets/hardware/h100-sxm.toml": b""}
    assert not on_tpus(replace(llama3_8b(), name="Repeats a run on 16 TPU v5p", files=files))
