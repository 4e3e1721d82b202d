"""A job without a layout gets the best one, and keeps what it says of one."""

from pathlib import Path

import pytest
from sweep_files import JOB, reading

from workings.planning.best import kept, with_best_layout
from workings.planning.choice import first_choice, wishes
from workings.planning.cost import plan
from workings.planning.job import Job, JobError
from workings.planning.pairs import pair_error
from workings.planning.search import Wishes, search

OPEN = JOB.replace("tp = 2\n", "").replace('"4M"', "512").replace("devices = 64", "devices = 8")


def job(folder: Path, launch: str = "") -> Job:
    return reading(folder, OPEN + launch)({})


def test_it_is_the_first_choice_of_a_search_and_hardly_slower_than_the_fastest(tmp_path: Path) -> None:
    found = with_best_layout(job(tmp_path), plan()).values()
    searched = search(job(tmp_path), plan(), wishes(job(tmp_path)))
    best = first_choice(job(tmp_path), searched, plan())
    assert best is not None
    assert {name: found[name] for name in best.layout} == best.layout
    times = [option.values["T_step"] for option in searched.best]
    assert best.values["T_step"] <= min(times) * (1 + pair_error())


@pytest.mark.parametrize(
    ("launch", "letters"),
    [
        ("zero = 1\n", {"z_1": 1, "z_2": 0, "z_3": 0}),
        ("zero = 0\n", {"z_1": 0, "z_2": 0, "z_3": 0}),
        ('recompute = "full"\n', {"z_c": 0, "z_f": 1}),
        ('recompute = "selective"\n', {"z_c": 1, "z_f": 0}),
        ("microbatch = 4\n", {"b_m": 4}),
        ("sequence_parallel = false\nzero = 2\n", {"z_s": 0, "z_1": 1, "z_2": 1, "z_3": 0}),
    ],
)
def test_what_is_given_is_kept(tmp_path: Path, launch: str, letters: dict[str, int]) -> None:
    given = job(tmp_path, launch)
    assert not given.chosen
    found = with_best_layout(given, plan()).values()
    assert {name: found[name] for name in letters} == letters


def test_a_layout_that_is_chosen_holds_nothing_back(tmp_path: Path) -> None:
    assert kept(reading(tmp_path)({"zero": "1"})) == {}


def test_where_nothing_fits_the_error_says_what_would(tmp_path: Path) -> None:
    with pytest.raises(JobError, match=r"no layout fits .* one fits with another microbatch than 64"):
        with_best_layout(job(tmp_path, "microbatch = 64\n"), plan(), Wishes())
