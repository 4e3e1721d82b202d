"""Which student handed in each file, and by which key it is graded."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from workings.check.running import Task
from workings.cohort.naming import Named
from workings.cohort.register import Entry, Register
from workings.grade.sheet_line import Sheet, sheets_in
from workings.handout.making import KEY
from workings.reading.coding import coding_of
from workings.reading.limits import MAX_BYTES

MOST_NAMED = 3  # students, in a sentence


@dataclass(frozen=True, slots=True)
class Paired:
    """A hand-in with whose it is and the key of their sheet; `older`: it was replaced since."""

    task: Task
    entry: Entry
    key: Path
    older: Sheet | None = None


@dataclass(frozen=True, slots=True)
class Unpaired:
    """A hand-in of which it is not known whose it is, and why: a sentence that names the file."""

    file: str
    reason: str
    student: str = ""  # where it is known, and they handed in something else as well
    name: str = ""


def paired(
    tasks: Sequence[Task], register: Register, roots: Sequence[str]
) -> tuple[list[Paired], list[Unpaired]]:
    """All hand-ins with their students and keys, and those without; `roots` are the paths asked for."""
    named = Named(register.students)
    found = [_paired(task, register, named, roots) for task in tasks]
    good = [one for one in found if isinstance(one, Paired)]
    bad = [one for one in found if isinstance(one, Unpaired)]
    return _once(good, bad)


def _paired(task: Task, register: Register, named: Named, roots: Sequence[str]) -> Paired | Unpaired:
    """One hand-in: whose it is by its names, else by the sheet that it copies."""
    if task.text is None and not os.path.lexists(task.file):
        return Unpaired(task.file, f"{task.file}: no such file, expected a hand-in")
    sheets = sheets_in(_text(task))
    who = _by_names(task.file, named, roots)
    if isinstance(who, Unpaired):
        return who
    if who is None:
        who = _by_sheet(task.file, sheets, register)
        if isinstance(who, Unpaired):
            return who
    own = [one for one in sheets if one.variant.casefold() == who.sheet.variant.casefold()]
    keys = [(sheet, key) for sheet in own if (key := register.key_of(sheet))]
    if own and not keys:
        found = f"found the sheet of variant {own[0]}, of which there is no key"
        return Unpaired(task.file, f"{task.file}: {found}, expected {who.sheet}")
    if any(sheet.hash == who.sheet.hash for sheet, _ in keys) or not keys:
        return Paired(task, who, register.folder / who.sheet.variant / KEY)
    sheet, key = keys[0]
    return Paired(task, who, key, older=sheet)


def _by_names(file: str, named: Named, roots: Sequence[str]) -> Entry | Unpaired | None:
    """Whose a file is by its own name and those of its folders below the one that was asked for.

    Where these name nobody it may be the one asked for: a shell lists every student's folder for `in/*`.
    """
    path = PurePath(file)
    inside = [PurePath(root) for root in roots if PurePath(root) in path.parents]
    root = max(inside, key=lambda one: len(one.parts), default=path.parent)
    names = [path.stem, *path.relative_to(root).parts[:-1]]
    found = [who for name in names if (who := named.in_(name))]
    found = found or [who for who in [named.in_(root.name)] if who]
    if not found:
        return None
    both = frozenset.intersection(*found)
    if len(both) == 1:
        return next(iter(both))
    many = sorted(one.said for one in frozenset.union(*found))
    more = f" and {len(many) - MOST_NAMED} more" if len(many) > MOST_NAMED else ""
    said = "; ".join(many[:MOST_NAMED]) + more
    return Unpaired(
        file, f"{file}: found the names of {len(many)} students ({said}), expected the id of one"
    )


def _by_sheet(file: str, sheets: Sequence[Sheet], register: Register) -> Entry | Unpaired:
    """Whose a file is by the sheets that it copies."""
    known = [sheet for sheet in sheets if register.key_of(sheet)]
    owners = {who: sheet for sheet in known for who in register.variants[sheet.variant.casefold()]}
    if len(owners) == 1:
        return next(iter(owners))
    if owners:
        found = f"found sheets of {len(owners)} students or variants"
    elif sheets:
        found = f"found the sheet of variant {sheets[0]}, of which there is no key"
    else:
        found = "found neither a student's id or name in its name nor the line of a sheet"
    return Unpaired(file, f"{file}: {found}, expected {_example(register)}")


def _example(register: Register) -> str:
    """What would do, for a class such as this."""
    first = register.entries[0]
    line = f"a line such as “Variant {first.sheet}” in it"
    return f"an id such as {first.student} in its name, or {line}" if first.student else line


def _once(good: list[Paired], bad: list[Unpaired]) -> tuple[list[Paired], list[Unpaired]]:
    """Each student once; of a variant that nobody has by name there may be many hand-ins."""
    files: dict[Entry, list[str]] = {}
    for one in good:
        files.setdefault(one.entry, []).append(one.task.file)
    twice = {who: found for who, found in files.items() if who.student and len(found) > 1}
    for who, found in twice.items():
        others = ", ".join(found[1 : 1 + MOST_NAMED])
        reason = f"{found[0]}: found {len(found)} hand-ins of {who.said} (also {others}), expected one"
        bad.append(Unpaired(found[0], reason, who.student, who.name))
    return [one for one in good if one.entry not in twice], bad


def _text(task: Task) -> str:
    """What a hand-in says, as far as its sheet's line goes; nothing where it cannot be read."""
    if task.text is not None:
        return task.text.decode(coding_of(task.text), "replace")
    try:
        with Path(task.file).open("rb") as file:
            data = file.read(MAX_BYTES)
        return data.decode(coding_of(data), "replace")
    except (OSError, ValueError):
        return ""
