"""Which numbers of devices are worth a look."""

from fractions import Fraction
from itertools import pairwise

import pytest
from sweep_files import JOB

from workings.planning.cost import plan
from workings.planning.inputs import read_job
from workings.planning.job import Job
from workings.planning.ladder import RUNGS, counts

MONTH = Fraction(30 * 86400)


@pytest.fixture
def job(tmp_path_factory: pytest.TempPathFactory) -> Job:
    path = tmp_path_factory.mktemp("job") / "job.toml"
    path.write_text(JOB + 'training_tokens = "1T"\n', encoding="utf-8")
    return read_job(path)


def test_the_numbers_are_whole_nodes_and_double(job: Job) -> None:
    found = counts(job, plan(), MONTH, 64)
    assert len(found) == RUNGS
    assert all(number % 8 == 0 for number in found)
    assert [later / first for first, later in pairwise(found)] == [2] * (RUNGS - 1)


def test_half_the_time_asks_for_twice_the_devices(job: Job) -> None:
    slow, fast = (counts(job, plan(), time, 8) for time in (MONTH / 8, MONTH / 16))
    assert [number for number in fast if number != 8] == [number * 2 for number in slow if number != 8]


def test_without_a_time_the_numbers_are_round_the_jobs_own_which_is_always_there(job: Job) -> None:
    assert counts(job, plan(), None, 64) == (32, 64, 128, 256, 512)
    assert 200 in counts(job, plan(), MONTH, 200)
    assert 201 not in counts(job, plan(), MONTH, 201)


def test_below_a_node_of_any_size_the_numbers_are_powers_of_two(job: Job) -> None:
    wide = job.with_values({"n_node": Fraction(72)})
    assert counts(wide, plan(), None, 40) == (16, 32, 40, 64, 72, 144)
    endless = job.with_values({"n_node": Fraction(10**9)})
    assert counts(endless, plan(), None, 4) == (2, 4, 8, 16, 32)
