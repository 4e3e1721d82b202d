"""Beside a condition on the peak of memory stands what one may fall back on where it does not hold."""

from dataclasses import replace
from fractions import Fraction

import pytest
from jobs import gpt3_175b, llama3_8b

from workings.planning.cost import plan
from workings.planning.job import Job
from workings.planning.remedies import Lighter, lighter
from workings.review.answer import answer
from workings.review.build import document, review
from workings.review.desk import Desk
from workings.review.fallback import fallback
from workings.review.verdict import verdict
from workings.review.writing import files

GB = 10**9
FIRST = " If not: with "


def on(job: Job, gigabytes: int) -> Job:
    return job.with_values({"M_dev": Fraction(gigabytes * GB)})


def named(job: Job) -> Lighter:
    """The change that is named, of all that there are."""
    every = lighter(job, plan())
    said = fallback(Desk(job, plan()))
    (found,) = (one for one in every if said.startswith(f"{FIRST}{one.words} the fullest rank holds "))
    return found


def keeps(job: Job, decile: str) -> bool:
    return bool(getattr(Desk(job, plan()).likely("M"), decile) <= job.limit_if * job.values()["M_dev"])


@pytest.mark.parametrize(
    ("job", "decile"),
    [(on(llama3_8b(), 78), "most"), (on(gpt3_175b(), 50), "most"), (on(llama3_8b(), 70), "most"),
     (on(llama3_8b(z_f=1), 42), "middle")],
    ids=("8B on 78 GB", "GPT-3 on 50 GB", "8B on 70 GB", "whole blocks again"),
)  # fmt: skip
def test_it_keeps_the_limit_and_nothing_faster_does(job: Job, decile: str) -> None:
    assert verdict(Desk(job, plan())).word == "GO IF"
    found = named(job)
    assert keeps(job.with_values(found.changed), decile)
    every = lighter(job, plan())
    faster = [one for one in every if one.time < found.time]
    assert not [one for one in faster if keeps(job.with_values(one.changed), decile)]
    if decile == "middle":
        assert not [one for one in every if keeps(job.with_values(one.changed), "most")]


def test_where_none_comes_so_far_that_is_named_which_leaves_least() -> None:
    job = on(llama3_8b(z_f=1, z_1=1, z_2=1), 38)
    found = named(job)
    assert not keeps(job.with_values(found.changed), "most")
    assert keeps(job, "middle")
    assert found.memory == min(one.memory for one in lighter(job, plan()))


def test_what_takes_half_as_long_again_is_none() -> None:
    job = on(gpt3_175b(z_f=1, z_c=0), 36)
    (only,) = (one for one in lighter(job, plan()) if keeps(job.with_values(one.changed), "most"))
    assert only.time > 1
    assert only.words not in fallback(Desk(job, plan()))


def test_it_stands_on_the_first_page_behind_what_is_measured_first() -> None:
    found = review(on(llama3_8b(), 72))
    assert found.answer.checks == ("peak_memory",)
    text = files(found, ("md",))["review.md"]
    first = " ".join(text.split("\n## ")[0].split()).replace("\u00a0", " ")
    assert "If not: with ZeRO stage 2 the fullest rank holds 11 GB less, is GO on memory and " in first
    assert "and a step takes no more time by the model." in first
    assert document(found).blocks


def test_a_condition_on_days_has_none() -> None:
    job = replace(on(llama3_8b(T_tok=10**12), 200), max_time=Fraction(165 * 86400))
    found = review(job)
    assert (found.answer.word, found.answer.about) == ("GO IF", ("days",))
    assert "If not: with" not in files(found, ("md",))["review.md"]


def test_where_the_run_has_a_limit_it_says_what_the_fallback_makes_of_it() -> None:
    """The answer is that of the same job in that layout."""
    job = on(gpt3_175b(T_tok=10**12), 44)
    found = named(job)
    assert found.time > Fraction(1, 50)
    days = Desk(job.with_values(found.changed), plan()).likely("T_run")
    for limit, word in ((days.most * 2, "GO"), ((days.middle + days.most) / 2, "GO IF")):
        there = replace(job, max_time=limit)
        assert f"at P50 (days: {word}, " in fallback(Desk(there, plan()))
        in_it = Desk(there.with_values(found.changed), plan())
        assert answer(in_it, ["T_run"]) == word
