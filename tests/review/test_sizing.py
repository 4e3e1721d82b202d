"""Devices side by side: each row is what a review says, and the sentence names the row it means."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import workings
from workings.planning.cost import plan
from workings.planning.inputs import read_job
from workings.planning.inputs.asked import reading
from workings.planning.job import Job, JobError
from workings.planning.prices import price
from workings.review import sized
from workings.review.sizing import Device, Limits, Sized, size

DAY = 86400
LINE = {"model": "llama3-8b", "gpu": "h100-sxm", "gpus": 32, "seq": 8192, "global_batch": "4M",
        "tokens": "1T", "price": "2.5 USD/h"}  # fmt: skip
WIDE = Limits(Fraction(10_000 * DAY), Fraction(10**9), Fraction(DAY))
LIMITS = Limits(Fraction(60 * DAY), Fraction(200_000), Fraction(DAY))


def sized_job(path: Path, cluster: str) -> Path:
    """A job file on H100s, with more said of its cluster."""
    path.write_text(
        f'[model]\npreset = "llama3-8b"\n[cluster]\nhardware = "h100-sxm"\ndevices = 64\n{cluster}\n'
        '[launch]\nbatch = "4M"\nsequence_length = 8192\ntraining_tokens = "1T"\n',
        encoding="utf-8",
    )
    return path


def read(**more: object) -> Callable[[Mapping[str, str]], Job]:
    return reading(None, {}, {**LINE, **more})


def found(
    *devices: Device, numbers: tuple[int, ...] = (32, 64), limits: Limits = LIMITS, **more: object
) -> Sized:
    return size(read(**more), plan(), devices, numbers, limits)


def test_a_row_is_what_a_review_of_the_job_with_that_many_devices_says() -> None:
    for row in found(numbers=(32, 128)).rows:
        line: dict[str, Any] = {**LINE, "gpus": row.devices, "max_days": 60, "max_cost": "200k USD"}
        review = workings.review(**line)
        assert row.answer is not None
        answer = review.review.answer
        assert (row.answer.said, row.answer.reason) == (answer.said, answer.reason)
        said = {32: "GO IF on days and the layout", 128: "GO IF on the layout"}  # nobody ran them
        assert row.answer.said == said[row.devices]
        assert row.worked.base == review.review.desk.base
        assert row.worked.high["T_run"] == review.review.desk.high["T_run"]


def test_an_mfu_that_is_asked_for_is_kept_to_from_above_and_at_the_bad_end_is_the_lowest() -> None:
    odds = found(numbers=(64,)).rows[0].odds("u")
    low, high = min(odds.least, odds.most), max(odds.least, odds.most)

    def holding(least: Fraction) -> str:
        return sized.holding(found(numbers=(64,), limits=WIDE, min_mfu=str(float(least))).rows[0])

    assert holding(low / 2) == "most"
    assert holding((low + odds.middle) / 2) == "middle"
    assert holding((odds.middle + high) / 2) == ""
    missed = found(numbers=(64,), limits=WIDE, min_mfu=str(float(high)))
    assert "its MFU is" in sized.answer(missed)
    assert "an MFU of" in sized.answer(missed)


def test_other_hardware_is_a_job_on_it_at_the_price_that_is_named() -> None:
    rows = found(Device("b200-sxm", Fraction(4, 3600)), numbers=(32,)).rows
    line: dict[str, Any] = {**LINE, "gpu": "b200-sxm", "price": "4 USD/h"}
    review = workings.review(**line)
    assert rows[0].worked.base == review.review.desk.base


def test_other_devices_cost_what_they_are_offered_at_or_if_nowhere_what_the_jobs_own_do() -> None:
    result = found(Device("h100-sxm"), Device("b200-sxm"), Device("b300-sxm"), numbers=(32,))
    prices = [row.worked.job.figures["c_d"] for row in result.rows]
    offered = Fraction(price("NVIDIA B200").value.split()[0])
    assert [(3600 * one.value, one.kind) for one in prices] == [
        (Fraction(5, 2), "given"), (offered, "assumed"), (Fraction(5, 2), "assumed")
    ]  # fmt: skip
    notes = str(sized.notes(result))
    assert "The price of b200-sxm is assumed: RunPod asks" in notes
    assert "The price of b300-sxm is assumed: the price of the job's own device." in notes


def test_the_smallest_is_the_smallest_number_of_nodes_and_no_doubling() -> None:
    limits = Limits(Fraction(35 * DAY), None, Fraction(DAY))
    rows = [row for row in found(numbers=(), limits=limits).rows if row.holds("most")]
    assert rows[0].devices == 112
    for devices in (64, 72):
        [less] = found(numbers=(devices,), limits=limits).rows
        assert not less.holds("most")


def test_spares_cost_what_their_devices_cost_for_as_long_as_the_run_takes() -> None:
    [row] = found(numbers=(1024,)).rows
    assert row.spares
    assert row.spares_cost == row.spares * 8 * row.odds("T_run").middle * row.worked.base["c_d"]
    [unknown] = found(Device("h200-sxm"), numbers=(64,)).rows
    assert unknown.spares_cost is None


def test_limits_hold_in_the_middle_at_the_bad_end_or_not() -> None:
    [row] = found(numbers=(64,)).rows
    days = row.odds("T_run")
    for limit, holds in ((days.most, "most"), (days.middle, "middle"), (days.least, "")):
        [again] = found(numbers=(64,), limits=Limits(limit, None, Fraction(DAY))).rows
        assert sized.holding(again) == holds


def test_without_published_runs_the_range_is_no_narrower_than_the_assumptions_of_a_step() -> None:
    [row] = found(Device("mi300x"), numbers=(64,)).rows
    desk, odds = row.worked, row.odds("T_step")
    assert odds.least <= desk.low["T_step"] < odds.middle == desk.base["T_step"] < desk.high["T_step"]
    assert desk.high["T_step"] <= odds.most


def test_the_answer_names_the_cheapest_and_the_smallest() -> None:
    result = found(Device("h100-sxm", Fraction(3, 3600)), Device("h200-sxm", Fraction(2, 3600)))
    assert sized.answer(result).startswith(
        "The cheapest and smallest that keeps to 60 days and 200,000 USD even at the bad end is "
        "64 × h200-sxm (8 nodes), with "
    )
    dear, cheap = Device("h100-sxm", Fraction(9, 4 * 3600)), Device("h200-sxm", Fraction(2, 3600))
    rows = (*found(dear, numbers=(64,)).rows, *found(cheap, numbers=(128,)).rows)
    both = sized.answer(replace(result, rows=rows))
    assert "bad end is 128 × h200-sxm (16 nodes), with " in both
    assert "; the smallest is 64 × h100-sxm (8 nodes), with " in both


def test_where_nothing_keeps_to_the_limits_the_nearest_miss_is_named() -> None:
    tight = Limits(Fraction(DAY), None, Fraction(DAY))
    said = sized.answer(found(limits=tight))
    assert said.startswith("Nothing keeps to 1 day in the middle. Least misses 64 × h100-sxm")
    assert said.endswith("times those allowed.")


def test_a_number_without_a_layout_is_a_row_with_its_reason() -> None:
    odd, whole = found(numbers=(36, 64)).rows
    assert "expected whole nodes of 8 devices" in odd.reason
    assert not odd.holds("middle")
    assert whole.holds("middle")


def test_a_job_without_a_device_is_sized_on_those_that_are_named() -> None:
    [row] = found(Device("h200-sxm"), numbers=(64,), gpu=None, gpus=None, price=None).rows
    assert row.worked.job.device == "NVIDIA H200 SXM, 141 GB"


def test_spares_are_counted_where_it_is_known_how_often_a_device_fails() -> None:
    h100, h200 = found(Device("h100-sxm"), Device("h200-sxm"), numbers=(1024,)).rows
    assert (h100.spares, h200.spares) == (2, None)


def test_the_jobs_own_cluster_is_kept_as_it_is_described(tmp_path: Path) -> None:
    """Its slow network and its mean time between failures are its own device's, and of no other."""
    path = tmp_path / "job.toml"
    own = read_job(sized_job(path, 'network_one_way = "10 GB/s"\nmtbf = "1000 h"\nprice = "2 USD/h"'))
    both = size(reading(path, {}, {}), plan(), (Device("h100-sxm"), Device("h200-sxm")), (64,), LIMITS)
    mine, other = both.rows
    assert mine.worked.job.figures["W_2"] == own.figures["W_2"]
    assert other.worked.job.figures["W_2"] != own.figures["W_2"]
    assert (mine.spares, other.spares) == (4, None)
    said = " ".join(sized.notes(both))
    assert "every 1,000 h (h100-sxm)" in said
    assert "cluster.mtbf and cluster.network_one_way of the job count for its own" in said


