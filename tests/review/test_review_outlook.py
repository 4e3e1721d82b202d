"""The first page says what to expect: by the model, published runs, and what the model leaves out."""

import re
import statistics
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from jobs import gpt3_175b, llama3_8b, llama3_405b
from reviewed import review

from workings.planning.accuracy import alike, step_times
from workings.planning.cost import plan
from workings.planning.inputs import read_job
from workings.planning.job import Job, Results
from workings.planning.utilization import COUNTS, HALF, in_words, recounted
from workings.review.desk import Desk
from workings.review.outlook import beside_published, contention, known_step, on_odds
from workings.review.sources_of_odds import how_sure

REVIEWS = Path(__file__).parents[2] / "reports" / "reviews"


def desk(job: Job) -> Desk:
    return review(job).desk


@pytest.mark.parametrize(("mfu", "words"), [
    (Fraction(41, 100), " By the data sheet's 989.4 TFLOP/s its 400 TFLOP/s are 40.4 %, not 41 %."),
    (Fraction(40, 100), ""),
])  # fmt: skip
def test_a_published_mfu_that_is_not_of_the_published_rate_is_said(mfu: Fraction, words: str) -> None:
    told = Results({"C_u": Fraction(400 * 10**12), "u": mfu}, "a paper", counts=(HALF,))
    said = beside_published(desk(replace(llama3_405b(), published=told)))
    assert ("the data sheet's" in said) == bool(words)
    assert words in said


def test_what_was_published_of_the_run_stands_beside_what_the_model_says() -> None:
    values = {"C_u": Fraction(400 * 10**12), "u": Fraction(41, 100)}
    for name, share in COUNTS.items():
        told = Results(values, "a paper, table 4", counts=(share,))
        said = beside_published(desk(replace(llama3_405b(), published=told)))
        counted = in_words(share)
        assert (
            f"(a paper, table 4): a device does 400 TFLOP/s, an MFU of 41 %, read with {counted};" in said
        )
        u = desk(llama3_405b(kappa_u=share)).base["u"]
        ours = re.search(r", ([\d.]+) %", said.split("the model says")[1])
        assert ours is not None, name
        assert float(ours[1]) == pytest.approx(100 * float(u), abs=0.06), name


def test_nothing_published_is_nothing_said() -> None:
    assert not beside_published(desk(llama3_405b()))


def test_a_network_that_is_busy_for_most_of_the_step_is_named_with_its_share() -> None:
    job = llama3_405b(z_2=1, z_3=1, W_2=10**11)
    v = desk(job).base
    between = v["T_d"] + 2 * v["v"] * v["m"] * v["T_hop"]
    assert f"busy for {float(between / v['T_step']) * 100:.3g} %" in contention(desk(job))


def test_a_network_with_time_to_spare_is_not_named() -> None:
    assert not contention(desk(gpt3_175b()))


@pytest.mark.parametrize("stage", [0, 1])
def test_published_runs_of_the_same_kind_on_such_devices_give_the_range(stage: int) -> None:
    found = desk(llama3_8b(z_1=1, z_2=stage, z_3=stage))
    runs = [
        run for run in alike(step_times(), "NVIDIA Hopper", "16-bit")
        if run.values["z_2"] == stage and (stage or not run.values["E"])
    ]  # fmt: skip
    ratios = [float(run.ratio) for run in runs]
    step = float(found.base["T_step"])
    for end, share in zip(found.likely("T_step"), (0.1, 0.5, 0.9), strict=True):  # of all sources alike
        below: dict[str, list[bool]] = {run.source: [] for run in runs}
        for run in runs:
            below[run.source].append(float(run.ratio) <= float(end) / step)
        mean = statistics.mean(statistics.mean(some) for some in below.values())
        assert mean == pytest.approx(share, abs=0.06)
    assert f"{len(ratios)} step times" in how_sure(found)
    assert "on NVIDIA Hopper" in how_sure(found)


def test_a_measured_step_takes_the_place_of_what_is_likely() -> None:
    job = llama3_405b()
    said = known_step(desk(replace(job, measured=Results({"T_step": Fraction(7)}))))
    assert said.startswith("A step was measured to take 7 s, the run ")
    days = desk(job).base["T_run"] * 7 / desk(job).base["T_step"] / 86400
    assert f"{float(days):.3g} days" in said


def test_the_price_that_the_cost_rests_on_stands_on_the_first_page() -> None:
    job = llama3_405b()
    hour = Fraction(1, 3600)
    figure = replace(job.figures["c_d"], value=Fraction(5, 2) * hour, low=None, high=None, kind="given")

    def said(**change: Any) -> str:
        figures = {**job.figures, "c_d": replace(figure, **change)}
        return on_odds(desk(replace(job, figures=figures)))

    ends = {"low": 2 * hour, "high": 6 * hour}
    assert "The price is 2.5 USD/h, 2 to 6; costs are drawn from that range." in said(**ends)
    assert "The price is 2.5 USD/h, 2 to 6, assumed; costs" in said(kind="assumed", **ends)
    sure = {name: replace(job.figures[name], low=None, high=None) for name in ("gamma", "T_tok")}
    job = replace(job, figures={**job.figures, **sure})
    assert "The price is 2.5 USD/h." in said()
    assert "USD/h" not in said(value=Fraction(0))


@pytest.mark.parametrize("path", sorted(REVIEWS.glob("*/job.toml")), ids=lambda path: path.parent.name)
def test_no_step_is_taken_for_shorter_than_its_own_operations_at_the_peak(path: Path) -> None:
    own = Desk(read_job(path), plan())
    fastest = own.likely("T_step").least
    mfu = recounted(own.plan, own.job.values(), "u", HALF) * own.base["T_step"] / fastest
    assert 0 < mfu <= 1


def test_how_many_keep_the_limits_on_memory_and_on_the_run_is_the_product_where_it_is_less() -> None:
    job = gpt3_175b(T_tok=10**12)
    whole = desk(job)
    room = whole.likely("M").middle / job.limit_if
    both = desk(replace(job.with_values({"M_dev": room}), max_time=whole.likely("T_run").middle))
    chances = [
        both.outcome.chance("u_M", job.limit_if),
        both.outcome.chance("T_run", both.bounds["T_run"]),
    ]
    assert [round(float(one), 1) for one in chances] == [0.5, 0.5]
    assert re.search(r"Of 100 about 2[05] keep the limits on memory and on the run", on_odds(both))
    surely = desk(replace(job.with_values({"M_dev": 3 * room}), max_time=whole.likely("T_run").middle))
    assert "keep the limits on memory" not in on_odds(surely)
    assert "keep the limits on memory" not in on_odds(desk(job.with_values({"M_dev": room})))
