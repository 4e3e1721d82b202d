"""Where devices and batch have little in common, the most replicas and a better batch are named."""

from fractions import Fraction

import pytest
from jobs import llama3_8b

from workings.planning.cost import plan
from workings.planning.job import Job
from workings.planning.replica_degrees import few_replicas
from workings.planning.search import Wishes, search


def sized(devices: int, sequences: int) -> Job:
    return llama3_8b().with_values({"n": Fraction(devices), "b": Fraction(sequences)})


@pytest.mark.parametrize(
    ("devices", "sequences"),
    [(1, 5), (7, 7), (8, 64), (64, 512), (1024, 1536), (16384, 2048), (3072, 64)],
)
def test_usual_pairs_say_nothing(devices: int, sequences: int) -> None:
    assert few_replicas(sized(devices, sequences).figures) == ""


@pytest.mark.parametrize(
    ("devices", "sequences", "said"),
    [
        (30, 512, "at most 2 replicas, the greatest common divisor of 30 devices and 512 sequences"),
        (64, 1020, "; 960 sequences would allow 64"),
        (8, 7, "at most 1 replica, "),
        (24, 512, "; 504 sequences would allow 24"),
    ],
)
def test_what_they_have_in_common_is_said_with_a_batch_that_allows_more(
    devices: int, sequences: int, said: str
) -> None:
    assert said in few_replicas(sized(devices, sequences).figures)


@pytest.mark.parametrize(("devices", "sequences"), [(20, 512), (24, 512), (64, 1020), (8, 7)])
def test_a_search_finds_no_more_and_that_many(devices: int, sequences: int) -> None:
    job = sized(devices, sequences)
    found = search(job, plan(), Wishes(number=1000, alike=(), limit=Fraction(10**6)))
    replicas = {devices // (o.layout["t"] * o.layout["c"] * o.layout["p"]) for o in found.best}
    assert f"at most {max(replicas)} replica" in few_replicas(job.figures)
