"""How a launch says that its optimizer lies with the host."""

from fractions import Fraction
from pathlib import Path

import pytest
from job_files import CLUSTER, LAUNCH, MODEL, launch, read, remarks

from workings.planning.inputs.megatron.writing import megatron_arguments
from workings.planning.job import JobError


@pytest.mark.parametrize(
    ("written", "value"), [('"75 %"', "3/4"), ("0.75", "3/4"), ("1", "1"), ("0", "0")]
)
def test_a_launch_gives_the_part_as_a_share(tmp_path: Path, written: str, value: str) -> None:
    job = read(tmp_path, MODEL + CLUSTER + LAUNCH + f"offload_optimizer = {written}\n")
    assert job.figures["x_off"].value == Fraction(value)
    assert job.figures["x_off"].kind == "given"


@pytest.mark.parametrize("written", ["1.5", "-0.5", '"120 %"', '"half"', "true", '"1 GB"', "[1]"])
def test_what_is_no_share_is_refused(tmp_path: Path, written: str) -> None:
    with pytest.raises(JobError, match=r"cluster\.toml: launch\.offload_optimizer: .*expected"):
        read(tmp_path, MODEL + CLUSTER + LAUNCH + f"offload_optimizer = {written}\n")


RUN = "torchrun --nproc-per-node 8 --nnodes 2 pretrain_gpt.py "
MEGATRON = (
    RUN + "--num-layers 4 --hidden-size 512"
    " --num-attention-heads 8 --seq-length 1024 --max-position-embeddings 1024 --micro-batch-size 1"
    " --global-batch-size 64 --padded-vocab-size 1024 --bf16 --use-distributed-optimizer"
)


@pytest.mark.parametrize(
    ("more", "part"),
    [
        (" --optimizer-cpu-offload", Fraction(1)),
        (" --optimizer-cpu-offload --optimizer-offload-fraction 0.25", Fraction(1, 4)),
        ("", Fraction(0)),
    ],
)
def test_megatrons_arguments_say_it_and_are_written_again(
    tmp_path: Path, more: str, part: Fraction
) -> None:
    job = launch(tmp_path, MEGATRON + more)
    assert job.figures["x_off"].value == part
    again = launch(tmp_path, RUN + " ".join(megatron_arguments(job)))
    assert again.figures["x_off"].value == part
    assert again.values() == job.values()


def test_a_fraction_without_off_loading_is_a_contradiction(tmp_path: Path) -> None:
    with pytest.raises(JobError, match=r"run\.sh: --optimizer-offload-fraction: found .*expected"):
        launch(tmp_path, MEGATRON + " --optimizer-offload-fraction 0.5")


def test_the_overlap_of_the_hosts_copies_is_said_to_be_ignored(tmp_path: Path) -> None:
    job = launch(tmp_path, MEGATRON + " --optimizer-cpu-offload --overlap-cpu-optimizer-d2h-h2d")
    assert "--overlap-cpu-optimizer-d2h-h2d" in remarks(job, "ignored")
