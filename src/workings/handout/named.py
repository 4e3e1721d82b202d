"""A student's id and name on the sheet that is theirs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from workings.document.blocks import Document
from workings.document.cover import Cover
from workings.document.wording import wording
from workings.findings.visible import shortened
from workings.handout.roster import IDS, NAMES, Student
from workings.render.reports import Options, printed
from workings.render.unprintable import UnprintableError

LONGEST = 120  # characters of a name
Files = Mapping[str, str | bytes]


def printed_for(
    student: Student | None, sheet: Document, options: Options
) -> tuple[Files, tuple[str, ...]]:
    """The files of a sheet, and the formats that cannot print the name, which has a line there instead.

    Raises UserError, also for a sign that stands elsewhere on the sheet.
    """
    if student is None:
        return printed(sheet, "sheet", options), ()
    files: dict[str, str | bytes] = {}
    blank = []
    for form in options.formats:
        alone = replace(options, formats=(form,))
        try:
            files |= printed(_filled_in(sheet, student), "sheet", alone)
        except UnprintableError as error:
            if error.character not in student.name:
                raise
            files |= printed(_filled_in(sheet, student, blank=True), "sheet", alone)
            blank.append(form)
    return files, tuple(blank)


def named_on(student: Student | None, sheet: Document) -> Document:
    """The sheet with the student's fields filled in, if it is for one."""
    return sheet if student is None else _filled_in(sheet, student)


def _filled_in(sheet: Document, student: Student, *, blank: bool = False) -> Document:
    """The sheet with the student's fields filled in, but for the name where that is to be `blank`.

    Their labels are those of the source, where it has such fields.
    """
    cover, words = sheet.cover, wording(sheet.cover.language)
    name, names = _field(cover, words["student_name"], NAMES)
    id_, ids = _field(cover, words["student_id"], IDS)
    whose = [(id_, student.id)]
    if student.name and not blank:
        whose.insert(0, (name, shortened(student.name, LONGEST)))
    else:
        names = ()
    rest = [field for field in cover.identity if field not in (*names, *ids)]
    if blank and name not in rest:
        rest.insert(0, name)
    return replace(sheet, cover=replace(cover, whose=tuple(whose), identity=tuple(rest)))


def _field(cover: Cover, label: str, others: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """What a field is called on this cover, and the fields of the source that it is."""
    own = tuple(one for one in cover.identity if one.casefold() in (label.casefold(), *others))
    return own[0] if own else label, own
