"""Limits that a person sets on days and cost decide as the memory does, and are seen where one signs."""

import json
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner
from jobs import llama3_8b
from reviewed import files, review

from workings.cli import main
from workings.planning.cost import plan
from workings.planning.job import Job, Results
from workings.review.build import Review
from workings.review.desk import Desk

DAY = 86400


def ranged(**limits: Fraction) -> Job:
    """8B on eight devices, its matrix products anywhere between half and 80 % of the peak."""
    job = llama3_8b()
    eta = replace(job.figures["eta"], low=Fraction(8, 10), high=Fraction(5, 10))
    return replace(job, figures={**job.figures, "eta": eta}, **limits)  # type: ignore[arg-type]


def between(letter: str, part: Fraction) -> Fraction:
    """A value of the run between its low (0), base (1) and high (2) case."""
    desk = review(ranged()).desk
    low, base, high = (case[letter] for case in (desk.low, desk.base, desk.high))
    return low + (base - low) * part if part <= 1 else base + (high - base) * (part - 1)


LIMITS = [("max_time", "T_run"), ("max_cost", "c_run")]
WORDS = [(Fraction(5, 2), "GO"), (Fraction(3, 2), "GO IF"), (Fraction(1, 2), "NO-GO")]


@pytest.mark.parametrize(("key", "letter"), LIMITS)
@pytest.mark.parametrize(("part", "word"), WORDS)
def test_a_limit_is_passed_by_the_base_by_the_high_case_or_not(
    key: str, letter: str, part: Fraction, word: str
) -> None:
    answer = review(ranged(**{key: between(letter, part)})).answer
    assert answer.word == word
    assert bool(answer.conditions) == (word != "GO")


@pytest.mark.parametrize(("key", "letter"), LIMITS)
def test_the_step_that_a_condition_asks_for_keeps_the_limit(key: str, letter: str) -> None:
    limit = between(letter, Fraction(1, 2))
    found = review(ranged(**{key: limit}))
    (condition,) = found.answer.conditions
    seconds = Fraction(condition.split("at most ")[1].split(" s")[0])
    base = found.desk.base
    part = seconds / base["T_step"] / (limit / base[letter])
    assert Fraction(998, 1000) < part <= 1


@pytest.mark.parametrize(("key", "letter"), LIMITS)
@pytest.mark.parametrize("beyond", [Fraction(10**n - 1, 10**n) for n in (3, 5, 8)])
def test_a_value_and_the_limit_that_it_passes_are_printed_so_that_they_differ(
    key: str, letter: str, beyond: Fraction
) -> None:
    answer = review(ranged(**{key: between(letter, Fraction(1)) * beyond})).answer
    assert answer.word == "NO-GO"
    takes, allowed = re.findall(r"\d[\d,.]*", answer.reason)[:2]
    assert float(takes.replace(",", "")) > float(allowed.replace(",", ""))


def test_one_day_is_allowed_and_not_one_days() -> None:
    answer = review(ranged(max_time=Fraction(DAY))).answer
    assert "more than the 1 day allowed" in answer.reason


def test_memory_that_passes_a_limit_by_little_is_printed_beyond_it() -> None:
    share = review(ranged()).desk.base["u_M"]
    job = replace(ranged(), limit=share / 2, limit_if=share * Fraction(99999, 100000))
    answer = review(job).answer
    assert answer.word == "NO-GO"
    takes = float(answer.reason.split("takes ")[1].split(" %")[0])
    assert takes > float(job.limit_if) * 100


def test_the_peak_that_a_condition_allows_keeps_the_limit() -> None:
    share = review(ranged()).desk.base["u_M"]
    job = replace(ranged(), limit=share / 2, limit_if=share * Fraction(12347, 12345))
    (condition,) = review(job).answer.conditions
    allowed = Fraction(condition.split("stays below ")[1].split(" GB")[0]) * 10**9
    most = job.limit_if * job.values()["M_dev"]
    assert most * Fraction(999, 1000) < allowed <= most


def test_the_worst_of_all_limits_decides_and_the_strictest_states_its_condition() -> None:
    job = ranged(max_time=between("T_run", Fraction(3, 2)), max_cost=between("c_run", Fraction(1, 2)))
    answer = review(job).answer
    assert answer.word == "NO-GO"
    assert answer.reason.startswith("the run costs ")
    (condition,) = answer.conditions
    assert "price" in condition


