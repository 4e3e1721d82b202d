"""Published runs of the very model on such devices stand in its review, the likest first."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from jobs import experts_64, gpt3_175b
from reviewed import review

from workings.document.blocks import Table
from workings.planning.accuracy import LETTERS, Run
from workings.planning.job import Results
from workings.planning.utilization import HALF, recounted
from workings.planning.working import shown
from workings.review.build import document
from workings.review.desk import Desk
from workings.review.likest import (
    batch,
    beside_odds,
    likest,
    of_this_model,
    peaks_of_this_model,
    published_at,
)
from workings.units import SECOND


def run(desk: Desk, name: str, **other: Any) -> Run:
    """A run of the desk's model on such devices, but for what is said otherwise."""
    fields = {"generation": desk.device[0], "precision": desk.device[1], "source": name, "program": "",
              "mfu": Fraction(2, 5)}  # fmt: skip
    values = {letter: desk.base[letter] for letter in LETTERS}
    values |= {letter: Fraction(other.pop(letter)) for letter in tuple(other) if letter in LETTERS}
    return Run(ratio=Fraction(1), values=values, name=name, **{**fields, **other})


def known(monkeypatch: pytest.MonkeyPatch, *runs: Run) -> None:
    monkeypatch.setattr("workings.review.likest.step_times", lambda: runs)


def test_only_runs_of_the_same_model_on_such_devices_at_this_precision_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    desk = review(gpt3_175b()).desk
    known(
        monkeypatch, run(desk, "ours"), run(desk, "older", generation="NVIDIA Ampere"),
        run(desk, "narrow", precision="8-bit"), run(desk, "wider", F=1 + desk.base["F"]),
        run(desk, "deeper", L=1 + desk.base["L"]), run(desk, "unknown", mfu=Fraction(0)),
    )  # fmt: skip
    assert [one.name for one in likest(desk)] == ["ours"]


