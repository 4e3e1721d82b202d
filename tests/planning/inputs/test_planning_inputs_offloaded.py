"""How a launch says that its optimizer lies with the host."""

from fractions import Fraction
from pathlib import Path

import pytest
from job_files import CLUSTER, LAUNCH, MODEL, launch, read, remarks

from workings.planning.inputs.megatron.writing import megatron_arguments
from workings.planning.job import JobError


@pytest.mark.parametrize(
    ("written", "value"), [('"75 %"', "3/4"), ('".75"', "3/4"), ("0.75", "3/4"), ("1", "1"), ("0", "0")]
)
def test_a_launch_gives_the_part_as_a_share(tmp_path: Path, written: str, value: str) -> None:
    job = read(tmp_path, MODEL + CLUSTER + LAUNCH + f"offload_optimizer = {written}\n")
    assert job.figures["x_off"].value == Fraction(value)
    assert job.figures["x_off"].kind == "given"


@pytest.mark.parametrize(
    "written", ["1.5", "-0.5", '"120 %"', '"half"', "true", '"1/3"', '"75 %%"', '"1 GB"', "[1]"]
)
def test_what_is_no_share_is_refused(tmp_path: Path, written: str) -> None:
    said = r"a share from 0 to 1, such as 0\.75 or '75 %'"
    with pytest.raises(JobError, match=rf"cluster\.toml: launch\.offload_optimizer: .*expected {said}"):
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


def test_a_fraction_without_off_loading_is_said_to_be_ignored(tmp_path: Path) -> None:
    job = launch(tmp_path, MEGATRON + " --optimizer-offload-fraction 0.5")
    text = "nothing is off-loaded without --optimizer-cpu-offload"
    assert remarks(job, "ignored")["--optimizer-offload-fraction"] == text
    assert job.figures["x_off"].value == 0


def test_a_dump_of_all_arguments_may_hold_the_fraction_of_what_is_off(tmp_path: Path) -> None:
    dump = (
        "{'optimizer_cpu_offload': False, 'optimizer_offload_fraction': 1.0, 'seq_length': 1024,"
        " 'micro_batch_size': 1, 'global_batch_size': 64, 'world_size': 16}"
    )
    job = launch(tmp_path, dump, "args.py", model=MODEL)
    text = "nothing is off-loaded without optimizer_cpu_offload"
    assert remarks(job, "ignored")["optimizer_offload_fraction"] == text
    assert job.figures["x_off"].value == 0


def test_the_overlap_of_the_hosts_copies_is_said_to_be_ignored(tmp_path: Path) -> None:
    job = launch(tmp_path, MEGATRON + " --optimizer-cpu-offload --overlap-cpu-optimizer-d2h-h2d")
    assert "--overlap-cpu-optimizer-d2h-h2d" in remarks(job, "ignored")
