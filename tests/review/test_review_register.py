"""The register says on which side an input keeps the memory limit, rounded so that it does."""

from dataclasses import replace
from fractions import Fraction

import pytest
from jobs import deepseek_v3, experts_64, gpt3_175b, llama3_8b, llama3_405b
from reviewed import files, review

from workings.document.blocks import Code, Line, Number, Table, Text
from workings.planning.cost import plan
from workings.planning.exact import exactly
from workings.planning.inputs.names import named
from workings.planning.inputs.settings import settings_of
from workings.planning.job import Job
from workings.review.build import Review, document
from workings.units import parse_quantity


def rows(found: Review) -> list[tuple[Line, ...]]:
    """The lines of the register, whatever tables they stand in."""
    return [
        row
        for block in document(found).blocks
        if isinstance(block, Table) and block.label.startswith("register")
        for row in block.rows
    ]


def column(found: Review) -> dict[str, Line]:
    """The last column of the register, by letter."""
    return {e.figure.letter: row[-1] for e, row in zip(found.register, rows(found), strict=True)}


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
    assert {"D", "M_dev"} <= bounds.keys()
    for letter, (side, value) in bounds.items():
        share = exactly(plan(), {**job.values(), letter: value}, ["u_M"])["u_M"]
        assert share <= job.limit_if, (letter, float(value))
        assert side == ("≥" if letter == "M_dev" else "≤")


@pytest.mark.parametrize("job", [gpt3_175b(), llama3_405b()])
def test_counts_stay_whole_and_batches_are_whole_micro_batches_of_all_replicas(job: Job) -> None:
    found = review(job)
    for letter, cell in column(found).items():
        there = bound(cell)
        if there is None or not plan().letters[letter].domain.integer:
            continue
        assert there[1].denominator == 1
        v = found.desk.base
        if letter == "b":
            assert there[1] % (v["d"] * v["b_m"] * (v["p"] if v["v"] > 1 else 1)) == 0
        if letter == "s":
            assert there[1] % (v["t"] * v["c"]) == 0


def test_a_plan_beyond_the_limit_is_told_what_would_bring_it_back() -> None:
    found = review(llama3_405b())
    assert found.desk.base["u_M"] > found.desk.job.limit
    side, value = bound(column(found)["s"]) or ("", Fraction(0))
    assert side == "≤"
    assert value < 8192


def test_what_does_not_move_memory_has_no_bound() -> None:
    cells = column(review(gpt3_175b()))
    assert cells["W_2"] == (Text("–"),)


def test_the_digits_of_a_bound_are_those_of_the_exact_value_rounded_to_the_safe_side() -> None:
    base = review(gpt3_175b()).desk.base
    limit = (base["M"] + 2 * base["M_comm"]) / base["M_dev"]  # near, so that the bound is not far
    found = review(replace(gpt3_175b(), limit=limit, limit_if=limit))
    v = found.desk.base
    room = found.desk.job.limit * v["M_dev"] - (v["M"] - v["M_comm"])
    assert bound(column(found)["M_comm"]) == ("≤", Fraction(room // 10**8 * 10**8))


def test_widths_of_numbers_are_those_of_formats() -> None:
    side, value = bound(column(review(llama3_405b()))["a"]) or ("", Fraction(0))
    assert (side, value) == ("≤", Fraction(1))


@pytest.mark.parametrize("letter", ["n_f", "n_n", "H", "K", "d_h"])
def test_what_no_one_moves_alone_has_no_bound(letter: str) -> None:
    assert column(review(gpt3_175b()))[letter] == (Text("–"),)


@pytest.mark.parametrize("job", [gpt3_175b(), llama3_405b(), experts_64(), deepseek_v3()])
def test_every_row_names_the_key_that_sets_it(job: Job) -> None:
    found = review(job)
    for entry, row in zip(found.register, rows(found), strict=True):
        key = row[1][0]
        assert isinstance(key, Code)
        set_here = settings_of({key.text: "1"})
        assert any((set_here.model, set_here.cluster, set_here.launched, set_here.assumptions))
        assert named(key.text) == named(entry.figure.letter)


def said(job: Job) -> str:
    """The register's page."""
    return files(review(job), ("md",))["review.md"].split("## Assumption register")[1]


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"z_3": 1, "W_2": 100_000_000_000}, "the longer counts"),
        ({"z_3": 1, "W_2": 120_000_000_000}, "they hide, but would not if they took"),
        ({"z_3": 1, "W_2": 400_000_000_000}, ""),
    ],
)
def test_why_step_time_hardly_follows_compute_is_said_where_gradients_take_longer(
    changed: dict[str, int], words: str
) -> None:
    job = llama3_405b(z_2=1, **changed)
    page = said(job)
    assert (words or "Gradients and gathered weights take") in page if words else True
    assert ("Gradients and gathered weights take" in page) == bool(words)
    if words == "the longer counts":
        eta = next(e.time for e in review(job).register if e.figure.letter == "eta")
        assert eta is None or abs(eta.value) < Fraction(1, 5)
