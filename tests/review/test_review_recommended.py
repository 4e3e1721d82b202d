"""A review says what to do: keep the layout, time another beside it, or take another."""

import json
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from jobs import experts_64, gpt3_175b, llama3_8b, llama3_405b
from reviewed import review

from workings.planning.accuracy import Evidence, Feature
from workings.planning.choice import step_of_kind
from workings.planning.cost import plan
from workings.planning.exact import exactly
from workings.planning.inputs import read_job
from workings.planning.job import NO_RESULTS, NOTHING_CARRIED, Job
from workings.planning.naming import named
from workings.planning.pairs import pair_error
from workings.review.alternatives import Alternatives
from workings.review.build import Review, numbers
from workings.review.recommended import beside_rival, recommended, rival
from workings.review.verdict import verdict

REVIEWS = Path(__file__).parents[2] / "reports" / "reviews"


def advice(job: Job) -> str:
    found = review(job)
    return recommended(found.desk, found.answer, found.found)


def searched(found: Review) -> Alternatives:
    assert found.found is not None
    return found.found


def test_the_fastest_layout_is_kept() -> None:
    found = searched(review(llama3_8b())).result.best[0]
    best = llama3_8b().with_values({n: Fraction(v) for n, v in found.layout.items()})
    said = advice(best)
    assert said.startswith("Recommended: keep this layout")


def test_a_slower_layout_is_to_be_timed_beside_the_fastest_and_its_saving_is_that_of_the_run() -> None:
    found = review(llama3_405b(z_2=1))
    best = searched(found).proposed
    assert best is not None
    said = recommended(found.desk, found.answer, found.found)
    assert said.startswith(
        "Recommended: choose only after a few steps of both are timed. If the model is"
    )
    assert ", the other takes" in said
    assert any(f"a few steps of {named(best)} take" in one for one in found.answer.conditions)
    days = re.search(r"([\d.]+) days", said)
    assert days is not None
    ours, theirs = (v["n"] * v["T_step"] for v in (found.desk.base, best))
    run = found.desk.likely("T_run").middle / 86400
    assert abs(float(days[1]) - float(run * (1 - theirs / ours))) < 0.05


def test_a_layout_that_is_refused_is_replaced_by_one_that_fits() -> None:
    job = gpt3_175b(b_m=8)
    found = review(job)
    said = recommended(found.desk, found.answer, found.found)
    assert said.startswith("Recommended: instead ")
    best = searched(found).proposed
    assert best is not None
    assert best["u_M"] <= job.limit < found.desk.base["u_M"]


def test_a_limit_that_no_layout_keeps_asks_for_more_devices() -> None:
    assert "more devices, or other limits" in advice(replace(gpt3_175b(), max_time=Fraction(1)))


def test_what_few_published_runs_had_is_said_where_only_the_faster_layout_has_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    few = [
        Evidence(Feature("context parallelism", "c", 1), 3),
        Evidence(Feature("a pipeline", "p", 1), 2),
    ]
    monkeypatch.setattr("workings.review.recommended.evidence", lambda runs: few)
    found = review(llama3_405b(z_2=1))  # has a pipeline too, but no context parallelism
    best = searched(found).proposed
    assert best is not None
    assert best["c"] > 1
    said = recommended(found.desk, found.answer, found.found)
    assert re.search(r"\(3 of \d+ published step times on such devices had context parallelism\)", said)
    assert "had a pipeline" not in said


def test_a_layout_is_named_by_what_one_has_to_set() -> None:
    v = exactly(plan(), experts_64(v=2, b_m=4, z_f=1).values())
    said = named(v)
    assert "2 chunks a rank" in said
    assert "micro-batches of 4" in said
    assert said.endswith("blocks computed again")


def test_the_likely_range_is_in_the_json_and_around_the_base() -> None:
    found = json.loads(numbers(review(llama3_405b(z_2=1))))
    assert found["recommended"].startswith("Recommended")
    values = {v["letter"]: v["base"] for v in found["values"]}
    for letter, (better, middle, worse) in found["likely"].items():
        assert min(better, worse) < min(middle, values[letter])
        assert max(middle, values[letter]) < max(better, worse)
    assert found["likely"]["u"] == sorted(found["likely"]["u"], reverse=True)
    assert found["proposed"]["values"]["T_step"] < values["T_step"]


