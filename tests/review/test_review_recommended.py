"""A review says what to do: keep the layout, time another beside it, or take another."""

import json
import math
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from jobs import experts_64, gpt3_175b, llama3_8b, llama3_405b
from reviewed import files, review

from workings.planning.accuracy import Evidence, Feature, at_shares
from workings.planning.choice import SURE, at, faster, likely_step, pairs_of, step_of_kind
from workings.planning.cost import plan
from workings.planning.exact import exactly
from workings.planning.inputs import read_job
from workings.planning.job import NO_RESULTS, NOTHING_CARRIED, Job
from workings.planning.naming import mesh, named
from workings.planning.pairs import pair_error
from workings.planning.working import shown
from workings.review.alternatives import Alternatives
from workings.review.build import Review, numbers
from workings.review.desk import Desk
from workings.review.recommended import recommended
from workings.review.rival import beside_rival, prospects, rival
from workings.review.verdict import verdict
from workings.units import SECOND

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
    found = review(llama3_405b())
    best = searched(found).proposed
    assert best is not None
    said = recommended(found.desk, found.answer, found.found)
    assert said.startswith(
        f"Recommended: choose only after a few steps of each are timed. Of {mesh(best)}, if the model is"
    )
    assert any(f"a few steps of {named(best)} take" in one for one in found.answer.conditions)
    days = re.search(r"([\d.]+) days", said)
    assert days is not None
    ours, theirs = (v["n"] * v["T_step"] for v in (found.desk.base, best))
    run = found.desk.likely("T_run").middle / 86400
    assert float(days[1]) == pytest.approx(float(run * theirs / ours), rel=0.01)


def test_a_layout_that_is_refused_is_replaced_by_one_that_fits() -> None:
    job = gpt3_175b(b_m=8)
    found = review(job)
    said = recommended(found.desk, found.answer, found.found)
    assert said.startswith("Recommended: instead ")
    best = searched(found).proposed
    assert best is not None
    assert best["u_M"] <= job.limit < found.desk.base["u_M"]


def test_a_limit_that_no_layout_keeps_asks_for_more_devices() -> None:
    job = gpt3_175b()
    run = Desk(job, plan()).likely("T_run")
    for days, more in (
        (1, ", with more than 1,024 sequences a step, which feed 65,536 in this mesh"),
        (2, ""),
    ):
        half, nine = (math.ceil(512 * end / (days * 86400)) for end in (run.middle, run.most))
        assert (nine > 1024 * 64) == bool(more)  # a replica of 64 devices for each sequence
        told = advice(replace(job, max_time=Fraction(days * 86400)))
        enough = f"about {half:,} at P50 and {nine:,} at P90, if each stays as fast{more}"
        assert f"more devices ({enough}), or other" in told


def test_what_few_published_runs_had_is_said_where_only_the_faster_layout_has_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    few = [
        Evidence(Feature("context parallelism", "c", 1), 3),
        Evidence(Feature("a pipeline", "p", 1), 2),
    ]
    monkeypatch.setattr("workings.planning.choice.evidence", lambda runs: few)
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
    step = best["T_step"] * step_of_kind(found.desk.job, best).middle
    assert f"its step takes {float(step):.4g} s (P50; " in said
    timed = recommended(found.desk, replace(found.answer, word="GO IF"), found.found)
    took = "if both take what published runs of their kinds did: its step takes"
    assert f"Of {mesh(best)}, {took}" in timed


def test_where_no_layout_is_sure_to_fit_a_far_lighter_one_is_named() -> None:
    job = read_job(REVIEWS / "deepseek-v3-2048" / "job.toml")
    found = review(replace(job, published=NO_RESULTS, carried=NOTHING_CARRIED))
    others = searched(found)
    assert found.answer.said == "GO IF on memory"
    assert rival(found.desk, others) is None
    assert others.surest is not None
    for times in (Fraction(9, 10), Fraction(11, 10)):  # only if it is no slower: smaller changes are told
        lighter = {"M": found.desk.base["M"] / 2, "T_step": found.desk.base["T_step"] * times}
        option = others.surest._replace(values={**others.surest.values, **lighter})
        told = recommended(found.desk, found.answer, replace(others, surest=option, sure=False))
        assert ("More likely to fit: " in told) == (times < 1)


