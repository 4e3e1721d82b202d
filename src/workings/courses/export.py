"""The systems that a quiz can be written for; a new one is a module with a writer, and a line here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from workings.courses.bank import Bank
from workings.courses.made import Made
from workings.courses.moodle import moodle
from workings.courses.prairielearn import prairielearn
from workings.courses.qti import qti
from workings.courses.table import table
from workings.errors import UserError

Writer: TypeAlias = Callable[[Bank], Made]

WRITERS: Mapping[str, Writer] = {
    "moodle": moodle, "qti": qti, "prairielearn": prairielearn, "csv": table,
}  # fmt: skip


def parse_systems(text: str) -> tuple[str, ...]:
    """`moodle,csv` as names of writers. Raises UserError for others."""
    found = tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
    for name in found:
        if name not in WRITERS:
            raise UserError(f"--export: found {name[:40]!r}, expected {', '.join(WRITERS)}")
    if not found:
        raise UserError(f"--export: found nothing, expected {', '.join(WRITERS)}")
    return found


def exported(bank: Bank, systems: Iterable[str]) -> Made:
    """The files of all systems, and what an instructor must know of them."""
    made = Made()
    for name in systems:
        one = WRITERS[name](bank)
        made.files |= one.files
        made.said |= one.said
    return made