def test_its_program_comes_before_its_sequences_and_these_before_its_devices(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    desk = review(gpt3_175b()).desk
    n, s = desk.base["n"], desk.base["s"]
    known(
        monkeypatch, run(desk, "other program", program="deepspeed"), run(desk, "longer", s=2 * s),
        run(desk, "8 times as many", n=8 * n), run(desk, "twice as many", n=2 * n),
    )  # fmt: skip
    assert [one.name for one in likest(desk)] == ["twice as many", "8 times as many", "longer",
                                                  "other program"]  # fmt: skip


def test_one_of_each_source_and_the_fastest_are_printed_and_both_ends_are_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    desk = review(gpt3_175b()).desk
    u = recounted(desk.plan, desk.job.values(), "u", HALF)
    known(
        monkeypatch, run(desk, "a", mfu=u), run(desk, "b", mfu=u / 2), run(desk, "c", mfu=u, source="b"),
        run(desk, "d", mfu=2 * u, source="b"),
    )  # fmt: skip
    _, table = of_this_model(desk)
    said = str(document(review(gpt3_175b())).blocks)
    assert isinstance(table, Table)
    assert [str(row[0][0]).split("'")[1].split(" ")[0] for row in table.rows] == ["a", "b", "d"]
    t = desk.base["T_step"]
    assert f"{float(t / 2):.4g}" in said
    assert f"{float(2 * t):.4g}" in said


def test_where_none_is_known_the_page_says_so() -> None:
    found = review(experts_64())
    assert likest(found.desk) == ()
    assert "No published run of this model on such devices" in str(document(found).blocks)


def step_of(desk: Desk, batch: int, mfu: Fraction) -> Fraction:
    """The seconds that so many sequences take at an MFU on the job's devices."""
    u = recounted(desk.plan, desk.job.values(), "u", HALF)
    return desk.base["T_step"] * u / mfu * batch / desk.base["b"]


def test_a_run_has_its_degrees_chunks_and_sharding_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = review(gpt3_175b()).desk
    known(
        monkeypatch, run(desk, "a", t=4, p=8, v=12),
        run(desk, "b", n=2048, t=1, p=1, v=1, z_3=1, z_f=1, source="b"),
    )  # fmt: skip
    *_, table = of_this_model(desk)
    assert isinstance(table, Table)
    written = ["".join(getattr(piece, "text", "") for piece in row[2]) for row in table.rows]
    assert written == ["4 · 1 · 8 · 16, 12 chunks", "1 · 1 · 1 · 2,048, ZeRO-3, blocks again"]
    assert "TP · CP · PP · DP" in str(table.head)
    assert "may be another of its family" in str(table.caption)


def test_a_published_layout_is_found_by_all_that_is_known_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = review(gpt3_175b()).desk
    mfu, b, s = Fraction(2, 5), int(desk.base["b"]), desk.base["s"]
    layout = {"t": 4, "p": 8, "v": 12}
    slow, fast = (run(desk, f"{share}", mfu=share, figure=step_of(desk, b, share), **layout)
                  for share in (mfu, mfu * 2))  # fmt: skip
    others = [
        run(desk, "other", mfu=mfu, figure=step_of(desk, b, mfu), **{**layout, letter: value})
        for letter, value in (("n", 1024), ("t", 8), ("c", 2), ("p", 16), ("v", 6), ("e", 2), ("z_3", 1),
                              ("z_f", 1), ("s", 2 * s))
    ]  # fmt: skip
    known(monkeypatch, *others)
    assert published_at(desk, layout) is None
    known(monkeypatch, *others, slow, fast)
    assert published_at(desk, layout) is fast
    assert published_at(desk, {}) is None


@pytest.mark.parametrize(("times", "counts"), [(Fraction(1, 2), True), (2, True), (Fraction(1, 4), False),
                                               (4, False)])  # fmt: skip
def test_a_batch_of_half_to_twice_the_size_is_like_enough(
    monkeypatch: pytest.MonkeyPatch, times: Fraction, counts: bool
) -> None:
    desk = review(gpt3_175b()).desk
    sequences = int(desk.base["b"] * times)
    one = run(
        desk, "a", figure=step_of(desk, sequences, Fraction(2, 5)), **{k: desk.base[k] for k in "tpv"}
    )
    known(monkeypatch, one)
    assert batch(desk, one) == sequences
    assert (published_at(desk, {}) is one) == counts


def test_the_batch_of_a_run_is_worked_out_within_the_digits_of_its_mfu(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    desk = review(gpt3_175b()).desk
    mfu = Fraction(402, 1000)
    one = run(desk, "a", mfu=Fraction(2, 5), figure=step_of(desk, int(desk.base["b"]), mfu))
    known(monkeypatch, one)
    assert batch(desk, one) == desk.base["b"]


def test_beside_the_odds_it_is_said_whether_any_run_of_the_model_was_faster_than_p10(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    desk = review(gpt3_175b()).desk
    u = recounted(desk.plan, desk.job.values(), "u", HALF)
    fast = u * desk.base["T_step"] / desk.likely("T_step").least  # at which a step takes P10
    middle = u * desk.base["T_step"] / desk.likely("T_step").middle
    slow = run(desk, "slow", mfu=u / 4)
    for mfu, said in (
        (fast * Fraction(101, 100), "less than P10"),
        (fast * Fraction(99, 100), "none was as fast as P10"),
        (middle * Fraction(99, 100), "none was as fast as P50"),
    ):
        known(monkeypatch, slow, run(desk, "fast", mfu=mfu))
        told = beside_odds(desk)
        assert said in told
        assert f"{shown(desk.base['T_step'] * u / mfu, SECOND)} a step" in told


def test_nothing_is_said_beside_the_odds_of_other_sequences_other_models_or_a_known_step(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    desk = review(gpt3_175b()).desk
    known(
        monkeypatch, run(desk, "longer", s=2 * desk.base["s"]), run(desk, "wider", F=1 + desk.base["F"])
    )
    assert beside_odds(desk) == ""
    known(monkeypatch, run(desk, "ours"))
    assert beside_odds(desk) != ""
    timed = Desk(replace(desk.job, measured=Results({"T_step": desk.base["T_step"]})), desk.plan)
    assert beside_odds(timed) == ""


def test_peaks_of_the_model_are_told_by_how_far_off_the_model_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    desk = review(gpt3_175b()).desk

    def peaks(*ratios: int) -> list[Run]:
        return [replace(run(desk, "some"), ratio=Fraction(ratio, 100)) for ratio in ratios]

    other = replace(run(desk, "wider", F=1 + desk.base["F"]), ratio=Fraction(3))
    for found, told in (
        ([], ""), (peaks(110), "One peak of this model was published, in some layout: 1.10 times"),
        (peaks(130, 90, 95), "3 peaks of this model were published, each in some layout: 0.90 to 1.30 "
         "times what the model says of it, 0.95 in the middle."),
    ):  # fmt: skip
        monkeypatch.setattr("workings.review.likest.peaks", lambda found=found: [*found, other])
        assert peaks_of_this_model(desk).strip().startswith(told)
        assert bool(peaks_of_this_model(desk)) == bool(told)
