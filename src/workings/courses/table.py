"""A plain table of all answers, for a spreadsheet and for systems that none of the others is for."""

from __future__ import annotations

from workings.courses.bank import Bank, Posed
from workings.courses.figures import Figure, number
from workings.courses.made import Made
from workings.findings.as_csv import csv_text

HEAD = ("variant", "question", "answer", "kind", "words", "unit", "right", "tolerance", "points",
        "readings", "told")  # fmt: skip


def table(bank: Bank) -> Made:
    """`NAME.csv`, a row for each answer of each variant."""
    made = Made()
    groups = [group for index in range(len(bank.quizzes[0].questions)) for group in bank.posed(index)]
    rows = [_row(posed) for number_ in range(len(bank.quizzes)) for posed in (g[number_] for g in groups)]
    made.files[f"{bank.name}.csv"] = csv_text([HEAD, *rows])
    return made


def _row(posed: Posed) -> tuple[str, ...]:
    ask = posed.ask
    right = ", ".join(one.label for one in ask.options if one.right)
    reach = ""
    readings = [f"{one.label}: {one.share:g} {one.hint}".strip() for one in ask.options if not one.right]
    if ask.figures:
        right, reach = number(ask.figures.right.value), number(ask.figures.right.reach)
        readings = [_reading(one) for one in ask.every[1:]]
    unit = ask.unit.text if ask.unit and ask.unit.text != "1" else ""
    told = [*ask.told, *(f"{words} ({worth:g})" for words, worth in ask.rubric)]
    told += [ask.unjudged] if ask.unjudged else []
    return (posed.variant, ask.place, ask.id, ask.kind, ask.words, unit, right, reach, f"{ask.points:g}",
            "; ".join(readings), "; ".join(told))  # fmt: skip


def _reading(one: Figure) -> str:
    words = "fewer digits" if one.coarse else one.words
    return f"{number(one.value)} ± {number(one.reach)} earns {one.share:g} {words}".strip()
