"""A point of a sweep is what the job gives there; what does not go says why."""

from itertools import pairwise
from pathlib import Path

import pytest
from sweep_files import JOB, reading

from workings.planning.choice import wishes
from workings.planning.cost import plan
from workings.planning.exact import exactly
from workings.planning.job import JobError
from workings.planning.search import search
from workings.planning.sweeping import Point, Swept, axes, sweep


def swept(
    folder: Path, *over: str, text: str = JOB, best: bool | None = None, weak: bool = False
) -> Swept:
    return sweep(reading(folder, text), plan(), axes(over), best=best, weak=weak)


def at(found: Swept, **where: str) -> Point:
    return next(p for p in found.points if dict(p.at) == where)


def test_every_combination_is_a_point_in_the_order_of_the_axes(tmp_path: Path) -> None:
    found = swept(tmp_path, "gpus=16,32", "seq=4k,8k")
    assert [tuple(p.at.values()) for p in found.points] == [
        ("16", "4k"), ("16", "8k"), ("32", "4k"), ("32", "8k"),
    ]  # fmt: skip
    assert found.complete


def test_a_point_is_the_job_read_with_these_settings(tmp_path: Path) -> None:
    point = at(swept(tmp_path, "gpus=16,32", "seq=4k,8k"), gpus="32", seq="4k")
    there = reading(tmp_path)({"devices": "32", "sequence_length": "4096"})
    values = exactly(plan(), there.values())
    assert all(point.values[letter] == values[letter] for letter in ("M", "T_step", "u", "R_s"))
    assert point.values["b"] == 1024  # 4M tokens in sequences of 4k


def test_what_a_layout_does_not_allow_is_said_and_the_sweep_goes_on(tmp_path: Path) -> None:
    found = swept(tmp_path, "gpus=12,64,2048")
    reasons = [point.reason for point in found.points]
    assert "whole nodes of 8 devices" in reasons[0]
    assert reasons[1] == ""
    assert "found 512, expected a multiple of microbatch × dp = 1 × 1,024" in reasons[2]
    assert [point.fits for point in found.points] == [None, True, None]


def test_a_layout_that_does_not_fit_has_its_numbers_and_the_reason(tmp_path: Path) -> None:
    point = swept(tmp_path, "seq=8k,64k").points[1]
    assert point.fits is False
    assert point.values["M"] > 80 * 10**9
    assert point.reason.startswith("the fullest rank takes ")


def test_a_point_that_misses_the_mfu_asked_for_does_not_fit(tmp_path: Path) -> None:
    least = swept(tmp_path, "tp=2").points[0].values["u"]
    asked = f"{JOB}[review]\nmin_mfu = {float(least) * 0.999:.6f}\n"
    reached, missed = swept(tmp_path, "tp=2,8", text=asked).points
    assert (reached.fits, missed.fits) == (True, False)
    assert missed.reason.startswith("the MFU (causal) is ")
    assert f"{float(missed.values['u']) * 100:.4g} %, " in missed.reason


def test_what_fits_is_what_the_job_allows_to_be_used(tmp_path: Path) -> None:
    held = swept(tmp_path, "seq=8k").points[0].values["M"]
    # 93 % of the device, more than the 90 % of a GO, less than the 97 % of a GO IF
    device = f'hardware = "h100-sxm"\nmemory = "{int(held * 100 / 93)} byte"'
    job = JOB.replace('hardware = "h100-sxm"', device)
    assert (
        "takes 93.0 % of the memory, limit 90.0 %" in swept(tmp_path, "seq=8k", text=job).points[0].reason
    )
    wider = f"{job}\n[review]\nlimits = [0.95, 0.97]\n"
    assert swept(tmp_path, "seq=8k", text=wider).points[0].fits


def test_a_layout_that_no_search_would_look_at_is_named(tmp_path: Path) -> None:
    text = JOB.replace("tp = 2", "tp = 2\npp = 4\nmicrobatch = 4\n").replace(
        "devices = 64", "devices = 512"
    )
    point = swept(tmp_path, "virtual_stages=1,2,8", text=text).points[1]
    # 512 sequences for 64 replicas are 2 micro-batches of 4, fewer than the 4 stages
    assert "stages divide the micro-batches" in point.reason
    assert not point.values
    assert point.layout["v"] == 2


def test_the_best_layout_is_that_of_a_search_and_beats_every_one_laid_out_by_hand(tmp_path: Path) -> None:
    best = swept(tmp_path, "gpus=8,64", best=True)
    for point in best.points:
        job = reading(tmp_path)({"devices": point.at["gpus"]})
        assert dict(point.layout) == dict(search(job, plan(), wishes(job, 1)).best[0].layout)
        by_hand = swept(tmp_path, "tp=1,2,4,8", "microbatch=1,2,4", "zero=1,3",
                        text=JOB.replace("devices = 64", f"devices = {point.at['gpus']}"))  # fmt: skip
        fitting = [p for p in by_hand.points if p.fits]
        assert fitting
        assert point.values["T_step"] <= min(p.values["T_step"] for p in fitting)


