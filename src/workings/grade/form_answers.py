"""What is taken for an answer where a form says where it stands: nothing but what is behind its colon."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from workings.claims.page import Page
from workings.grade.answers import Taken, take
from workings.grade.form import Field
from workings.grade.form_lines import version_of
from workings.grade.graded import AnswerVerdict
from workings.grade.judged import Judged
from workings.grade.meeting import comparable
from workings.grade.quantities import quantities
from workings.grade.sheet_line import form_version, sheets_in
from workings.grade.targets import Asked, Key
from workings.grade.written import Written
from workings.marks.quantity import PLAIN, units_of

TWICE = "its line stands twice in the form, with two answers"
UNREAD = "what stands behind the colon could not be read as the answer"
EMPTY = "nothing stands behind its colon in the form"
MISSING = "its line is not in the form"
IN_BRACKETS = "nothing stands behind its colon in the form, and a figure in its brackets"
_FIGURE = re.compile(r"\W*\d")


def unanswered(field: Field) -> tuple[AnswerVerdict, str]:
    """What is to be said where no figure was taken: who wrote something is not told that they did not."""
    if field.answer:
        return "unsure", UNREAD
    if _FIGURE.match(field.bracket):
        return "unsure", IN_BRACKETS
    return "no answer found", EMPTY if field.there else MISSING


def take_from(field: Field, asked: Asked, page: Page) -> Taken | None:
    """The figure of a line of the form; one without a unit has that in brackets."""
    figures = [_in_unit(one, field.bracket) for one in quantities(page, field.answer)]
    taken = take(asked, figures, [asked], []) or _only(asked, figures)
    return replace(taken, sure=False, doubt=TWICE) if taken and field.twice else taken


def _only(asked: Asked, figures: Sequence[Written]) -> Taken | None:
    """The single figure of a line, however far it is from what is right."""
    found = [one for one in figures if comparable(one, asked) and not one.rejected]
    return Taken(found[0], None, sure=True) if len(found) == 1 else None


def _in_unit(figure: Written, bracket: str) -> Written:
    """A plain number in the unit of the brackets; words there, such as “whole number”, are none."""
    units = units_of(tuple(bracket.split("/"))) if bracket.strip() else ()
    if not units or figure.noun or any(one != PLAIN for one in figure.number.units):
        return figure
    return replace(figure, number=replace(figure.number, units=units))


def judged_in(field: Field, found: Judged) -> Judged:
    """The verdict on what is no figure: what cannot be read, or stands twice, is left to a person."""
    if not field.answer and found.verdict == "no answer found":
        return replace(found, said=EMPTY if field.there else MISSING)
    if field.twice or found.verdict == "no answer found":
        start, end = field.answer[0].offsets[0], field.answer[-1].offsets[-1]
        said = TWICE if field.twice else UNREAD
        return Judged("unsure", 0.0, said, start, end, sure=False)
    return found


def remarks_on_form(text: str, key: Key) -> tuple[str, ...]:
    """What a grader is told where a form is that of another sheet, or of one without variants."""
    found = form_version(text)
    if not found or sheets_in(text):
        return ()  # a variant's name is said, and judged, as that of a sheet
    wanted = key.variant or version_of(key.title, [one.part for one in key.parts])
    if found == wanted:
        return ()
    return (f"found the answer form {found} in this hand-in, and the key is of {wanted}",)
