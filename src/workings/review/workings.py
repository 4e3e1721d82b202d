"""The formulas behind the figures: every statement worked, and the derivations they come from."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from workings import catalogue
from workings.document.blocks import Block, DisplayLine, Inline, Meaning, Prose, Reference, Text, Worked
from workings.document.formulas import chain_block
from workings.document.front import Front, Source
from workings.document.page import meaning, open_page
from workings.formula import Name, Num, names_in
from workings.planning.statement import Statement
from workings.planning.working import working
from workings.review.desk import Cell, Desk, letter
from workings.review.front_page import heading
from workings.review.numbers import plain_number
from workings.units import parse_unit


def workings(desk: Desk) -> Iterator[Block]:
    """Every statement worked, then every derivation that one comes from."""
    yield heading("Every figure worked")
    yield Prose((
        Text("The statements of the cost model in order, with the numbers of this job. Each is in "
        "letters given above it or in the tables of inputs, from "), Reference("model"),
        Text(" on; the number behind a title leads to its derivation."),
    ))  # fmt: skip
    rows: list[tuple[Cell, ...]] = [
        (letter(s.letter), s.meaning, plain_number(desk.base[s.letter]))
        for s in desk.plan.statements if s.switch
    ]  # fmt: skip
    yield desk.table("switches", "Switches", "lwr", ("letter", "meaning", "value"), rows)
    for statement in desk.plan.statements:
        if not statement.switch:
            yield _worked(desk, statement)
    yield from _derivations(desk)


def _worked(desk: Desk, statement: Statement) -> Worked:
    done = working(desk.plan, statement, desk.base)
    unit = None if done.shown.unit == "1" else done.shown.unit
    scale = parse_unit(unit.replace("bytes", "byte")).scale if unit else 1
    value = Num(done.shown.value / scale, unit, done.shown.number)
    steps = [DisplayLine(Name(statement.letter), "=", statement.formula, units=True)]
    if done.substituted not in (statement.formula, value):
        steps.append(DisplayLine(None, "=" if done.inputs_exact else "≈", done.substituted, units=True))
    steps.append(DisplayLine(None, "=" if done.exact else "≈", value, units=True))
    title: tuple[Inline, ...] = (Text(f"{statement.meaning[0].upper()}{statement.meaning[1:]}"),)
    if statement.entry:
        title = (*title, Text(", see "), Reference(statement.entry))
    if statement.assumes:
        title = (*title, Text(f"; assumes that {statement.assumes}"))
    label = f"work-{statement.letter}"
    letters = tuple(_meanings(desk, statement))
    return Worked(label, desk.label("equation", label), title, tuple(steps), letters)


def _meanings(desk: Desk, statement: Statement) -> Iterator[Meaning]:
    """What the letters of a statement stand for."""
    yield meaning(statement.letter, statement.meaning, statement.unit)
    for name in names_in(statement.formula):
        if name in desk.plan.letters:
            concept = desk.plan.letters[name]
            yield meaning(name, concept.meaning, concept.dimension)
        elif name in desk.plan.by_letter:
            other = desk.plan.by_letter[name]
            yield meaning(name, other.meaning, other.unit)


def _derivations(desk: Desk) -> Iterator[Block]:
    """Each derivation in a section of its own, for its letters are its own."""
    yield heading("Derivations")
    yield Prose((Text(
        "The letters of a derivation are its own: D is the model width in one and may be something else "
        "in another. Its small print says what it assumes and how it was counted a second way."
    ),))  # fmt: skip
    source = Source(Path("review"), Front(title="review", scope="section"), "", 0)
    page = open_page(source)
    page.numbers, page.counts = desk.numbers, desk.counts
    for entry in dict.fromkeys(s.entry for s in desk.plan.statements if s.entry):
        page.start_section()
        yield chain_block(catalogue.get(entry), page, 0)