def test_a_mean_time_that_is_none_is_refused_by_its_key(tmp_path: Path) -> None:
    with pytest.raises(JobError, match=r"cluster.mtbf: found .*, expected a positive quantity such as"):
        read_job(sized_job(tmp_path / "job.toml", 'mtbf = "80 GB"'))


def test_what_is_kept_of_a_job_without_degrees_is_kept_in_every_row() -> None:
    for row in found(zero=1).rows:
        assert row.worked.base["z_1"] == 1


def test_limits_may_stand_in_the_job_and_one_is_needed() -> None:
    none = Limits(None, None, Fraction(DAY))
    with pytest.raises(JobError, match="found no limit, expected --days, --budget"):
        found(limits=none)
    assert found(limits=none, max_days="50").limits.max_time == 50 * DAY


def test_nothing_with_a_layout_is_an_error_that_says_why() -> None:
    with pytest.raises(JobError, match="nothing with a layout; with 1 devices, no layout fits"):
        found(numbers=(1,))


def test_what_the_answer_rests_on_is_said() -> None:
    notes = " ".join(sized.notes(found(Device("mi300x"), tokens=None, tp=2)))
    assert "fewer than 9 sources of published runs on mi300x" in notes
    assert "The run's tokens are assumed: 160.6 billion, 20 for each parameter" in notes
    assert "The job's own layout is left for the best of a search." in notes


def test_what_the_job_computes_again_is_so_on_every_device() -> None:
    rows = size(read(recompute="mlp"), plan(), [Device("h100-sxm")], (32,), LIMITS).rows
    assert rows[0].job is not None
    assert rows[0].worked.base["r_up"] == 1
