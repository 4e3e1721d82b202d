"""What a search chose and nobody is known to have run is GO IF its own steps and peak show it."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from jobs import llama3_8b

from workings.planning.accuracy import Run
from workings.planning.cost import plan
from workings.planning.inputs import read_job
from workings.planning.job import Job
from workings.review.desk import Desk
from workings.review.likest import published_instead, untried
from workings.review.verdict import verdict

REVIEWS = Path(__file__).parents[2] / "reports" / "reviews"
DAY = 86400


def chosen() -> Job:
    """A job that is GO on memory and days, in a layout that nobody published of this model."""
    job = llama3_8b(M_dev=200 * 10**9, T_tok=10**11, t=2)
    return replace(job, max_time=Fraction(365 * DAY))


def searched() -> Desk:
    return Desk(replace(chosen(), chosen=False), plan())


def test_a_layout_that_its_author_chose_is_go_by_the_odds_alone() -> None:
    desk = Desk(chosen(), plan())
    assert not untried(desk)
    assert verdict(desk).said == "GO on memory and days"


def test_one_that_a_search_chose_has_all_that_is_to_be_measured_as_conditions() -> None:
    desk = searched()
    found = verdict(desk)
    assert untried(desk)
    assert found.said == "GO IF on the layout"
    assert found.checks == ("peak_memory", "step_time")
    assert found.reason.startswith("the fullest rank takes ")
    assert "; the run takes " in found.reason


def test_a_measured_step_that_meets_its_condition_is_go_and_one_that_does_not_is_not() -> None:
    desk = searched()
    asked = next(one for one in verdict(desk).conditions if "a measured step" in one)
    days = float(desk.likely("T_run").middle / desk.likely("T_step").middle)
    longest = float(asked.split("at most ")[1].split(" s")[0])
    assert longest * days == pytest.approx(365 * DAY, rel=0.25)  # but for the odds of goodput


def test_one_that_was_published_is_go(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = searched()
    run = Run(*desk.device, Fraction(1), desk.base, "a page", "", "a run", desk.at_peak,
              figure=desk.base["T_step"])  # fmt: skip
    monkeypatch.setattr("workings.review.likest.step_times", lambda: (run,))
    assert verdict(desk).said == "GO on memory and days"


def test_beside_the_step_stands_the_fastest_published_layout_with_the_replicas_of_the_job() -> None:
    job = read_job(REVIEWS / "llama3-70b-budget" / "job.toml")
    layout = {"c": 2, "z_1": 1, "z_2": 1, "z_3": 1}
    said = published_instead(Desk(job.with_values({n: Fraction(v) for n, v in layout.items()}), plan()))
    # dgxc-benchmarking, llama3.1/README_70b.md: 14.92 s for 2,048 sequences on 1,024 devices
    seconds = float(said.removeprefix(" If it takes more than ").split(" s: ")[0])
    assert seconds == pytest.approx(14.92 / 2, rel=2e-3)
    assert "s: TP 4 · CP 2 · PP 4 · DP 32 with 5 chunks a rank, as was published on 1,024 devices" in said


def test_nothing_stands_there_where_the_author_chose() -> None:
    assert published_instead(Desk(chosen(), plan())) == ""


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"z_1": 1, "z_2": 1, "z_3": 1, "z_s": 1}, "warns of tensor or context parallelism"),
        ({"z_1": 1, "z_2": 1, "z_s": 1}, "shards gradients and keeps weights whole"),
        ({"z_1": 1, "z_s": 1}, ""),
    ],
)
def test_what_the_program_refuses_or_warns_of_is_a_condition(changed: dict[str, int], said: str) -> None:
    job = replace(
        chosen().with_values({n: Fraction(v) for n, v in changed.items()}), framework="megatron"
    )
    found = verdict(Desk(job, plan()))
    conditions = [
        one for one in found.conditions if one.startswith("a few steps run as planned, though ")
    ]
    assert [said in one for one in conditions] == [True] * bool(said)
    assert ("the program" in found.about) == bool(said)
    assert (found.word == "GO") == (not said)
