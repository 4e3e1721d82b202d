"""Published runs of the very model on such devices stand in its review, the likest first."""

from fractions import Fraction
from typing import Any

import pytest
from jobs import experts_64, gpt3_175b
from reviewed import review

from workings.document.blocks import Table
from workings.planning.accuracy import LETTERS, Run
from workings.planning.utilization import HALF, recounted
from workings.review.build import document
from workings.review.desk import Desk
from workings.review.likest import likest, of_this_model


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