def test_nothing_is_go_while_a_layout_may_be_faster_by_more_than_the_model_can_tell() -> None:
    """Until both are timed: a condition like any other, after those of the memory."""
    for job, about in ((llama3_405b(), ("memory", "the layout")),):
        found = review(job)
        alone = verdict(found.desk)
        assert alone.word == ("GO" if len(about) == 1 else "GO IF")
        faster = rival(found.desk, searched(found))
        assert faster is not None
        assert found.answer.word == "GO IF"
        assert found.answer.about == about
        assert found.answer.reason.startswith(f"{alone.reason}; another layout may take ")
        assert found.answer.reason.endswith(f", {faster.in_words} are in that order)")
        *before, last = found.answer.conditions
        assert tuple(before) == alone.conditions
        assert last.startswith(f"timed beside it, a few steps of {faster.name} take no less time")
        assert last.endswith("or do not fit; of all that are timed and fit, the fastest is trained in")
        assert found.answer.checks == (*alone.checks, "")


def test_a_rival_is_shorter_by_more_than_the_model_can_tell_and_in_three_of_four_cases() -> None:
    """Cases are pairs of published runs of one model: how far off the model had one beside the other."""
    found = review(llama3_8b(z_2=1, z_3=1, z_f=1))
    others = searched(found)
    assert others.option is not None
    pairs = pairs_of(found.desk.job, others.option)
    middle, three = at_shares(pairs, [Fraction(1, 2), Fraction(3, 4)])
    just = found.desk.likely("T_step").middle / max(three / middle, 1 + pair_error())
    theirs = likely_step(found.desk.job, others.option) / others.option.values["T_step"]
    for times, words in ((Fraction(102, 100), "GO"), (Fraction(98, 100), "GO IF")):
        option = others.option._replace(values={**others.option.values, "T_step": just * times / theirs})
        beside = beside_rival(verdict(found.desk), rival(found.desk, replace(others, option=option)))
        assert beside.word == words
        assert (beside == verdict(found.desk)) == (words == "GO")


def test_what_is_refused_is_refused_with_or_without_a_rival_and_nothing_found_is_no_rival() -> None:
    found = review(llama3_405b())
    alone = verdict(found.desk)
    refused = replace(alone, word="NO-GO")
    assert beside_rival(refused, rival(found.desk, found.found)) is refused
    assert rival(found.desk, None) is None
    assert rival(found.desk, replace(searched(found), proposed=None)) is None
    assert beside_rival(alone, None) is alone


def test_a_layout_is_refused_where_another_that_fits_is_faster_in_nine_of_ten_cases() -> None:
    found = review(llama3_405b(z_2=1))
    others = searched(found)
    other = rival(found.desk, others)
    assert other is not None
    for chance, fits, doubt, word in (
        (SURE, True, "", "NO-GO"), (SURE - Fraction(1, 100), True, "", "GO IF"),
        (SURE, False, "", "GO IF"), (SURE, True, " (none had it)", "GO IF"),
    ):  # fmt: skip
        there = replace(other, chance=chance, fits=fits, doubt=doubt)
        beside = beside_rival(verdict(found.desk), there)
        assert beside.word == word
        assert ("memory" in beside.about) == (word == "GO IF")
        assert len(beside.conditions) == (1 if word == "NO-GO" else 2)


def test_the_chance_of_being_faster_is_that_of_pairs_of_published_runs() -> None:
    found = review(llama3_405b(z_2=1))
    option = searched(found).option
    assert option is not None
    pairs = pairs_of(found.desk.job, option)
    step, (middle,) = likely_step(found.desk.job, option), at_shares(pairs, [Fraction(1, 2)])
    for tenths in (3, 6, 9):
        [later] = at_shares(pairs, [Fraction(tenths, 10)])
        chance = faster(found.desk.job, option, step * later / middle)
        assert float(chance) == pytest.approx(tenths / 10, abs=0.02)


def test_both_layouts_are_timed_first_and_the_other_stands_there_with_its_odds() -> None:
    found = review(llama3_405b(z_2=1))
    other, best = rival(found.desk, searched(found)), searched(found).option
    assert other is not None
    assert best is not None
    page = files(found, ("md",))["review.md"]
    row = next(line for line in page.splitlines() if line.startswith(("| limit:", "| moves:")))
    what, said, _, ratio, keeps, *_ = row.strip("| ").split(" | ")
    assert what == "limit: the layout"
    assert f"a few steps of {other.name} and of this layout" in said
    assert float(ratio) == pytest.approx(float(other.ratio), abs=0.0006)
    assert keeps == "≥ 1"
    told = prospects(found.desk, best)
    there = Desk(at(found.desk.job, best), found.desk.plan)
    step, days = there.likely("T_step"), there.likely("T_run").middle / 86400
    assert f"{shown(step.middle, SECOND)} (P50; P90 {shown(step.most, SECOND)})" in told
    assert f"the run {float(days):.1f} days" in told
    assert f"{there.outcome.in_words('u_M', there.job.limit_if)} of 100 such would fit" in told
    assert told in recommended(found.desk, found.answer, found.found)