def test_a_limit_that_is_passed_is_among_the_constraints_of_the_first_page() -> None:
    job = ranged(max_time=between("T_run", Fraction(1, 2)), max_cost=between("c_run", Fraction(1, 2)))
    first = page(review(job)).split("## ")[0]
    assert "| the plan | days of the run | " in first
    assert "| the plan | cost of the run | " in first


def test_the_limits_and_where_inputs_keep_them_are_in_the_json() -> None:
    limit = between("T_run", Fraction(1, 2))
    found = json.loads(files(review(ranged(max_time=limit)), ("md",))["review.json"])
    assert found["limits"]["max_days"] == pytest.approx(float(limit / DAY))
    assert found["limits"]["max_cost"] is None
    goodput = next(e for e in found["register"] if e["letter"] == "gamma")["keeps"]["T_run"]
    assert goodput["side"] == ">="
    assert not goodput["kept"]


def test_the_register_says_where_inputs_keep_a_limit_that_is_set() -> None:
    assert "keeps days" not in page(review(ranged()))
    assert "keeps days" in page(review(ranged(max_time=between("T_run", Fraction(1, 2)))))


def page(found: Review) -> str:
    return files(found, ("md",))["review.md"]


def test_a_limit_that_the_middle_of_published_runs_passes_asks_for_a_condition() -> None:
    job = llama3_8b(
        z_1=Fraction(1), z_2=Fraction(1), z_3=Fraction(1)
    )  # nothing uncertain; such runs are slower than a plan says
    desk = Desk(job, plan())
    base, likely = desk.base, desk.likely("T_run")
    assert likely is not None
    middle = likely.middle
    assert middle > base["T_run"]
    limit = (base["T_run"] + middle) / 2
    answer = review(replace(job, max_time=limit)).answer
    assert answer.word == "GO IF"
    assert "by the middle of published runs" in answer.reason
    assert review(replace(job, max_time=2 * base["T_run"])).answer.word == "GO"


def test_a_peak_above_the_worst_case_is_said_to_be() -> None:
    job = llama3_8b()
    high = Desk(job, plan()).high["M"]
    found = review(replace(job, measured=Results({"M": high + 10**9})))
    assert "1 GB more than the model has at worst" in found.answer.reason


def test_limits_beside_a_job_file_are_sent_into_it(tmp_path: Path) -> None:
    ran = CliRunner().invoke(main, ["review", str(tmp_path / "job.toml"), "--max-days", "50"])
    assert ran.exit_code == 2
    assert "found --max-days beside" in ran.output
    assert "expected its [review]" in ran.output


def test_the_odds_of_keeping_a_limit_are_those_of_published_runs_and_of_goodput() -> None:
    desk = review(ranged()).desk
    likely = desk.likely("T_run")
    assert likely is not None
    for limit, least, most in ((likely.least, 9, 11), (likely.middle, 49, 51), (likely.most, 89, 91)):
        reason = review(ranged(max_time=limit)).answer.reason
        odds = re.search(
            rf"as {len(desk.runs)} published runs went, (\d+) of 100 would keep to it", reason
        )
        assert odds is not None
        assert least <= int(odds[1]) <= most
    assert "more than 99 of 100" in review(ranged(max_time=4 * likely.most)).answer.reason
    assert "fewer than 1 of 100" in review(ranged(max_time=likely.least / 4)).answer.reason


def test_nothing_is_said_of_odds_where_no_published_run_tells_them() -> None:
    job = replace(ranged(max_time=between("T_run", Fraction(3, 2))), device="a device of one's own")
    assert "of 100" not in review(job).answer.reason


def test_an_uncertain_price_widens_the_odds_of_the_cost_and_not_of_the_days() -> None:
    job = ranged()
    price = job.figures["c_d"]
    dear = replace(price, low=price.value / 2, high=price.value * 2)
    wide = review(replace(job, figures={**job.figures, "c_d": dear})).desk
    sure = review(job).desk
    assert wide.likely("T_run") == sure.likely("T_run")
    ours, theirs = wide.likely("c_run"), sure.likely("c_run")
    assert ours is not None
    assert theirs is not None
    assert ours.least < theirs.least < theirs.most < ours.most
