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
from workings.planning.accuracy import Spread, spread, step_times
from workings.planning.cost import plan
from workings.planning.inputs.asked import job_asked
from workings.planning.job import Job, Results
from workings.review.build import Review
from workings.review.desk import Desk
from workings.review.verdict import verdict

DAY = 86400


def ranged(**limits: Fraction) -> Job:
    """8B on eight roomy devices, its matrix products anywhere between half and 80 % of the peak."""
    job = llama3_8b(M_dev=Fraction(140 * 10**9))
    eta = replace(job.figures["eta"], low=Fraction(8, 10), high=Fraction(5, 10))
    return replace(job, figures={**job.figures, "eta": eta}, **limits)  # type: ignore[arg-type]


def between(letter: str, part: Fraction) -> Fraction:
    """A value of the run between its P10 (0), P50 (1) and P90 (2)."""
    low, middle, high = review(ranged()).desk.likely(letter)
    return low + (middle - low) * part if part <= 1 else middle + (high - middle) * (part - 1)


LIMITS = [("max_time", "T_run"), ("max_cost", "c_run")]
WORDS = [(Fraction(5, 2), "GO"), (Fraction(3, 2), "GO IF"), (Fraction(1, 2), "NO-GO")]


@pytest.mark.parametrize(("key", "letter"), LIMITS)
@pytest.mark.parametrize(("part", "word"), WORDS)
def test_a_limit_is_go_where_p90_keeps_it_and_go_if_where_p50_does(
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
    takes, allowed = re.findall(r"([\d,.]+) (?:million )?(?:days?|USD)", answer.reason)[:2]
    assert float(takes.replace(",", "")) > float(allowed.replace(",", ""))


def test_one_day_is_allowed_and_not_one_days() -> None:
    answer = review(ranged(max_time=Fraction(DAY))).answer
    assert "more than the 1 day allowed" in answer.reason


def test_memory_that_passes_a_limit_by_little_is_printed_beyond_it() -> None:
    share = review(ranged()).desk.likely("u_M").middle
    job = replace(ranged(), limit=share / 2, limit_if=share * Fraction(99999, 100000))
    answer = review(job).answer
    assert answer.word == "GO IF"
    assert "(P50), more than the " in answer.reason
    takes = float(answer.reason.split("takes ")[1].split(" %")[0])
    assert takes > float(job.limit_if) * 100


def test_memory_is_refused_only_where_p10_of_its_odds_passes_the_limit() -> None:
    """A model's own figure beyond the limit refuses nothing, as a few steps show the peak."""
    least, middle, most = review(ranged()).desk.likely("u_M")
    assert least < review(ranged()).desk.base["u_M"]
    below, above = Fraction(99, 100), Fraction(101, 100)
    for limit, word in ((least * below, "NO-GO"), (least * above, "GO IF"), (most * below, "GO IF"),
                        (most * above, "GO")):  # fmt: skip
        job = replace(ranged(), limit=min(least, limit) / 2, limit_if=limit)
        assert review(job).answer.word == word
        assert ("more than the" in review(job).answer.reason) == (limit < middle)


def test_the_peak_that_a_condition_allows_keeps_the_limit() -> None:
    share = review(ranged()).desk.base["u_M"]
    job = replace(ranged(), limit=share / 2, limit_if=share * Fraction(13347, 12345))
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
    efficiency = next(e for e in found["register"] if e["letter"] == "eta")["holds"]
    assert {(one["word"], one["side"]) for one in efficiency} >= {("GO IF", ">=")}


def test_the_register_says_where_inputs_keep_a_limit_that_is_set() -> None:
    def row(job: Job) -> str:
        return next(r for r in page(review(job)).splitlines() if "`matmul_efficiency`" in r)

    assert "≥" not in row(ranged())
    assert "≥" in row(ranged(max_time=between("T_run", Fraction(1, 2))))


def page(found: Review) -> str:
    return files(found, ("md",))["review.md"]


def test_a_limit_that_more_than_half_of_published_runs_pass_is_refused_though_the_model_keeps_it() -> (
    None
):
    job = llama3_8b(
        z_1=Fraction(1), z_2=Fraction(1), z_3=Fraction(1), M_dev=Fraction(140 * 10**9)
    )  # nothing uncertain; such runs are slower than a plan says
    desk = Desk(job, plan())
    base, likely = desk.base, desk.likely("T_run")
    middle = likely.middle
    assert middle > base["T_run"]
    limit = (base["T_run"] + middle) / 2
    answer = review(replace(job, max_time=limit)).answer
    assert answer.word == "NO-GO"
    assert "days (P50), more than the" in answer.reason
    assert verdict(Desk(replace(job, max_time=2 * likely.most), plan())).word == "GO"


def test_a_peak_above_the_worst_case_is_said_to_be() -> None:
    job = llama3_8b()
    high = Desk(job, plan()).high["M"]
    found = review(replace(job, measured=Results({"M": high + 10**9})))
    assert "1 GB more than the model has at worst" in found.answer.reason


def test_the_worst_case_is_that_of_before_the_peak_was_measured() -> None:
    job = llama3_8b()
    context = job.figures["M_ctx"]
    ranged = replace(context, high=context.value + 5 * 10**9)
    job = replace(job, figures={**job.figures, "M_ctx": ranged})
    base = Desk(job, plan()).base["M"]
    for more, beyond in ((3, False), (6, True)):
        found = review(replace(job, measured=Results({"M": base + more * 10**9})))
        assert ("1 GB more than the model has at worst" in found.answer.reason) == beyond
        assert ("(the model: " in found.answer.reason) != beyond


JOB = """
[model]
preset = "llama3-8b"
[cluster]
hardware = "h100-sxm"
devices = 8
[launch]
dp = 8
zero = 3
batch = 64
sequence_length = 8192
[review]
max_days = 3
min_mfu = 0.2
"""


def test_limits_beside_a_job_file_stand_over_those_of_its_review(tmp_path: Path) -> None:
    (tmp_path / "job.toml").write_text(JOB, encoding="utf-8")
    job = job_asked(tmp_path / "job.toml", {}, {"max_days": "50", "max_cost": "5M USD"})
    assert job.max_time == 50 * DAY
    assert job.max_cost == 5 * 10**6
    assert job.min_mfu == Fraction(2, 10)
    job = job_asked(tmp_path / "job.toml", {}, {"min_mfu": "35 %"})
    assert job.max_time == 3 * DAY
    assert job.min_mfu == Fraction(35, 100)


def test_a_limit_beside_a_job_file_that_is_none_is_refused_by_its_option(tmp_path: Path) -> None:
    (tmp_path / "job.toml").write_text(JOB, encoding="utf-8")
    ran = CliRunner().invoke(main, ["review", str(tmp_path / "job.toml"), "--min-mfu", "3"])
    assert ran.exit_code == 2
    assert "--min-mfu: found 3, expected a share above 0, at most 1" in ran.output


@pytest.mark.parametrize(("end", "hundredths"), [("least", 10), ("middle", 50), ("most", 90)])
def test_the_odds_of_keeping_a_limit_are_those_of_published_runs_and_of_goodput(
    end: str, hundredths: int
) -> None:
    decile = getattr(review(ranged()).desk.likely("T_run"), end)
    reason = review(ranged(max_time=decile)).answer.reason
    chance = (
        rf"(about|5 to|40 to|80 to|85 to) {hundredths} of 100( runs like this one would keep to it)?\)"
    )
    assert re.search(chance, reason)


def test_the_surest_and_the_least_sure_are_said_as_finely_as_odds_are() -> None:
    likely = review(ranged()).desk.likely("T_run")
    far, near = (
        review(ranged(max_time=days)).answer.reason for days in (40 * likely.most, likely.least / 40)
    )
    assert "more than 95 of 100" in far
    assert "fewer than 5 of 100" in near


def test_where_no_published_run_tells_the_odds_they_are_assumed_and_said_to_be() -> None:
    """No narrower than the assumptions, nor than all published runs."""
    job = replace(ranged(max_time=between("T_run", Fraction(3, 2))), device="a device of one's own")
    found = review(job)
    ends = found.desk.outcome.ends("T_step")
    low, high = (case["T_step"] / found.desk.base["T_step"] for case in (found.desk.low, found.desk.high))
    every = spread(step_times())
    assert every is not None
    assert ends == Spread(min(low, every.least), Fraction(1), max(high, every.most))
    assert "The odds of a step are assumed, as no published step times on" in page(found)
    assert "of 100 runs like this one" in found.answer.reason


def test_an_uncertain_price_widens_the_odds_of_the_cost_and_not_of_the_days() -> None:
    job = ranged()
    price = job.figures["c_d"]
    dear = replace(price, low=price.value / 2, high=price.value * 2)
    wide = review(replace(job, figures={**job.figures, "c_d": dear})).desk
    sure = review(job).desk
    assert wide.likely("T_run") == sure.likely("T_run")
    ours, theirs = wide.likely("c_run"), sure.likely("c_run")
    assert ours.least < theirs.least < theirs.most < ours.most
