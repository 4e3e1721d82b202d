"""Checks name commands of the devices that a job has, and the values that would change its decision."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest
from jobs import gpt3_175b, llama3_8b
from reviewed import files, review

from workings.planning.job import Job, Results
from workings.review.answer import WORDS
from workings.review.desk import SETTLED, Desk, on_tpus
from workings.review.measure import Worth, checks
from workings.review.verdict import verdict

DAY = 86400


@pytest.mark.parametrize("name", ["presets/hardware/tpu-v4.toml", "presets/hardware/tpu-v5p.toml"])
def test_the_preset_of_the_hardware_says_that_devices_are_tpus(name: str) -> None:
    assert on_tpus(replace(llama3_8b(), files={"job.toml": b"", name: b""}))


@pytest.mark.parametrize("name", ["output.toml", "tpu-v5p.toml", "input/tpu.json"])
def test_the_names_of_other_files_say_nothing(name: str) -> None:
    assert not on_tpus(replace(llama3_8b(), files={name: b""}))


@pytest.mark.parametrize(
    ("called", "tpus"),
    [
        ("Llama 3 8B on 16 × TPU v5p", True),
        ("Llama 3 8B on 16 × OUTPUT 9", False),
        ("TPU run repeated on 16 × H100", False),
    ],
)
def test_a_cluster_given_by_hand_is_known_by_its_name(called: str, tpus: bool) -> None:
    assert on_tpus(replace(llama3_8b(), name=called)) == tpus


def test_a_preset_counts_more_than_a_name() -> None:
    files = {"presets/hardware/h100-sxm.toml": b""}
    assert not on_tpus(replace(llama3_8b(), name="Repeats a run on 16 TPU v5p", files=files))


def ranged(job: Job, **ranges: tuple[float, float]) -> Job:
    """The job with some assumptions anywhere between their low and high ends."""
    found = {
        letter: replace(job.figures[letter], low=Fraction(low), high=Fraction(high))
        for letter, (low, high) in ranges.items()
    }
    return replace(job, figures={**job.figures, **found})


def measured(job: Job, letter: str, value: Fraction) -> str:
    """The verdict once an assumption, or a result of the run, has been measured."""
    if letter in ("M", "T_step"):
        found = review(replace(job, measured=Results({letter: value})))
        return verdict(found.desk).word
    figure = replace(job.figures[letter], value=value, low=None, high=None)
    desk = Desk(replace(job, figures={**job.figures, letter: figure}), review(job).desk.plan)
    return verdict(desk).word


def memory_job(part: Fraction, **limits: Fraction) -> Job:
    """8B on eight devices, its limit such a part of what it takes; context and fragments uncertain."""
    job = ranged(
        llama3_8b(), M_ctx=(4 * 10**8, 10**9), x_frag=(0, 0.1), eta=(0.8, 0.5), gamma=(0.97, 0.8)
    )
    share = review(job).desk.base["u_M"] * part
    return replace(job, limit=share, limit_if=share * Fraction(102, 100), **limits)  # type: ignore[arg-type]


def letter_of(one: Worth) -> str:
    return one.letter


CASES: list[tuple[Fraction, dict[str, Fraction]]] = [
    (Fraction(11, 10), {}),  # GO
    (Fraction(101, 100), {}),  # GO IF: too much at worst
    (Fraction(99, 100), {}),  # GO IF: too much for GO as assumed
    (Fraction(97, 100), {}),  # NO-GO
    (Fraction(101, 100), {"max_time": Fraction(160 * DAY)}),
    (Fraction(11, 10), {"max_time": Fraction(150 * DAY)}),
    (Fraction(11, 10), {"min_mfu": Fraction(4, 10)}),
]


def case(number: int) -> Job:
    part, limits = CASES[number]
    return memory_job(part, **limits)


@pytest.mark.parametrize("number", range(len(CASES)))
def test_a_measured_value_at_the_threshold_keeps_the_decision_and_one_beyond_does_not(
    number: int,
) -> None:
    job = case(number)
    found = checks(review(job).desk)
    tried = 0
    for one in found:
        for held in one.holds:
            tried += 1
            base = review(job).desk.base
            product = base[one.check.letters[-1]]
            value = held.value / product if len(one.check.letters) > 1 else held.value
            beyond = value * (Fraction(1001, 1000) if held.at_most else Fraction(999, 1000))
            most = WORDS.index(held.word)
            assert WORDS.index(measured(job, letter_of(one), value)) <= most
            assert WORDS.index(measured(job, letter_of(one), beyond)) > most
    assert tried


def test_a_plan_that_is_go_is_not_told_where_it_would_be_go_if() -> None:
    words = {h.word for one in checks(review(case(0)).desk) for h in one.holds}
    assert words == {"GO"}


def test_a_plan_that_is_go_if_is_told_by_which_peak_it_is_go() -> None:
    desk = review(case(1)).desk
    peak = next(one for one in checks(desk) if letter_of(one) == "M")
    (held,) = peak.holds
    room = desk.job.limit_if * desk.base["M_dev"]
    assert held.word == "GO"
    assert room * Fraction(99999, 100000) < held.value <= room


def test_what_the_run_shows_comes_first_and_settles_the_accounts_of_memory_together() -> None:
    first, *others = checks(review(case(1)).desk)
    assert letter_of(first) == "M"
    assert not {letter_of(one) for one in others} & set(SETTLED["M"])


def test_a_measured_peak_asks_for_no_peak_and_ends_the_condition_on_it() -> None:
    job = case(2)
    assert review(job).answer.word == "GO IF"
    found = review(replace(job, measured=Results({"M": job.limit_if * review(job).desk.base["M_dev"]})))
    assert found.answer.word == "GO"
    assert not found.answer.conditions
    assert "M" not in {letter_of(one) for one in checks(found.desk)}


def test_a_measured_step_is_likely_to_be_what_was_measured() -> None:
    desk = review(replace(case(4), measured=Results({"T_step": Fraction(20)}))).desk
    step, run, u = (desk.likely(letter) for letter in ("T_step", "T_run", "u"))
    assert step is not None
    assert run is not None
    assert u is not None
    assert set(step) == {20}
    assert run.middle == desk.base["T_run"] * 20 / desk.base["T_step"]
    assert u.middle == desk.base["u"] * desk.base["T_step"] / 20


def test_without_a_limit_on_the_run_no_step_and_no_efficiency_decides() -> None:
    found = {letter_of(one): one for one in checks(review(ranged(gpt3_175b(), eta=(0.8, 0.5))).desk)}
    assert found.keys() == {"T_step"}
    assert found["T_step"].holds == ()


def test_with_a_limit_on_days_it_is_the_days_that_decide_and_goodput_is_worth_a_check() -> None:
    found = {letter_of(one): one for one in checks(review(case(5)).desk)}
    assert {"T_step", "gamma"} <= found.keys()
    assert found["gamma"].result == "T_run"
    assert found["T_step"].limits == found["gamma"].limits == ("T_run",)
    assert found["M"].limits == ()  # whatever the peak, the days keep it from GO
    assert checks(review(case(1)).desk)[0].limits == ("u_M",)


def test_what_was_fitted_to_whole_runs_is_not_to_be_timed_alone_unless_the_job_gives_it() -> None:
    job = ranged(case(5), T_gap=(0, 0.001), kappa=(0.4, 1))
    found = {letter_of(one) for one in checks(review(job).desk)}
    assert "kappa" in found
    assert not found & {"eta", "T_gap", "T_gap_x", "T_gap_z"}
    given = {n: replace(job.figures[n], kind="given") for n in ("eta", "T_gap")}
    desk = review(replace(job, figures={**job.figures, **given})).desk
    found = {letter_of(one) for one in checks(desk)}
    assert found & {"eta", "T_gap"}


def first_column(job: Job) -> dict[str, str]:
    """By its command, what a check is for."""
    page = files(review(job), ("md",))["review.md"].split("## Measure first")[1].split("\n## ")[0]
    rows = [line.split(" | ") for line in page.splitlines() if line.startswith(("| limit:", "| moves:"))]
    return {row[1]: row[0].removeprefix("| ") for row in rows}


def test_a_check_bears_the_limit_that_its_threshold_is_for_or_else_what_it_moves() -> None:
    moved = set(first_column(ranged(gpt3_175b(), eta=(0.8, 0.5))).values())
    assert moved - {"limit: the layout"} == {"moves: step time"}
    found = first_column(case(5))
    assert {of for what, of in found.items() if "the most" in what} == {"moves: memory"}
    assert {of for what, of in found.items() if "the most" not in what} == {"limit: days"}
    assert set(first_column(case(1)).values()) == {"limit: memory", "moves: step time"}
    likely = review(case(5)).desk.likely
    both = replace(
        case(5), max_time=likely("T_run").middle * 5, max_cost=likely("c_run").middle * Fraction(101, 100)
    )
    assert {of for what, of in first_column(both).items() if "the most" not in what} == {"limit: cost"}


def test_a_share_that_may_be_nothing_has_a_threshold_that_can_be_met() -> None:
    job = ranged(llama3_8b(t=1, t_e=1, n=64, z_2=1, z_3=1, b=128), h_d=(1, 0))
    job = replace(job, max_time=review(job).desk.likely("T_run").middle * Fraction(101, 100))
    found = {letter_of(one): one for one in checks(review(job).desk)}
    assert found["h_d"].limits == ("T_run",)
    assert found["h_d"].holds
    assert all(h.value > 0 for h in found["h_d"].holds)


def test_the_thresholds_are_in_the_json() -> None:
    found = json.loads(files(review(case(1)), ("md",))["review.json"])["measure"]
    peak = next(one for one in found if one["name"] == "peak_memory")
    assert [(h["word"], h["side"]) for h in peak["holds"]] == [("GO", "<=")]