def test_a_job_with_a_layout_that_does_not_go_still_has_a_best_one(tmp_path: Path) -> None:
    found = swept(
        tmp_path, "gpus=8,4096", best=True, text=JOB.replace("tp = 2", "tp = 8\npp = 8\ndp = 1")
    )
    assert all(point.fits for point in found.points)
    assert found.points[1].values["n"] == 4096


def test_without_a_layout_the_best_is_taken(tmp_path: Path) -> None:
    assert swept(tmp_path, "gpus=8", text=JOB.replace("tp = 2\n", "")).best
    with pytest.raises(JobError, match="a job: found no layout"):
        swept(tmp_path, "gpus=8", text=JOB.replace("tp = 2\n", ""), best=False)


def test_a_search_can_be_held_to_a_layout_key(tmp_path: Path) -> None:
    found = swept(tmp_path, "tp=1,2,4", "recompute=none,full", best=True)
    assert [(p.layout["t"], p.layout["z_f"]) for p in found.points] == [
        (t, z) for t in (1, 2, 4) for z in (0, 1)
    ]  # fmt: skip
    with pytest.raises(JobError, match="dp: it follows from the layout"):
        swept(tmp_path, "dp=1,2", best=True)


def test_strong_scaling_shares_one_batch_and_weak_scaling_gives_each_device_the_same(
    tmp_path: Path,
) -> None:
    strong, weak = (swept(tmp_path, "gpus=8..256", weak=w) for w in (False, True))
    assert {point.values["b"] for point in strong.points} == {512}
    assert {point.values["b"] / point.values["n"] for point in weak.points} == {8}
    steps = [float(point.values["T_step"]) for point in strong.points]
    assert all(1.9 < before / after < 2.1 for before, after in pairwise(steps))
    steps = [float(point.values["T_step"]) for point in weak.points]
    assert max(steps) < 1.02 * min(steps)


def test_weak_scaling_keeps_tokens_where_sequences_are_swept_too(tmp_path: Path) -> None:
    found = swept(tmp_path, "gpus=8,64", "seq=4k,8k", weak=True)
    assert {p.values["b"] * p.values["s"] / p.values["n"] for p in found.points} == {65536}


def test_weak_scaling_needs_devices_to_grow_and_whole_sequences(tmp_path: Path) -> None:
    with pytest.raises(JobError, match="weak scaling: found no axis of devices"):
        swept(tmp_path, "seq=8k", weak=True)
    few = JOB.replace('"4M"', "16").replace("tp = 2", "tp = 8")
    point = swept(tmp_path, "gpus=2,64", weak=True, text=few).points[0]
    assert "found 0.5 sequences for 2 devices, expected whole ones" in point.reason


def test_a_batch_that_follows_from_micro_batches_stays_as_the_job_has_it(tmp_path: Path) -> None:
    text = JOB.replace('batch = "4M"', "microbatches = 16")
    found = swept(tmp_path, "gpus=32,64,128", text=text)
    assert {point.values["b"] for point in found.points} == {512}  # 16 × 1 × 32 replicas


def test_a_job_may_lack_what_is_swept(tmp_path: Path) -> None:
    text = JOB.replace("devices = 64\n", "").replace("sequence_length = 8192\n", "")
    assert [p.fits for p in swept(tmp_path, "gpus=16,32", "seq=4k,8k", text=text).points] == [True] * 4
    with pytest.raises(JobError, match="sequence_length: found nothing"):
        swept(tmp_path, "gpus=16,32", text=text)


def test_where_no_point_can_be_read_the_first_reason_is_the_error(tmp_path: Path) -> None:
    with pytest.raises(JobError, match="nonsense: found an unknown name"):
        swept(tmp_path, "nonsense=1,2")
    with pytest.raises(JobError, match="devices: found 9, expected whole nodes"):
        swept(tmp_path, "gpus=9,17")


@pytest.mark.parametrize("best", [False, True])
def test_ctrl_c_leaves_the_points_that_are_complete(tmp_path: Path, best: bool) -> None:
    def stop(done: int, whole: int) -> None:
        assert whole == 4
        if done == 2:
            raise KeyboardInterrupt

    found = sweep(reading(tmp_path), plan(), axes(["gpus=8..64"]), best=best, progress=stop)
    assert not found.complete
    assert [point.at["gpus"] for point in found.points] == ["8", "16"]


def test_a_search_at_every_point_keeps_to_what_the_job_computes_again(tmp_path: Path) -> None:
    text = JOB.replace("[launch]", '[launch]\nrecompute = "mlp"')
    for best in (True, False):
        [point] = swept(tmp_path, "gpus=64", text=text, best=best).points
        assert point.parts == "mlp"
    with pytest.raises(JobError, match="recompute: found 'none', expected one of mlp"):
        swept(tmp_path, "recompute=none", text=text, best=True)
