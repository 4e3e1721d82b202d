"""Gradients that are given back after a step, and a loss that is made in parts."""

from pathlib import Path

import pytest
from job_files import CLUSTER, LAUNCH, MODEL, read

from workings.planning.job import JobError


def test_gradients_keep_their_memory_unless_launch_or_program_gives_them_back(tmp_path: Path) -> None:
    for said, kept, kind in (
        ("", 1, "assumed"), ("keep_gradients = false", 0, "given"),
        ('framework = "torchtitan"', 0, "follows"), ('framework = "deepspeed"', 1, "assumed"),
        ('framework = "torchtitan"\nkeep_gradients = true', 1, "given"),
    ):  # fmt: skip
        figure = read(tmp_path, f"{MODEL}{CLUSTER}{LAUNCH}{said}\n").figures["z_k"]
        assert figure.value == kept, said
        assert str(figure.kind) == kind, said


def test_megatron_lm_never_gives_gradients_back(tmp_path: Path) -> None:
    said = 'framework = "megatron"\nkeep_gradients = false\n'
    with pytest.raises(JobError, match=r"launch\.keep_gradients: found 0, expected 1: Megatron-LM"):
        read(tmp_path, MODEL + CLUSTER + LAUNCH + said)


@pytest.mark.parametrize("said", ["0", "1.5", '"many"'])
def test_a_loss_has_a_whole_number_of_parts(tmp_path: Path, said: str) -> None:
    assert read(tmp_path, f"{MODEL}{CLUSTER}{LAUNCH}loss_parts = 8\n").figures["n_l"].value == 8
    with pytest.raises(JobError, match=r"launch\.loss_parts: found"):
        read(tmp_path, f"{MODEL}{CLUSTER}{LAUNCH}loss_parts = {said}\n")
