"""The answer form beside a sheet: plain text with a line for each answer, which any editor fills in."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from workings.document.blocks import Document
from workings.document.wording import wording
from workings.errors import UserError
from workings.formula import names_in
from workings.grade.form_lines import lines_of, version_of
from workings.grade.keys import work_out
from workings.grade.targets import Asked, Key
from workings.grade.wanted import Wanted
from workings.render.html import words as plain_words

FORM = "sheet.answers.txt"


def form_of(document: Document, source: Path) -> str:
    """The form of a sheet. Raises UserError where nothing is asked, or where its source wants none."""
    if document.key is None:
        raise UserError(f"{source}: found no {{answer}} in it, expected one for an answer form")
    if not document.cover.hand_in:
        raise UserError(f"{source}: front matter: found answer_form = false, expected no --as form")
    return form_text(document, work_out(source.name, document.key, str(source.parent)))


def form_text(document: Document, key: Key) -> str:
    """The form in the language of its sheet: which sheet it is, whose, and a line for each answer."""
    cover, words = document.cover, wording(document.cover.language)
    parts = [one.part for one in key.parts]
    version = cover.variant or version_of(key.title, parts)
    asked = [one for part in key.parts for one in part.asked]
    head = " · ".join((words["form"], plain_words(document.title), version))
    whose = [f"{label}: {said}" for label, said in (*cover.whose, *((one, "") for one in cover.identity))]
    lines = (f"{line.label} [{_bracket(one, words)}]: \n{words['form_workings']}: \n"
             for line, one in zip(lines_of(parts), asked, strict=True))  # fmt: skip
    return "\n\n".join(filter(None, (head, "\n".join(whose), words["form_how"], *lines))) + "\n"


def _bracket(asked: Asked, words: Mapping[str, str]) -> str:
    """What is written behind a label: a unit, letters to choose from, what a formula is in."""
    answer, target = asked.answer, asked.targets[0] if asked.targets else None
    if target is not None:
        whole = asked.tolerance == 0 and (target.value / asked.unit.scale).denominator == 1
        return answer.unit or words["form_whole" if whole else "form_number"]
    if answer.kind in ("formula", "condition"):
        letters = words["comma"].join(sorted(names_in(Wanted(asked).shown)))
        return words[f"form_{answer.kind}"].format(letters)
    if answer.kind == "text":
        return words["form_text"]
    if answer.kind == "truth":
        said = words["form_truth"]
    else:
        *most, last = [choice.label for choice in answer.choices]
        said = words["comma"].join(most) + words["or"] + last if most else last
    return words["form_reason"].format(said) if answer.rubric else said
