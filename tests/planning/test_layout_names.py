"""A layout has one name, wherever it is named: what a launch would have to say of it."""

from fractions import Fraction

import pytest
from jobs import experts_64, llama3_8b

from workings.planning.job import Job
from workings.planning.naming import mesh, named


def values(job: Job, **letters: int) -> dict[str, Fraction]:
    found = job.values() | {name: Fraction(value) for name, value in letters.items()}
    return found | {"d": found["n"] / (found["t"] * found["c"] * found["p"])}


NONE = dict.fromkeys(("z_1", "z_2", "z_3", "z_s", "z_c", "z_f"), 0)
ONE = {**dict.fromkeys(("t", "c", "p", "e", "t_e", "v", "b_m", "n"), 1), **NONE}


@pytest.mark.parametrize(
    ("letters", "said"),
    [
        ({}, "one device"),
        ({"z_c": 1}, "one device with scores computed again"),
        ({"n": 16, "t": 2, "z_s": 1, "p": 4, "v": 2}, "TP 2 · PP 4 · DP 2 with 2 chunks a rank"),
        ({"n": 4, "t": 4}, "TP 4 with no sequence parallelism"),
        ({"n": 8, "z_1": 1, "z_2": 1, "b_m": 2, "z_f": 1},
         "DP 8 with micro-batches of 2, ZeRO stage 2 and blocks computed again"),
    ],
)  # fmt: skip
def test_a_layout_is_named_by_what_is_not_the_simplest(letters: dict[str, int], said: str) -> None:
    assert named(values(llama3_8b(), **{**ONE, **letters})) == said


@pytest.mark.parametrize(
    ("letters", "said"),
    [
        ({"t": 4, "t_e": 1, "e": 8}, "TP 4 · EP 8 · ETP 1 · DP 16"),
        ({"t": 4, "t_e": 4, "e": 8}, "TP 4 · EP 8 · ETP 4 · DP 16"),
        ({"e": 8}, "EP 8 · DP 64"),
    ],
)
def test_how_experts_are_split_is_said_beside_tensor_parallelism(
    letters: dict[str, int], said: str
) -> None:
    assert mesh(values(experts_64(), **{**ONE, "n": 64, **letters})) == said


def test_a_model_without_experts_says_nothing_of_them() -> None:
    assert mesh(values(llama3_8b(), **{**ONE, "n": 8, "t": 8, "t_e": 8})) == "TP 8"
