"""The register says on which side an input keeps the memory limit, rounded so that it does."""

from dataclasses import replace
from fractions import Fraction

import pytest
from jobs import deepseek_v3, experts_64, gpt3_175b, llama3_8b, llama3_405b
from reviewed import files, review

from workings.document.blocks import Code, Line, Number, Table, Text
from workings.planning.inputs.names import named
from workings.planning.inputs.settings import settings_of
from workings.planning.job import Job, Kind
from workings.review.build import Review, documents
from workings.review.register import LONGEST
from workings.units import parse_quantity


def rows(found: Review) -> dict[str, tuple[Line, ...]]:
    """The lines of the register by letter, whatever tables of either document they stand in."""
    lines = {
        getattr(row[0][0], "text", ""): row
        for page in documents(found)
        for block in page.blocks
        if isinstance(block, Table) and block.label.startswith("register")
        for row in block.rows
    }
    return {entry.figure.letter: lines[entry.id] for entry in found.register}


def held(found: Review, letter: str) -> dict[tuple[str, str], Fraction]:
    """By word and side what the register holds."""
    (entry,) = (one for one in found.register if one.figure.letter == letter)
    return {(one.word, "≤" if one.at_most else "≥"): one.value for one in entry.holds}


def bound(cell: Line) -> tuple[str, Fraction] | None:
    """The side and the value of a cell, if it has one."""
    match cell:
        case (Text(side), Number(number, "1"), Text(unit)) if not unit.endswith("illion"):
            return side.strip(), parse_quantity(number + unit).value
    return None


@pytest.mark.parametrize("job", [gpt3_175b(), llama3_405b(z_2=1), llama3_8b()])
def test_a_bound_is_printed_rounded_to_the_side_that_keeps_the_answer(job: Job) -> None:
    found = review(job)
    lines, tried = rows(found), 0
    for entry in found.register:
        exact = {one.value: one.at_most for one in entry.holds}
        for side, value in filter(None, map(bound, lines[entry.figure.letter][5:])):
            tried += 1
            near = min(exact, key=lambda other: abs(other - value))
            assert abs(value / near - 1) < Fraction(1, 100)
            assert (value <= near) if exact[near] else (value >= near)
            assert side == ("≤" if exact[near] else "≥")
    assert tried


@pytest.mark.parametrize("job", [gpt3_175b(), llama3_405b()])
def test_batches_are_whole_micro_batches_of_all_replicas(job: Job) -> None:
    found = review(job)
    v = found.desk.base
    for entry in found.register:
        for one in entry.holds:
            if entry.figure.letter == "b":
                assert one.value % (v["d"] * v["b_m"] * (v["p"] if v["v"] > 1 else 1)) == 0
            if entry.figure.letter == "s":
                assert one.value % (v["t"] * v["c"]) == 0


def test_a_plan_beyond_the_limit_is_told_what_would_bring_it_back() -> None:
    found = review(llama3_405b(z_1=0))
    assert found.answer.said == "NO-GO on memory"
    longest = held(found, "s")["GO IF", "≤"]
    assert longest < 8192
    assert review(llama3_405b(z_1=0, s=longest)).answer.word == "GO IF"


def test_a_plan_that_only_the_model_has_beyond_the_limit_is_told_how_far_its_odds_allow_it() -> None:
    found = review(llama3_405b())
    assert found.desk.base["u_M"] > found.desk.job.limit_if
    assert found.answer.word == "GO IF"
    kept = held(found, "s")
    assert kept["GO", "≤"] < 8192 < kept["GO IF", "≤"]


def test_what_does_not_move_the_answer_has_no_bound() -> None:
    assert set(rows(review(gpt3_175b()))["W_2"][5:]) == {(Text("–"),)}


def test_widths_of_numbers_are_those_of_formats() -> None:
    """Between one byte and two there is none, though a wider one would fit into the memory."""
    assert held(review(llama3_405b(z_1=0)), "a")["GO IF", "≤"] == 1
    assert held(review(llama3_405b()), "a")["GO IF", "≤"] == 2


@pytest.mark.parametrize("letter", ["n_f", "n_n", "H", "K", "d_h"])
def test_what_no_one_moves_alone_has_no_bound(letter: str) -> None:
    assert held(review(gpt3_175b()), letter) == {}


def test_what_has_a_range_stands_where_one_signs_and_all_else_among_the_workings() -> None:
    job = llama3_8b()
    eta = replace(job.figures["eta"], low=Fraction(8, 10), high=Fraction(5, 10))
    signed, below = documents(review(replace(job, figures={**job.figures, "eta": eta})))
    labels = [[b.label for b in page.blocks if isinstance(b, Table)] for page in (signed, below)]
    (table,) = [b for b in signed.blocks if isinstance(b, Table) and b.label == "register"]
    assert len(table.rows) == 1
    assert {"register-sure", "register-model"} <= set(labels[1])


@pytest.mark.parametrize("job", [gpt3_175b(), llama3_405b(), experts_64(), deepseek_v3()])
def test_every_row_names_the_key_that_sets_it(job: Job) -> None:
    found = review(job)
    lines = rows(found)
    for entry in found.register:
        key = lines[entry.figure.letter][1][0]
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
        ({"z_3": 1, "W_2": 120_000_000_000}, "it hides, but would not if it took"),
        ({"z_3": 1, "W_2": 400_000_000_000}, ""),
    ],
)
def test_why_step_time_hardly_follows_compute_is_said_where_gradients_take_longer(
    changed: dict[str, int], words: str
) -> None:
    job = llama3_405b(z_2=1, **changed)
    page = said(job)
    assert words in page
    assert ("Gradients and gathered weights take" in page) == bool(words)
    if words == "the longer counts":
        eta = next(e.time for e in review(job).register if e.figure.letter == "eta")
        assert eta is None or abs(eta.value) < Fraction(1, 5)


@pytest.mark.parametrize(("letter", "kind", "whole"), [
    ("eta", "given", True), ("eta", "measured", True), ("eta", "assumed", False),
    ("c_d", "assumed", True),
])  # fmt: skip
def test_what_the_job_gives_as_its_source_is_not_cut_and_what_days_and_cost_rest_on_neither(
    letter: str, kind: Kind, whole: bool
) -> None:
    source = f"{'what products of this width usually reach on such devices, ' * 3}times 112/132"
    job = llama3_8b()
    figure = replace(job.figures[letter], kind=kind, source=source)
    found = review(replace(job, figures={**job.figures, letter: figure}))
    said = "".join(getattr(piece, "text", "") for piece in rows(found)[letter][1])
    assert len(source) > LONGEST
    assert (f"{kind}: {source}" in said, " …" in said) == (whole, not whole)
