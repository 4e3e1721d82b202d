"""What a job comes to if its router balances less is what the same job says that is given so."""

from dataclasses import replace
from fractions import Fraction

from jobs import experts_64, gpt3_175b
from reviewed import files, review

from workings.planning.cost import plan
from workings.planning.job import Job
from workings.review.answer import answer
from workings.review.desk import Desk
from workings.review.routing import MEASURED
from workings.review.verdict import verdict


def rows(job: Job) -> list[list[str]]:
    """The cells of the table's rows on the page, without its head; none where it has none."""
    page = files(review(job), ("md",))["review.md"]
    if "| busiest over mean |" not in page:
        return []
    lines = page.split("| busiest over mean |")[1].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip(" *") for cell in line.strip("|").split("|")] for line in lines]


def balanced(job: Job, value: Fraction) -> Job:
    figure = replace(job.figures["lambda"], value=value, low=None, high=None)
    return replace(job, figures={**job.figures, "lambda": figure})


def test_each_row_is_the_job_that_gives_so_uneven_a_router() -> None:
    job = experts_64()
    _, *worse = rows(job)
    assert len(worse) == len(MEASURED) == 3
    for value, row in zip(MEASURED, worse, strict=True):
        there = Desk(balanced(job, value), plan())
        assert row[0] == f"{float(value):g}"
        assert row[1].split()[0] == f"{float(there.likely('M').middle) / 1e9:.4g}"
        assert row[-1] == answer(there) == verdict(there).word


def test_an_answer_that_holds_for_a_balanced_router_alone_is_seen_to() -> None:
    job = experts_64()
    uneven = Desk(balanced(job, MEASURED[-1]), plan()).likely("M").least
    room = review(job).desk.likely("M").most * Fraction(101, 100)
    assert room < uneven  # so the limit lies between the two
    answers = [row[-1] for row in rows(job.with_values({"M_dev": room / job.limit_if}))]
    assert answers[0] == "GO"
    assert answers[-1] == "NO-GO"


def test_a_balance_no_worse_than_the_jobs_own_has_no_row() -> None:
    job = balanced(experts_64(), Fraction(2))
    assert [row[0] for row in rows(job)] == ["2", "2.9"]
    assert rows(balanced(job, Fraction(3))) == []


def test_without_experts_there_is_no_table() -> None:
    assert rows(gpt3_175b()) == []
