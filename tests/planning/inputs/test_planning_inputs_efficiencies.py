"""Measured links: each tier's own efficiency, which nothing is taken off where it was measured."""

from fractions import Fraction
from pathlib import Path

import pytest
from job_files import LAUNCH, MODEL, read

from workings.planning.cost import plan
from workings.planning.exact import exactly
from workings.planning.job import Job

CHIP = """
[cluster]
compute = "989.4 TFLOP/s"
memory = "80 GB"
memory_bandwidth = "3.35 TB/s"
devices = 16
"""
# Each tier as its vendor gives it, and as it was measured: an all-reduce of `ranks` ranks.
VENDOR = {1: 'devices = 8\nbandwidth = "450 GB/s"', 2: 'devices = 64\nbandwidth = "50 GB/s"',
          3: 'devices = 128\nbandwidth = "10 GB/s"'}  # fmt: skip
MEASURED = {
    1: 'devices = 8\nmeasured_algorithm = "200 GB/s"\ncollective = "all-reduce"\nranks = 8',
    2: 'devices = 64\nmeasured_bus = "320 GB/s"\ncollective = "all-reduce"\nranks = 16\n'
       "ranks_inside = 8",
    3: 'devices = 128\nmeasured_bus = "512 GB/s"\ncollective = "all-reduce"\nranks = 128\n'
       "ranks_inside = 64",
}  # fmt: skip
# What one device's link carried: 200 × 2 × 7/8, 320 through eight ports, 512 through 64.
CARRIED = {1: 350 * 10**9, 2: 40 * 10**9, 3: 8 * 10**9}


def job_of(folder: Path, tiers: int, measured: set[int], assume: str = "") -> Job:
    text = "".join(
        f"[[cluster.tier]]\n{(MEASURED if n in measured else VENDOR)[n]}\n" for n in range(1, tiers + 1)
    )
    if tiers == 1:
        text = text.replace("devices = 8", "devices = 16")
    return read(folder, MODEL + CHIP + text + LAUNCH + assume)


@pytest.mark.parametrize(
    ("tiers", "measured", "settled"),
    [
        (2, {1, 2}, {"eta_1", "eta_2"}),
        (2, {1}, {"eta_1"}),
        (2, {2}, {"eta_2"}),
        (2, set(), set()),
        (1, {1}, {"eta_1"}),
        (3, {1, 2}, {"eta_1"}),
        (3, {3}, set()),
        (3, {2, 3}, {"eta_2"}),
    ],
)
def test_nothing_is_taken_off_links_that_were_all_measured(
    tmp_path: Path, tiers: int, measured: set[int], settled: set[str]
) -> None:
    job = job_of(tmp_path, tiers, measured)
    for letter in ("eta_1", "eta_2"):
        figure = job.figures[letter]
        assert (figure.kind == "follows") == figure.sure == (letter in settled)
        assert figure.value == (1 if letter in settled else Fraction(8, 10))


@pytest.mark.parametrize("measured", [{1}, {2}, {3}, {1, 2}, {1, 2, 3}])
@pytest.mark.parametrize(
    "assume", ["", "[assume]\nlink_efficiency = 0.7\n", "[assume]\nnetwork_efficiency = 0.9\n"]
)
def test_a_measured_link_keeps_its_rate_whatever_efficiency_is_assumed(
    tmp_path: Path, assume: str, measured: set[int]
) -> None:
    job = job_of(tmp_path, 3, measured, assume)
    for tier in measured:
        link, share = job.figures[f"W_{tier}"], job.figures["eta_1" if tier == 1 else "eta_2"]
        assert link.value * share.value == CARRIED[tier]
        for rate, reached in ((link.low, share.low), (link.high, share.high)):
            assert (rate or link.value) * (reached or share.value) == CARRIED[tier]


def test_a_file_that_gives_a_network_efficiency_alone_means_the_network(tmp_path: Path) -> None:
    job = job_of(tmp_path, 2, set(), "[assume]\nnetwork_efficiency = 0.5\n")
    assert job.values()["eta_1"] == Fraction(8, 10)
    found = exactly(plan(), job.values(), ["W_t", "W_d"])
    alone = exactly(plan(), {**job.values(), "eta_2": Fraction(8, 10)}, ["W_t", "W_d"])
    assert found["W_t"] == alone["W_t"]
    assert found["W_d"] == alone["W_d"] * Fraction(5, 8)


@pytest.mark.parametrize("others", [set(), {1}, {3}, {1, 3}])
def test_a_link_that_assume_says_was_measured_keeps_its_rate_too(
    tmp_path: Path, others: set[int]
) -> None:
    said = '[assume]\nnetwork_one_way = {value = "44 GB/s", measured = true}\n'
    job = job_of(tmp_path, 3, others, said)
    link, share = job.figures["W_2"], job.figures["eta_2"]
    assert link.value * share.value == 44 * 10**9
    assert (link.low or link.value) * (share.low or share.value) == 44 * 10**9
    assert (link.high or link.value) * (share.high or share.value) == 44 * 10**9


def test_a_link_that_assume_merely_gives_is_a_wire_of_which_a_share_is_reached(tmp_path: Path) -> None:
    job = job_of(tmp_path, 2, {2}, '[assume]\nnetwork_one_way = "44 GB/s"\n')
    assert job.values()["W_2"] == 44 * 10**9
    assert job.values()["eta_2"] == Fraction(8, 10)
