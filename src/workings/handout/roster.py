"""The students of a course from a CSV file, whose every field may be hostile."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from workings.errors import UserError
from workings.findings.visible import visible
from workings.reading.coding import coding_of

MAX_BYTES = 5_000_000
MAX_STUDENTS = 20_000
IDS = ("id", "student", "student id", "student_id", "student number", "matriculation number")
NAMES = ("name", "student name", "full name")
# What names a file or folder of ours, or a device of Windows, is no student's.
_OURS = ("index", "keys", "scenarios", "moodle", "qti", "prairielearn", "quiz")
RESERVED = {*_OURS, "con", "prn", "aux", "nul", *(f"{p}{n}" for p in ("com", "lpt") for n in range(10))}
_SEPARATOR = re.compile(r"sep=([,;\t])\r?\n")
_ID = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._@+-]{0,62}[A-Za-z0-9_+-])?", re.ASCII)


class RosterError(UserError):
    """A roster that cannot be used: file and line, what was found and what was expected."""


@dataclass(frozen=True, slots=True)
class Student:
    """A row: an id that may name a folder, and a name that is text."""

    id: str
    name: str = ""


def read_roster(path: Path) -> tuple[Student, ...]:
    """The students of a CSV file with a head. Raises RosterError."""
    rows = [(line, row) for line, row in _rows(path) if any(cell.strip() for cell in row)]
    if not rows:
        raise RosterError(
            f"{path.name}:1: found nothing, expected a head with a column id, and a row a student"
        )
    (line, head), *rows = rows
    students = tuple(_students(path, _column(path, line, head, IDS), _named(head), rows))
    if not 1 <= len(students) <= MAX_STUDENTS:
        raise RosterError(
            f"{path.name}: found {len(students):,} students, expected 1 to {MAX_STUDENTS:,}"
        )
    return students


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Rows with the line that each begins on; spreadsheets of some languages write semicolons."""
    text, above = _text(path), 0
    if said := _SEPARATOR.match(text):  # Excel's own first line
        between, text, above = said[1], text[said.end() :], 1
    else:
        between = max(",;\t", key=text.lstrip().partition("\n")[0].count)
    reader = csv.reader(StringIO(text, newline=""), delimiter=between, strict=True)
    line = above + 1
    try:
        for row in reader:
            yield line, row
            line = above + reader.line_num + 1
    except csv.Error as error:
        raise RosterError(f"{path.name}:{line}: not valid CSV: {error}") from error


def _text(path: Path) -> str:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise RosterError(f"{path}: {error.strerror}") from error
    if len(data) > MAX_BYTES:
        raise RosterError(f"{path.name}: larger than {MAX_BYTES:,} bytes")
    if data.startswith(b"PK\x03\x04"):
        raise RosterError(f"{path.name}: found a workbook of a spreadsheet, expected it saved as CSV")
    try:
        return data.decode(coding_of(data))
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise RosterError(
            f"{path.name}:{line}: found text that is not UTF-8, expected it saved as CSV in UTF-8"
        ) from error


def _column(path: Path, line: int, head: Sequence[str], names: Sequence[str]) -> int:
    found = [n for n, cell in enumerate(head) if cell.strip().lower() in names]
    if len(found) != 1:
        what = f"{len(found)} columns of ids" if found else f"the columns {', '.join(map(_shown, head))}"
        raise RosterError(f"{path.name}:{line}: found {what}, expected one called id")
    return found[0]


def _named(head: Sequence[str]) -> int | None:
    return next((n for n, cell in enumerate(head) if cell.strip().lower() in NAMES), None)


def _students(
    path: Path, at: int, named: int | None, rows: Sequence[tuple[int, list[str]]]
) -> Iterator[Student]:
    """A student for each row. Raises RosterError for one without an id of its own."""
    lines: dict[str, int] = {}
    for line, row in rows:
        id_ = row[at].strip() if at < len(row) else ""
        if not _ID.fullmatch(id_) or ".." in id_:
            found = _shown(id_) if id_ else "no id"
            raise RosterError(f"{path.name}:{line}: found {found}, expected an id of letters, digits and "
                              ". _ @ + -, which begins with a letter or digit")  # fmt: skip
        if id_.lower().partition(".")[0] in RESERVED:
            raise RosterError(
                f"{path.name}:{line}: found {id_!r}, expected an id that is free as a folder's name"
            )
        if id_.lower() in lines:  # folders of some systems are the same in small letters
            raise RosterError(f"{path.name}:{line}: found {id_!r} again after line {lines[id_.lower()]}, "
                              "expected each id once, whatever its capitals")  # fmt: skip
        lines[id_.lower()] = line
        name = row[named].strip() if named is not None and named < len(row) else ""
        yield Student(id_, visible(name))


def _shown(text: str) -> str:
    return repr(visible(text)[:60])
