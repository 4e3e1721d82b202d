"""What a job comes to if its router balances less is what the same job says that is given so."""

from dataclasses import replace
from fractions import Fraction

import pytest
from jobs import experts_64, gpt3_175b
from reviewed import files, review

from workings.planning.choice import at
from workings.planning.cost import plan
from workings.planning.job import Job
from workings.review.answer import answer
from workings.review.desk import Desk
from workings.review.naming import mesh
from workings.review.rival import rival
from workings.review.routing import MEASURED
from workings.review.verdict import verdict

CLOSE = Fraction(1, 50)  # of a balance, which is printed with two decimals


def rows(job: Job) -> list[dict[str, str]]:
    """The rows of the table on the page, by its head; none where it has none."""
    page = files(review(job), ("md",))["review.md"]
    if "| busiest over mean |" not in page:
        return []
    lines = page[page.index("| busiest over mean |") :].split("\n\n")[0].splitlines()
    head, _, *below = ([cell.strip(" *") for cell in line.strip("|").split("|")] for line in lines)
    return [dict(zip(head, row, strict=True)) for row in below]


def balanced(job: Job, value: Fraction) -> Job:
    figure = replace(job.figures["lambda"], value=value, low=None, high=None)
    return replace(job, figures={**job.figures, "lambda": figure})


def test_each_row_is_the_job_that_gives_so_uneven_a_router() -> None:
    job = experts_64()
    _, *worse = rows(job)
    assert len(worse) == len(MEASURED) == 3
    for value, row in zip(MEASURED, worse, strict=True):
        there = Desk(balanced(job, value), plan())
        assert row["busiest over mean"] == f"{float(value):g}"
        assert row["memory"].split()[0] == f"{float(there.likely('M').middle) / 1e9:.4g}"
        assert row["answer"] == answer(there) == verdict(there).word


def test_an_answer_that_holds_for_a_balanced_router_alone_is_seen_to() -> None:
    job = experts_64()
    uneven = Desk(balanced(job, MEASURED[-1]), plan()).likely("M").least
    room = review(job).desk.likely("M").most * Fraction(101, 100)
    assert room < uneven  # so the limit lies between the two
    answers = [row["answer"] for row in rows(job.with_values({"M_dev": room / job.limit_if}))]
    assert answers[0] == "GO"
    assert answers[-1] == "NO-GO"


def test_a_balance_no_worse_than_the_jobs_own_has_no_row() -> None:
    job = balanced(experts_64(), Fraction(2))
    assert [row["busiest over mean"] for row in rows(job)] == ["2", "2.9"]
    assert rows(balanced(job, Fraction(3))) == []


def test_beside_it_stands_another_layout_that_is_likely_to_be_faster_with_the_same_router() -> None:
    job = experts_64()
    found = review(job)
    assert found.found is not None
    assert found.found.option is not None
    assert rival(found.desk, found.found) is not None
    for value, row in zip(MEASURED, rows(job)[1:], strict=True):
        there = Desk(balanced(at(job, found.found.option), value), plan())
        assert float(row["its step"].split()[0]) == pytest.approx(
            float(there.likely("T_step").middle), rel=1e-3
        )
        assert row["its answer"] == answer(there)


def answered(job: Job, value: Fraction) -> str:
    """The answer at a balance; with its peak where memory alone decides."""
    there = Desk(balanced(job, value), plan())
    if job.max_time:
        return answer(there)
    peak = f"{float(there.likely('M').middle) / 1e9:#.3g}".rstrip(".")
    step = f"{float(there.likely('T_step').middle):#.3g}".rstrip(".")
    return (
        f"{answer(there)} ({peak} GB, {step} s, {there.outcome.in_words('u_M', job.limit_if)} of 100 fit)"
    )


@pytest.mark.parametrize("days", [0, 60])
def test_the_first_page_says_the_answers_and_from_which_balance_on_it_is_no_go(days: int) -> None:
    job = replace(experts_64(), max_time=Fraction(86400 * days) or None)
    words = [answered(job, value) for value in MEASURED]
    said = f"as learned routers had: {words[0]}, {words[1]} and {words[2]} on the limits, NO-GO above "
    assert said in first(job)
    most = Fraction(first(job).split(said)[1].split()[0].rstrip("."))
    near = [answer(Desk(balanced(job, most + step), plan())) for step in (-CLOSE, CLOSE)]
    assert near[0] != "NO-GO" == near[1]


def test_what_is_proposed_has_its_answers_by_balance_beside_it() -> None:
    found = review(experts_64())
    assert found.found is not None
    assert found.found.option is not None
    there = at(found.desk.job, found.found.option)
    words = [answered(there, value) for value in MEASURED]
    said = f"as learned routers had: {words[0]}, {words[1]} and {words[2]} on the limits."
    assert f" {mesh(Desk(there, plan()).base)} with 1.3, 2 and 2.9 times the mean, {said}" in first(
        experts_64()
    )


def test_where_all_balances_have_one_answer_it_is_said_once_with_the_peak_of_the_last() -> None:
    job = experts_64()
    large = replace(job.figures["M_dev"], value=Fraction(10**12))
    job = replace(job, figures={**job.figures, "M_dev": large})
    last = answered(job, MEASURED[-1]).replace(" s, ", " s at 2.9, ")
    assert f"times the mean, as learned routers had: {last} on" in first(job)


def first(job: Job) -> str:
    page = files(review(job), ("md",))["review.md"].split("\n## ")[0]
    return " ".join(page.split()).replace("\u00a0", " ")


def test_without_experts_there_is_no_table() -> None:
    assert rows(gpt3_175b()) == []
