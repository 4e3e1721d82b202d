"""What goes back to a class: a file for each hand-in, under a name that leads nowhere else; and marks."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from os.path import commonpath
from pathlib import PurePath

from workings.findings import shortened
from workings.findings.as_csv import csv_text
from workings.grade.graded import Graded, GradedAnswer
from workings.grade.report import called
from workings.grade.running import Grades
from workings.grade.table import number

ENDINGS = {"text": "txt", "json": "json", "github": "txt", "sarif": "sarif", "md": "md", "csv": "csv"}
LONGEST = 100  # characters of a name
_UNSAFE = re.compile(r"[^\w-]+")


def names_of(files: Sequence[str]) -> dict[str, str]:
    """A name for each file: its path below the folder that all have in common, no two alike."""
    paths = {file: PurePath(file) for file in files}
    try:
        shared = commonpath([str(path.parent) for path in paths.values()]) if len(paths) > 1 else None
    except ValueError:  # absolute beside relative
        shared = None
    taken: dict[str, str] = {}
    for file, path in paths.items():
        inside = path.relative_to(shared) if shared else PurePath(path.name)
        plain = _UNSAFE.sub("-", str(inside.with_suffix(""))).strip("-.")[:LONGEST] or "hand-in"
        plain = f"{plain}-answers" if plain.casefold() == "marks" else plain
        used = {name.casefold() for name in taken.values()}
        ways = (plain if n == 1 else f"{plain}-{n}" for n in range(1, len(files) + 2))
        taken[file] = next(way for way in ways if way.casefold() not in used)
    return taken


def marks_table(found: Grades, names: Mapping[str, str]) -> str:
    """A row for each hand-in: its name, points, those there are, what a person confirms, feedback."""
    rows: list[list[str]] = [["id", "points", "feedback", "of", "confirm"]]
    for graded in found.graded:
        rows.append([names[graded.file], number(graded.marks), feedback(graded), number(graded.most),
                     " ".join(to_confirm(graded))])  # fmt: skip
    rows += [[names[one.file], "", one.reason, number(found.key.marks), "all"] for one in found.failures]
    return csv_text(rows)


def to_confirm(graded: Graded) -> list[str]:
    """The answers at which a person has to look."""
    return [
        f"{part.id}.{answer.id}" for part in graded.parts for answer in part.answers if answer.to_confirm
    ]


def feedback(graded: Graded) -> str:
    """What is said of each answer, on one line."""
    return "; ".join(_said(part.id, answer) for part in graded.parts for answer in part.answers)


def _said(part: str, answer: GradedAnswer) -> str:
    said = (
        f"{called(part, answer.words)}: {answer.verdict}, {number(answer.marks)} of {number(answer.most)}"
    )
    return f"{said} ({shortened(answer.said, 200)})" if answer.said else said
