"""Where a model's sizes keep usual degrees of tensor parallelism out of a search, that is said."""

from collections.abc import Iterator
from fractions import Fraction

import pytest
from jobs import LLAMA3_8B, llama3_8b

from workings.planning.cost import plan
from workings.planning.job import Job
from workings.planning.search import Wishes, search
from workings.planning.tensor_degrees import forbidden, left_out


def sized(**letters: int) -> Job:
    changed = {**LLAMA3_8B, "n": 64, **letters}
    return llama3_8b().with_values({name: Fraction(value) for name, value in changed.items()})


def searched(job: Job) -> Iterator[int]:
    """The usual degrees of which a search finds any layout, each looked for alone."""
    for degree in (2, 4, 8):
        only = {"t": [degree], "c": [1], "p": [1], "v": [1], "b_m": [1]}
        try:
            search(job, plan(), Wishes(only=only))
        except ValueError:
            continue
        yield degree


@pytest.mark.parametrize(
    ("sizes", "out"),
    [
        ({}, {}),
        ({"K": 1}, {}),  # copied to every rank
        ({"K": 13, "H": 26}, {"K": (2, 4, 8)}),
        ({"K": 25, "H": 25}, {"H": (2, 4, 8)}),
        ({"K": 4, "H": 28}, {"H": (8,)}),
        ({"K": 6, "H": 24}, {"K": (4, 8)}),
        ({"F": 14338}, {"F": (4, 8)}),
        ({"K": 2, "H": 28, "F": 14338}, {"H": (8,), "F": (4,)}),
        ({"n": 5, "K": 13, "H": 26}, {}),  # no usual degree divides the devices
        ({"n": 30, "n_node": 6}, {"K": (6,)}),  # a whole node is usual too
        ({"n": 30, "n_node": 6, "K": 12, "H": 24, "F": 14400}, {}),
        ({"n": 1}, {}),
        ({"n_node": 1, "K": 13, "H": 26}, {}),
    ],
)
def test_each_degree_is_left_out_for_the_size_that_forbids_it(
    sizes: dict[str, int], out: dict[str, tuple[int, ...]]
) -> None:
    job = sized(**sizes)
    assert {one.size.letter: one.degrees for one in forbidden(job.figures)} == out
    assert bool(left_out(job.figures)) == bool(out)


def test_what_is_left_out_is_what_a_search_does_not_find() -> None:
    for sizes in ({}, {"K": 13, "H": 26}, {"K": 6, "H": 24}, {"K": 4, "H": 28}, {"F": 14338}):
        job = sized(**sizes)
        out = {degree for one in forbidden(job.figures) for degree in one.degrees}
        assert out.isdisjoint(found := set(searched(job)))
        assert out | found == {2, 4, 8}


def test_the_sentence_names_key_and_value() -> None:
    assert left_out(sized(K=13, H=26).figures) == (
        "a search leaves out tensor parallelism of 2, 4 and 8: kv_heads = 13 is neither a "
        "multiple nor a divisor of 2, 4 or 8"
    )
    both = left_out(sized(K=2, H=28, F=14338).figures)
    assert both.startswith("a search leaves out tensor parallelism of 4 and 8: ")
    assert "heads = 28 is no multiple of 8, and d_ff = 14,338 is no multiple of 4" in both
