"""What a sweep goes over is read strictly: ranges, steps, lists, k and M."""

import pytest

from workings.planning.job import JobError
from workings.planning.sweeping import axes
from workings.planning.sweeping.axes import axis, numbers


@pytest.mark.parametrize(
    ("text", "key", "values"),
    [
        ("seq=2k..16k", "sequence_length", ("2k", "4k", "8k", "16k")),
        ("seq=512..4k", "sequence_length", ("512", "1024", "2048", "4096")),
        ("gpus=8..64", "devices", ("8", "16", "32", "64")),
        ("gpus=8..100", "devices", ("8", "16", "32", "64")),  # as far as doubling goes
        ("gpus=8,512,16k", "devices", ("8", "512", "16384")),
        ("gpus=8..32..8", "devices", ("8", "16", "24", "32")),
        ("gpus=8..512..x8", "devices", ("8", "64", "512")),
        ("seq=8k..32k..8192", "sequence_length", ("8192", "16384", "24576", "32768")),
        ("global-batch=1M..4M", "batch", ("1M", "2M", "4M")),
        ("tokens=1T..4T", "training_tokens", ("1T", "2T", "4T")),
        ("network_one_way=25 GB/s..100 GB/s", "network_one_way", ("25 GB/s", "50 GB/s", "100 GB/s")),
        ("matmul_efficiency=0.5..0.7..0.1", "matmul_efficiency", ("0.5", "0.6", "0.7")),
        ("recompute=none, full", "recompute", ("none", "full")),
        ("per-node=4,8", "node_devices", ("4", "8")),
    ],
)
def test_an_axis_is_a_list_or_a_range(text: str, key: str, values: tuple[str, ...]) -> None:
    found = axis(text)
    assert (found.key, found.values) == (key, values)


@pytest.mark.parametrize(
    "text",
    [
        "gpus", "gpus=", "=8", "gpus=8..", "gpus=..8", "gpus=8...64", "gpus=64..8", "gpus=0..8",
        "gpus=-8..8", "gpus=8..64..0", "gpus=8..64..x1", "gpus=8..64..x1.5", "gpus=1..2..3..4",
        "gpus=8,8", "gpus=8,,16", "gpus=8,0", "gpus=1e3", "gpus=inf,nan", "gpus=16Q..64Q", "gpus=8..٦٤",
        "gpus=8..100000000", "seq=1..100000000000", "seq=banana", "tp=1.5,2", "microbatch=1k..4k",
        "global-batch=512..4M", "network_one_way=25 GB/s..1 TB/s", "seq=8 GB..16 GB",
        "gpus=1..20000..1", "gpus=" + "8," * 5000, "x" * 5000 + "=1", "gpus=8\x1b[31m,16", "a b=1,2",
        "seq=" + "9" * 3000,
    ],
)  # fmt: skip
def test_everything_else_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(JobError) as refused:
        axis(text)
    assert str(refused.value).startswith("--over")
    assert len(str(refused.value)) < 300
    assert str(refused.value).isprintable()


def test_absurdly_many_points_are_refused_before_anything_is_worked_out() -> None:
    with pytest.raises(JobError, match=r"found 1,000,000 points, expected at most 10,000"):
        axes(["gpus=8..8000..8", "seq=8..8000..8"])
    with pytest.raises(JobError, match="found 5 axes, expected at most 4"):
        axes([f"{name}=1" for name in ("tp", "pp", "cp", "ep", "gpus")])


def test_one_key_has_one_axis() -> None:
    with pytest.raises(JobError, match="sequence_length: found twice"):
        axes(["seq=8k,16k", "sequence_length=4k"])


def test_the_numbers_of_an_axis_are_those_that_the_job_reads() -> None:
    assert list(numbers(axis("seq=2k,4k")).values()) == [2048, 4096]
    assert list(numbers(axis("tokens=1T,2T")).values()) == [1e12, 2e12]
    assert list(numbers(axis("price=1.5 USD/h,3 USD/h")).values()) == [1.5, 3]
    assert not numbers(axis("recompute=none,full"))
    assert not numbers(axis("price=1 USD/h,1 USD/min"))
