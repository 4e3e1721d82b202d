"""The communicators of a rank are counted a second time: by drawing up its groups, rank by rank."""

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import prod
from pathlib import Path

import pytest
from jobs import deepseek_v3, experts_64, gpt3_175b, llama3_8b

from workings.planning.cost import plan
from workings.planning.exact import exactly
from workings.planning.inputs import read_job
from workings.planning.job import Job

Group = frozenset[int]


def communicators(job: Job) -> int:
    found = exactly(plan(), job.values(), ["n_comm", "M_comm", "M_grp"])
    assert found["M_comm"] == found["n_comm"] * job.values()["M_grp"]
    return int(found["n_comm"])


@pytest.mark.parametrize(
    ("job", "number"),
    [
        (llama3_8b(n=1, t=1, t_e=1, z_s=0, z_1=0, b=8), 0),
        (llama3_8b(n=8, t=8, t_e=8, z_1=0), 1),  # the tensor-parallel group is all ranks
        (llama3_8b(n=8, t=1, t_e=1, z_s=0), 1),  # as is that of the replicas
        (llama3_8b(), 3),  # tensor, data, all ranks
        (llama3_8b(n=8, t=1, t_e=1, c=8, z_s=0), 1),  # keys go where gradients do
        (llama3_8b(n=8, t=1, t_e=1, c=2, z_s=0), 2),  # context; context and data, which is all ranks
        (llama3_8b(n=16, t=1, t_e=1, n_r=4, z_s=0), 3),  # shards, copies of them, all ranks
        (gpt3_175b(), 4),  # tensor, pipeline, data, all ranks
        (experts_64(), 6),  # tensor, pipeline, data, experts, copies of an expert, all ranks
        (deepseek_v3(), 5),  # pipeline, data, experts, copies of an expert, all ranks
        (experts_64(n=8, t=1, t_e=1, p=1, v=1, e=8), 2),  # replicas are all ranks; experts beside them
        (experts_64(n=8, t=8, t_e=1, p=1, v=1, e=8, z_1=0), 2),  # tensor, experts
        (experts_64(n=64, t=4, t_e=4, p=1, v=1, e=1), 3),  # no experts' group, and no copies of their own
    ],
)
def test_the_groups_of_a_layout_counted_by_hand(job: Job, number: int) -> None:
    assert communicators(job) == number


def along(sizes: tuple[int, ...], axis: int) -> Group:
    """The ranks that rank 0 shares an axis with, the first axis varying fastest."""
    stride = prod(sizes[:axis])
    return frozenset(stride * place for place in range(sizes[axis]))


def groups(job: Job) -> Iterator[Group]:
    """The groups of rank 0, whoever else has them."""
    v = {name: int(value) for name, value in job.values().items() if value.denominator == 1}
    d = v["n"] // (v["t"] * v["c"] * v["p"])
    together = v["c"] * d
    dense = (v["t"], v["c"], d, v["p"])
    shared = (v["t"], together // v["n_r"], v["n_r"], v["p"])
    yield from (along(dense, axis) for axis in (0, 1, 3))
    yield from (along(shared, axis) for axis in (1, 2))
    if v["E"]:
        copies = v["n"] // (v["t_e"] * v["e"] * v["p"])
        mixed = (v["t_e"], v["e"], copies, v["p"])
        yield from (along(mixed, axis) for axis in (0, 2))


def drawn_up(job: Job) -> int:
    """Groups of different ranks, the experts' among them in any case, and that of all ranks."""
    experts = int(job.values()["e"])
    found = {group for group in groups(job) if len(group) > 1}
    if experts < job.values()["n"]:
        found.add(frozenset(range(int(job.values()["n"]))))
    return len({group for group in found if len(group) > 1}) + (experts > 1)


def layouts(make: Callable[..., Job], **fixed: int) -> list[Job]:
    """Every layout of few devices, some of them with copies of the shards."""
    mixed = bool(make().values()["E"])
    found = []
    for t, c, p, d in product((1, 2, 4), (1, 2, 4), (1, 2), (1, 2, 3, 8)):
        n = t * c * p * d
        inner = [(e, t_e) for e in (1, 2, 4, 8) for t_e in {1, t} if n % (e * t_e * p) == 0]
        copies = [r for r in (1, 2, 4) if c * d % r == 0]
        for (e, t_e), n_r in product(inner if mixed else [(1, t)], [1] if mixed else copies):
            found.append(make(n=n, t=t, c=c, p=p, e=e, t_e=t_e, n_r=n_r, v=1, b=64 * d, **fixed))
    return found


@pytest.mark.parametrize("make", [llama3_8b, experts_64])
def test_as_many_as_there_are_groups_of_different_ranks(make: Callable[..., Job]) -> None:
    some = random.Random(5).sample(layouts(make), 150)  # noqa: S311 - which ones does not matter
    wrong = [(job.values(), drawn_up(job)) for job in some if communicators(job) != drawn_up(job)]
    assert not [
        ({name: int(v[name]) for name in ("n", "t", "c", "p", "e", "t_e", "n_r")}, number)
        for v, number in wrong
    ]


JOB = """
[model]
preset = "llama3-8b"
[cluster]
hardware = "{hardware}"
devices = 16
[launch]
zero = 3
tp = 2
batch = "1M"
sequence_length = 8192
"""


def read(folder: Path, hardware: str) -> Job:
    (folder / "job.toml").write_text(JOB.format(hardware=hardware), encoding="utf-8")
    return read_job(folder / "job.toml")


@pytest.mark.parametrize("hardware", ["tpu-v4", "tpu-v5e", "tpu-v5p", "tpu-v6e", "tpu-v5p-int8"])
def test_a_rank_on_tpus_holds_no_context_no_communicators_and_no_workspace(
    tmp_path: Path, hardware: str
) -> None:
    job = read(tmp_path, hardware)
    values = exactly(plan(), job.values())
    assert [values[name] for name in ("M_ctx", "M_comm", "M_work")] == [0, 0, 0]
    assert all(job.figures[name].sure for name in ("M_ctx", "M_grp", "M_work"))
    kept = values["S_wfirst"] + values["S_ofirst"] + values["z_k"] * values["S_gfirst"]
    assert values["M_0first"] == kept
    said = [*(figure.source for figure in job.figures.values()), *(note.text for note in job.noted)]
    assert not [text for text in said if "NCCL" in text or "nccl" in text or "CUDA" in text]


def test_a_rank_on_gpus_holds_them_beside_its_state(tmp_path: Path) -> None:
    values = exactly(plan(), read(tmp_path, "h100-sxm").values())
    kept = values["S_wfirst"] + values["S_ofirst"] + values["z_k"] * values["S_gfirst"]
    groups = 3  # tensor, data, all ranks
    assert values["M_0first"] - kept == Fraction(6, 10) * 10**9 + groups * 7 * 10**8 + 10**8
