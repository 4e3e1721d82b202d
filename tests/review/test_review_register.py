"""The register says on which side an input keeps the memory limit, rounded so that it does."""

from fractions import Fraction

import pytest
from jobs import gpt3_175b, llama3_8b, llama3_405b

from workings.document.blocks import Line, Number, Table, Text
from workings.planning.cost import plan
from workings.planning.exact import exactly
from workings.planning.job import Job
from workings.review.build import Review, document, review
from workings.units import parse_quantity


def column(found: Review) -> dict[str, Line]:
    """The last column of the register, by letter."""
    rows = [
        row
        for block in document(found).blocks
        if isinstance(block, Table) and block.label.startswith("register")
        for row in block.rows
    ]
    return {e.figure.letter: row[-1] for e, row in zip(found.register, rows, strict=True)}


def bound(cell: Line) -> tuple[str, Fraction] | None:
    """The side and the value of a cell, if it has one."""
    if len(cell) != 2 or not isinstance(cell[0], Text) or not isinstance(cell[1], Number):
        return None
    unit = "" if cell[1].unit == "1" else cell[1].unit
    if unit.endswith("illion"):
        return None
    return cell[0].text.strip(), parse_quantity(f"{cell[1].number} {unit}").value


@pytest.mark.parametrize("job", [gpt3_175b(), llama3_405b(), llama3_405b(z_2=1), llama3_8b()])
def test_an_input_put_where_the_register_says_keeps_the_limit(job: Job) -> None:
    found = review(job)
    cells = column(found)
    bounds = {letter: there for letter, cell in cells.items() if (there := bound(cell))}
    assert {"s", "D", "M_dev"} <= bounds.keys()
    for letter, (side, value) in bounds.items():
        share = exactly(plan(), {**job.values(), letter: value}, ["u_M"])["u_M"]
        assert share <= job.limit, (letter, float(value))
        assert side == ("≥" if letter == "M_dev" else "≤")


@pytest.mark.parametrize("job", [gpt3_175b(), llama3_405b()])
def test_counts_stay_whole_and_batches_are_whole_micro_batches_of_all_replicas(job: Job) -> None:
    found = review(job)
    for letter, cell in column(found).items():
        there = bound(cell)
        if there is None or not plan().letters[letter].domain.integer:
            continue
        assert there[1].denominator == 1
        grain = found.desk.base["d"] * found.desk.base["b_m"] if letter == "b" else 1
        assert there[1] % grain == 0


def test_a_plan_beyond_the_limit_is_told_what_would_bring_it_back() -> None:
    found = review(llama3_405b())
    assert found.desk.base["u_M"] > found.desk.job.limit
    side, value = bound(column(found)["s"]) or ("", Fraction(0))
    assert side == "≤"
    assert value < 8192


def test_what_does_not_move_memory_has_no_bound() -> None:
    cells = column(review(gpt3_175b()))
    assert cells["W_2"] == (Text("–"),)