def test_layouts_of_two_kinds_are_weighed_by_what_runs_of_each_took() -> None:
    found = review(llama3_405b(z_1=1, z_2=1, z_3=1, b_m=2))
    said = recommended(found.desk, found.answer, found.found)
    best = searched(found).proposed
    assert best is not None
    assert found.desk.base["z_3"] == 1
    assert best["z_3"] == 0
    ours, theirs = (step_of_kind(found.desk.job, v).middle for v in (found.desk.base, best))
    gain = 1 - best["T_step"] * theirs / (found.desk.base["T_step"] * ours)
    told = "If both take what published runs of their kinds did, the other takes"
    assert f"{told} {float(gain) * 100:.1f} % less time" in said


def test_where_no_layout_is_sure_to_fit_a_far_lighter_one_is_named() -> None:
    job = read_job(REVIEWS / "deepseek-v3-2048" / "job.toml")
    found = review(replace(job, published=NO_RESULTS, carried=NOTHING_CARRIED))
    others = searched(found)
    assert found.answer.said == "GO IF on memory"
    assert rival(found.desk, others) is None
    assert others.surest is not None
    assert not others.sure
    assert others.surest.values["M"] <= Fraction(9, 10) * found.desk.base["M"]
    assert "More likely to fit: " in recommended(found.desk, found.answer, others)


def test_nothing_is_go_while_a_layout_may_be_faster_by_more_than_the_model_can_tell() -> None:
    """Until both are timed: a condition like any other, after those of the memory."""
    for job, about in (
        (llama3_8b(z_2=1, z_3=1, z_f=1), ("the layout",)),
        (llama3_405b(), ("memory", "the layout")),
    ):
        found = review(job)
        alone = verdict(found.desk)
        assert alone.word == ("GO" if len(about) == 1 else "GO IF")
        faster = rival(found.desk, searched(found))
        assert faster is not None
        assert found.answer.word == "GO IF"
        assert found.answer.about == about
        assert found.answer.reason.startswith("another layout may take ")
        assert found.answer.reason.endswith(f" less time a step; {alone.reason}")
        *before, last = found.answer.conditions
        assert tuple(before) == alone.conditions
        assert last.startswith(f"timed beside it, a few steps of {named(faster)} take no less time")
        assert found.answer.checks == (*alone.checks, "")


def test_a_layout_that_the_model_cannot_tell_from_the_fastest_stays_go() -> None:
    """The model tells steps apart from where the longer is above the other by its error of a pair."""
    found = review(llama3_8b(z_2=1, z_3=1, z_f=1))
    others = searched(found)
    assert others.proposed is not None
    just = found.desk.base["T_step"] / (1 + pair_error())
    for times, words in ((Fraction(1001, 1000), "GO"), (Fraction(999, 1000), "GO IF")):
        best = {**others.proposed, "T_step": just * times}
        beside = beside_rival(found.desk, verdict(found.desk), replace(others, proposed=best))
        assert beside.word == words
        assert (beside == verdict(found.desk)) == (words == "GO")


def test_what_is_refused_is_refused_with_or_without_a_rival_and_nothing_found_is_no_rival() -> None:
    found = review(llama3_405b())
    alone = verdict(found.desk)
    refused = replace(alone, word="NO-GO")
    assert beside_rival(found.desk, refused, found.found) is refused
    assert beside_rival(found.desk, alone, None) is alone
    assert beside_rival(found.desk, alone, replace(searched(found), proposed=None)) is alone


def test_a_layout_is_refused_where_nine_of_ten_runs_of_another_are_faster_than_half_of_its_own() -> None:
    found = review(llama3_405b(z_2=1))
    others = searched(found)
    assert others.proposed is not None
    late = step_of_kind(found.desk.job, others.proposed)
    own = found.desk.likely("T_step").middle / late.most  # whose P90 is as long as P50 here
    for times, word in ((Fraction(99, 100), "NO-GO"), (Fraction(101, 100), "GO IF")):
        best = {**others.proposed, "T_step": own * times}
        beside = beside_rival(found.desk, verdict(found.desk), replace(others, proposed=best))
        assert beside.word == word
        assert ("memory" in beside.about) == (word == "GO IF")
        assert len(beside.conditions) == (1 if word == "NO-GO" else 2)
