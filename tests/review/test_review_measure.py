"""Checks name commands of the devices that a job has, and the values that would change its decision."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest
from jobs import gpt3_175b, llama3_8b

from workings.planning.job import Job
from workings.review.build import review
from workings.review.desk import Desk
from workings.review.measure import IN_TIME, LATE, Worth, checks, on_tpus
from workings.review.verdict import WORDS, verdict
from workings.review.writing import files

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
    """The verdict once an assumption has been measured."""
    figure = replace(job.figures[letter], value=value, low=None, high=None)
    desk = Desk(replace(job, figures={**job.figures, letter: figure}), review(job).desk.plan)
    return verdict(desk.job, desk.base, desk.high).word


def memory_job(part: Fraction, **limits: Fraction) -> Job:
    """8B on eight devices, its limit such a part of what it takes; context and fragments uncertain."""
    job = ranged(
        llama3_8b(), M_ctx=(4 * 10**8, 10**9), x_frag=(0, 0.1), eta=(0.8, 0.5), gamma=(0.97, 0.8)
    )
    share = review(job).desk.base["u_M"] * part
    return replace(job, limit=share, limit_if=share * Fraction(102, 100), **limits)  # type: ignore[arg-type]


def letter_of(one: Worth) -> str:
    return one.measurement.figure.letter


JOBS = [
    memory_job(Fraction(11, 10)),  # GO
    memory_job(Fraction(101, 100)),  # GO IF: too much at worst
    memory_job(Fraction(99, 100)),  # GO IF: too much for GO as assumed
    memory_job(Fraction(97, 100)),  # NO-GO
    memory_job(Fraction(101, 100), max_time=Fraction(160 * DAY)),
    memory_job(Fraction(11, 10), max_time=Fraction(150 * DAY)),
]


@pytest.mark.parametrize("job", JOBS, ids=range(len(JOBS)))
def test_a_measured_value_at_the_threshold_keeps_the_decision_and_one_beyond_does_not(job: Job) -> None:
    found = checks(review(job).desk)
    tried = 0
    for one in found:
        for held in one.holds:
            if held.word == IN_TIME:
                continue
            tried += 1
            product = review(job).desk.base[one.measurement.check.letters[-1]]
            value = held.value / product if len(one.measurement.check.letters) > 1 else held.value
            beyond = value * (Fraction(1001, 1000) if held.at_most else Fraction(999, 1000))
            most = WORDS.index(held.word)
            assert WORDS.index(measured(job, letter_of(one), value)) <= most
            assert WORDS.index(measured(job, letter_of(one), beyond)) > most
    assert tried


def test_a_plan_that_is_go_is_not_told_where_it_would_be_go_if() -> None:
    words = {h.word for one in checks(review(JOBS[0]).desk) for h in one.holds}
    assert words == {"GO", IN_TIME}


def test_a_plan_that_is_go_if_is_told_where_it_is_go_and_where_it_is_no_go() -> None:
    fragments = next(one for one in checks(review(JOBS[1]).desk) if letter_of(one) == "x_frag")
    assert [h.word for h in fragments.holds] == ["GO", "GO IF"]
    assert fragments.holds[0].value < fragments.holds[1].value


def test_what_can_change_the_decision_comes_before_what_moves_a_result_more() -> None:
    first, *others = checks(review(JOBS[1]).desk)
    assert letter_of(first) == "x_frag"
    assert any(one.measurement.effect > first.measurement.effect for one in others)


def test_without_a_limit_on_the_run_a_check_says_from_where_a_step_is_late() -> None:
    job = ranged(gpt3_175b(), eta=(0.8, 0.5))
    desk = review(job).desk
    (one,) = checks(desk)
    (held,) = one.holds
    slow = held.value / desk.base["C"]
    times = [
        Desk(job.with_values({"eta": eta}), desk.plan).base["T_step"]
        for eta in (slow, slow * Fraction(999, 1000))
    ]
    assert held.word == IN_TIME
    assert times[0] <= (1 + LATE) * desk.base["T_step"] < times[1]


def test_with_a_limit_on_days_it_is_the_days_that_decide_and_goodput_is_worth_a_check() -> None:
    found = {letter_of(one): one for one in checks(review(JOBS[5]).desk)}
    assert {"eta", "gamma"} <= found.keys()
    assert found["gamma"].measurement.result == "T_run"
    assert not any(h.word == IN_TIME for one in found.values() for h in one.holds)


def test_a_share_that_may_be_nothing_has_a_threshold_that_can_be_met() -> None:
    job = ranged(llama3_8b(t=1, t_e=1, n=64, z_2=1, z_3=1, b=128), h_d=(1, 0))
    (one,) = checks(review(job).desk)
    assert all(h.value > 0 for h in one.holds)


def test_the_thresholds_are_in_the_json() -> None:
    found = json.loads(files(review(JOBS[1]), ("md",))["review.json"])["measure"]
    fragments = next(one for one in found if one["name"] == "fragments")
    assert [(h["word"], h["side"]) for h in fragments["holds"]] == [("GO", "<="), ("GO IF", "<=")]
