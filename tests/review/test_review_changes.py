"""A review names the one setting whose change gains most, and a layout that needs no condition."""

from dataclasses import replace
from fractions import Fraction

import pytest
from jobs import experts_64, llama3_8b
from reviewed import review

from workings.planning.choice import at
from workings.planning.cost import plan
from workings.planning.exact import exactly
from workings.planning.job import Job
from workings.planning.space import FREE, KEYS
from workings.review.alternatives import best_change
from workings.review.desk import Desk
from workings.review.fallback import keeps_surely, smallest_change
from workings.review.recommended import recommended


def values(job: Job) -> dict[str, Fraction]:
    return exactly(plan(), job.values())


def test_a_change_of_one_setting_leaves_all_others_as_they_are() -> None:
    job = experts_64()
    found = best_change(job, values(job))
    assert found is not None
    name, option = found
    letters = [*KEYS, *(letter for axis in FREE for letter in axis.letters)]
    moved = {n for n in letters if option.layout[n] != job.figures[n].value}
    assert moved == {"t_e"}
    assert name == f"ETP {option.layout['t_e']}"
    assert option.values["T_step"] == values(at(job, option))["T_step"] < values(job)["T_step"]


def test_no_change_is_named_where_none_gains_more_than_the_model_can_tell() -> None:
    found = review(llama3_8b()).found
    assert found is not None
    best = llama3_8b().with_values({n: Fraction(v) for n, v in found.result.best[0].layout.items()})
    assert best_change(best, values(best)) is None


def test_beside_a_plan_that_fits_on_a_condition_stands_one_that_ninety_of_a_hundred_runs_fit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    job = llama3_8b(t=1, t_e=1, z_2=1, z_3=1, z_s=0)
    buffers = replace(job.figures["M_grp"], low=Fraction(0), high=Fraction(15 * 10**9))
    found = review(replace(job, figures={**job.figures, "M_grp": buffers}))
    assert found.answer.word == "GO IF"
    assert found.found is not None
    assert found.found.surest is not None
    assert Desk(at(found.desk.job, found.found.surest), plan()).likely("u_M").most <= job.limit_if
    told = "Without a condition on the memory: CP 2 · DP 4"
    change = smallest_change(found.desk)
    assert change is not None
    assert keeps_surely(found.desk, change)  # the same layout does as well, as its condition says
    assert told not in recommended(found.desk, found.answer, found.found)
    monkeypatch.setattr("workings.review.recommended.smallest_change", lambda desk: None)
    assert told in recommended(found.desk, found.answer, found.found)
    on_days = replace(found.answer, about=("days",))
    assert "on the memory" not in recommended(found.desk, on_days, found.found)
