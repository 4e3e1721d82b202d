"""Which checks a review asks for, and what they should print."""

from fractions import Fraction

import pytest
from jobs import gpt3_175b, llama3_8b

from workings.planning.cost import plan
from workings.planning.exact import exactly
from workings.planning.job import Job
from workings.planning.letters import ASSUMED
from workings.planning.measure import CHECKS, check_of, predicted


def values(job: Job) -> dict[str, Fraction]:
    return exactly(plan(), job.values())


def test_every_assumption_but_what_mfu_counts_can_be_measured() -> None:
    assert {concept.name for concept in ASSUMED.values()} - set(CHECKS) == {"core_counted"}


def test_inside_a_node_its_links_are_measured_and_beyond_it_the_network() -> None:
    inside, across = (values(job) for job in (llama3_8b(), gpt3_175b()))
    here = check_of("network_efficiency", inside, cuda=True)
    there = check_of("network_efficiency", across, cuda=True)
    assert here
    assert there
    assert "-g 8 (nccl-tests, one node)" in here.command
    assert predicted(here, inside) == inside["eta_w"] * 450_000_000_000
    assert "-g 1 (nccl-tests, one rank a node)" in there.command
    assert predicted(there, across) == across["eta_w"] * 50_000_000_000


@pytest.mark.parametrize("name", CHECKS)
def test_without_cuda_no_command_needs_it(name: str) -> None:
    found = check_of(name, values(gpt3_175b()), cuda=False)
    assert found
    for word in ("torch", "nvidia-smi", "nvbandwidth", "nccl", "{"):
        assert word not in found.command
