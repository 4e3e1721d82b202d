"""Which checks a review asks for, and what they should print."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest
from jobs import gpt3_175b, llama3_8b

from workings.planning.cost import plan
from workings.planning.exact import exactly
from workings.planning.job import Job
from workings.planning.letters import ASSUMED
from workings.planning.measure import CHECKS, check_of, effects, first_to_measure, predicted


def values(job: Job) -> dict[str, Fraction]:
    return exactly(plan(), job.values())


def test_every_assumption_but_what_mfu_counts_can_be_measured() -> None:
    assert {concept.name for concept in ASSUMED.values()} - set(CHECKS) == {
        "core_counted",
        "gradients_by_turn",
        "gradient_pool",
        "loss_apart",
    }


def test_links_are_measured_inside_a_node_and_the_network_with_one_rank_a_node() -> None:
    v = values(gpt3_175b(eta_1=Fraction(3, 4), eta_2=Fraction(9, 10)))
    here = check_of("link_efficiency", v, cuda=True)
    there = check_of("network_efficiency", v, cuda=True)
    assert here
    assert there
    assert "-g 8 (nccl-tests, one node;" in here.command
    assert predicted(here, v) == Fraction(3, 4) * 450_000_000_000
    assert "-g 1 (nccl-tests, one rank a node)" in there.command
    assert predicted(there, v) == Fraction(9, 10) * 50_000_000_000
    assert "NCCL_ALGO=Ring" in here.command
    assert "NCCL_ALGO=Ring" in there.command


@pytest.mark.parametrize(
    ("make", "asked"),
    [
        (llama3_8b, {"link_efficiency"}),
        (lambda: llama3_8b(t=1, t_e=1, n=64, n_node=1), {"network_efficiency"}),
        (lambda: gpt3_175b(h_d=0), {"link_efficiency", "network_efficiency"}),
    ],
)
def test_an_efficiency_is_measured_where_its_links_matter(
    make: Callable[[], Job], asked: set[str]
) -> None:
    job = make()
    figures = dict(job.figures)
    for letter in ("eta_1", "eta_2"):
        figures[letter] = replace(figures[letter], low=Fraction(9, 10), high=Fraction(6, 10))
    moved = effects(plan(), figures, ["T_step"])
    found = first_to_measure(figures, moved, values(job))
    assert {measurement.check.name for measurement in found} == asked


def test_a_node_larger_than_the_job_is_measured_with_the_devices_there_are() -> None:
    check = check_of("link_efficiency", values(llama3_8b(n_node=10**9)), cuda=True)
    assert check
    assert "-g 8 " in check.command


@pytest.mark.parametrize("name", CHECKS)
def test_without_cuda_no_command_needs_it(name: str) -> None:
    found = check_of(name, values(gpt3_175b()), cuda=False)
    assert found
    for word in ("torch", "nvidia-smi", "nvbandwidth", "nccl", "{"):
        assert word not in found.command
