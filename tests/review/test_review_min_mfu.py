"""An MFU that is asked for decides as days and cost do, and the verdict says how it counts attention."""

import json
import re
from dataclasses import replace
from fractions import Fraction

import pytest
from jobs import llama3_8b
from reviewed import files, review

from workings.planning.cost import plan
from workings.planning.job import Job, Results
from workings.review.build import Review
from workings.review.desk import Desk
from workings.review.verdict import verdict


def job(least: Fraction | None = None, measured: Fraction | None = None, **letters: Fraction) -> Job:
    """8B on eight roomy devices, its matrix products anywhere between half and 80 % of the peak."""
    job = llama3_8b(M_dev=Fraction(140 * 10**9), **letters)
    eta = replace(job.figures["eta"], low=Fraction(8, 10), high=Fraction(5, 10))
    ran = Results({"T_step": measured}) if measured else Results({})
    return replace(job, figures={**job.figures, "eta": eta}, min_mfu=least, measured=ran)


def case(name: str) -> Fraction:
    """The MFU of the job without a limit: at the `least` cost, in the `middle`, at the `most`."""
    value: Fraction = getattr(review(job()).desk.likely("u"), name)
    return value


def first_page(found: Review) -> str:
    return files(found, ("md",))["review.md"].split("\n## ")[0]


def test_an_mfu_that_ninety_of_a_hundred_runs_reach_is_go() -> None:
    answer = review(job(case("most") * Fraction(99, 100))).answer
    assert answer.said == "GO on memory and MFU"
    assert answer.conditions == ()


def test_an_mfu_that_half_of_all_runs_miss_is_no_go_with_both_numbers_and_how_it_counts() -> None:
    least = case("middle") * Fraction(11, 10)
    answer = review(job(least)).answer
    assert answer.said == "NO-GO on MFU"
    assert "half of attention's scores counted (causal)" in answer.reason
    reached, wanted = re.findall(r"(\d+\.?\d*) %", answer.reason)
    assert float(reached) == pytest.approx(100 * float(case("middle")), abs=0.06)
    assert float(wanted) == pytest.approx(100 * float(least), abs=0.06)


def test_an_mfu_that_a_few_runs_miss_is_a_risk_that_is_named() -> None:
    answer = review(job((case("middle") + case("most")) / 2)).answer
    assert answer.word == "GO IF"
    assert re.search(r"\(only about [5-8][05] of 100 runs like this one would reach it\)", answer.reason)
    assert "a measured step takes at most" in answer.conditions[0]


def test_an_mfu_that_the_model_reaches_and_most_published_runs_miss_is_no_go() -> None:
    sharded = job(z_1=Fraction(1), z_2=Fraction(1), z_3=Fraction(1))  # published ones were slower
    desk = review(sharded).desk
    likely = desk.likely("u")
    assert likely.middle < desk.base["u"]
    answer = review(replace(sharded, min_mfu=(likely.middle + desk.base["u"]) / 2)).answer
    assert answer.word == "NO-GO"
    assert "% (P50), less than the" in answer.reason


@pytest.mark.parametrize("beyond", [Fraction(1, 10**n) for n in (3, 5, 8)])
def test_an_mfu_and_what_it_hardly_misses_are_printed_so_that_they_differ(beyond: Fraction) -> None:
    answer = review(job(case("middle") * (1 + beyond))).answer
    assert answer.word == "NO-GO"
    reached, wanted = re.findall(r"(\d+\.?\d*) %", answer.reason)
    assert float(reached) < float(wanted)


def test_how_attention_is_counted_decides_and_is_said() -> None:
    least = case("middle") * Fraction(101, 100)
    answer = review(job(least, kappa_u=Fraction(1))).answer
    assert answer.word != "NO-GO"
    assert "all of attention's scores counted" in answer.reason


def test_the_efficiency_that_is_said_to_reach_it_does() -> None:
    least = case("middle") * Fraction(11, 10)
    (condition,) = review(job(least)).answer.conditions
    share = re.search(r"matrix products that reach ([\d.]+) % of the peak", condition)
    assert share is not None
    eta = Fraction(share[1]) / 100
    for given, reached in ((eta, True), (eta - Fraction(2, 1000), False)):
        there = job(least).figures["eta"]
        settled = replace(there, value=given, low=None, high=None)
        desk = Desk(replace(job(least), figures={**job().figures, "eta": settled}), plan())
        assert (verdict(desk).word == "GO IF") is reached


def test_the_batch_that_is_said_to_reach_it_does() -> None:
    few = job(p=Fraction(2), b=Fraction(8))  # a pipeline that fills and drains often
    least = review(few).desk.likely("u").middle * Fraction(21, 20)
    (condition,) = review(replace(few, min_mfu=least)).answer.conditions
    found = re.search(r"a batch of ([\d,]+) sequences", condition)
    assert found is not None
    batch = Fraction(found[1].replace(",", ""))
    desk = Desk(replace(few, min_mfu=least), plan())
    for given, word in ((batch, "GO IF"), (batch - 8, "NO-GO")):
        there = replace(desk.job.figures["b"], value=given)
        answer = verdict(Desk(replace(desk.job, figures={**desk.job.figures, "b": there}), plan()))
        assert answer.word == word


def test_a_measured_step_decides_alone() -> None:
    desk = review(job()).desk
    for times, word in ((Fraction(9, 10), "GO"), (Fraction(11, 10), "NO-GO")):
        assert review(job(desk.base["u"], desk.base["T_step"] * times)).answer.word == word


def test_a_layout_that_misses_it_is_replaced_by_one_that_reaches_it_or_by_none() -> None:
    wide = job(t=Fraction(8), t_e=Fraction(8), z_s=Fraction(1))
    found = review(wide)
    assert found.found is not None
    best = found.found.result.best[0].values["u"]
    between = (found.desk.base["u"] + best) / 2
    assert between > found.desk.base["u"]
    reached = first_page(review(replace(wide, min_mfu=between)))
    share = re.search(r"Recommended: instead .* at an MFU of ([\d.]+) %", reached)
    assert share is not None
    assert Fraction(share[1]) / 100 >= between - Fraction(1, 2000)
    refused = first_page(review(replace(wide, min_mfu=best * Fraction(3, 2))))
    assert "Recommended: another limit on the MFU, or what its condition names" in refused


def test_the_first_page_the_register_and_the_json_have_the_limit() -> None:
    least = case("middle") * Fraction(11, 10)
    found = review(job(least))
    first = first_page(found)
    assert "| the plan | MFU | 90.9 % of it reached |" in first
    assert f"| MFU, causal, % | {100 * float(least):.1f} | " in first
    written = files(found, ("md",))
    read = json.loads(written["review.json"])
    assert read["limits"]["min_mfu"] == pytest.approx(float(least))
    kept = next(e for e in read["register"] if e["letter"] == "eta")["holds"]
    assert {(h["word"], h["side"]) for h in kept} == {("GO IF", ">=")}
    assert json.loads(files(review(job()), ("md",))["review.json"])["limits"]["min_mfu"] is None
