"""Suggested marks as a report that the shared writers print; and as data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from workings.check.preview import note_on_held
from workings.check.report import finding
from workings.contract import SCHEMA
from workings.findings import Described, Finding, Level, Note, Place, Report, Section, shortened
from workings.grade.graded import GOOD, AnswerVerdict, Graded, GradedAnswer, GradedPart
from workings.grade.running import Grades
from workings.grade.table import number, table

CONFIRM = "These are suggestions: a person confirms the marks."
MEANINGS: Mapping[AnswerVerdict, str] = {
    "right": "The answer is right.",
    "accepted": "The answer is that of another reading which the key accepts.",
    "coarse": "The answer is right, but to fewer digits than asked.",
    "follows through": "The answer follows from an earlier slip.",
    "known wrong": "The answer is a wrong one that the key knows.",
    "wrong": "The answer is wrong.",
    "unsure": "It is not clear what is meant as the answer, and it earns nothing by itself.",
    "needs a person": "Only a person can mark the answer, and it earns nothing by itself.",
    "no answer found": "No figure was found that could be the answer.",
}
# Any other verdict is an error.
LEVELS: Mapping[AnswerVerdict, Level] = {
    "right": "none", "accepted": "none", "coarse": "warning", "follows through": "warning",
    "unsure": "warning", "needs a person": "note",
}  # fmt: skip


def report(grades: Grades) -> Report:
    """The answers of each hand-in as findings, with its first bad lines, and its marks."""
    rules = (Described(verdict.replace(" ", "-"), words) for verdict, words in MEANINGS.items())
    return Report(
        tuple(map(_section, grades.graded)), CONFIRM, partial(as_dict, grades), partial(table, grades),
        tuple(rules), tuple(map(Note, _held(grades))), tuple((f.file, f.reason) for f in grades.failures),
    )  # fmt: skip


def _held(grades: Grades) -> tuple[str, ...]:
    return note_on_held(sum(graded.held for graded in grades.graded))


def _section(graded: Graded) -> Section:
    unsure = (words for part in graded.parts for words in _unsure_of(part))
    notes = (Note(words, graded.file) for words in (*graded.remarks, *unsure))
    whose = f" ({graded.student})" if graded.student else ""
    parts = ", ".join(f"({part.id}) {_of(part.marks, part.most)}" for part in graded.parts)
    said = f"{graded.file}{whose}: {_of(graded.marks, graded.most)} for “{graded.key}”: {parts}"
    found = tuple(one for part in graded.parts for one in _part_of(graded.file, part))
    return Section(graded.file, found, tuple(notes), said)


def _unsure_of(part: GradedPart) -> Iterator[str]:
    if part.lines is None:
        yield f"found no part ({part.id})"
    elif not part.marked:
        yield f"found no beginning of part ({part.id}): looked for its answers in the whole document"


def _part_of(file: str, part: GradedPart) -> Iterator[Finding]:
    """Its answers, then the first line of it that the checker flags."""
    for answer in part.answers:
        line, column = answer.place or (0, 0)
        yield Finding(
            Place(file, line, column, cell=answer.cell), answer.verdict,
            LEVELS.get(answer.verdict, "error"), "",
            f"{called(part.id, answer.words)}, {_of(answer.marks, answer.most)}",
            shortened(answer.quote, 80), tuple(_details(answer)),
        )  # fmt: skip
    if part.first_bad is not None:
        bad = finding(part.first_bad)
        yield Finding(bad.place, bad.word, bad.level, bad.rule, f"first bad line of ({part.id})",
                      bad.quote, bad.details[:1])  # fmt: skip


def called(part: str, words: str) -> str:
    """What an answer is called: its part, and its words where it has any of its own."""
    return f"({part}) {words}".rstrip()


def _of(marks: float, most: float) -> str:
    return f"{number(marks)} of {number(most)}"


def _details(answer: GradedAnswer) -> Iterator[str]:
    if answer.said:
        yield shortened(answer.said, 300)
    if answer.verdict not in GOOD and answer.expected:
        yield f"expected {answer.expected}"
    for words, marks in answer.rubric:
        yield f"[ ] {words} ({number(marks)})"
    others = ", ".join(f"{shortened(quote, 40)} (line {line})" for quote, line in answer.others)
    also = f"; also found {others}" if others else ""
    if answer.verdict in ("unsure", "needs a person"):
        yield f"a person marks this{also}"
    elif answer.place is not None and not answer.sure:
        yield f"unsure that this, found {answer.how}, is the answer{also}"
    if not answer.method_said or answer.verdict == "unsure":
        return
    if answer.method_line is None:
        yield f"method {answer.method}: {answer.method_said}"
    else:
        quote = f"{shortened(answer.method_quote, 120)} (line {answer.method_line})"
        yield f"method {answer.method}: {quote}: {answer.method_said}"


def as_dict(grades: Grades) -> dict[str, Any]:
    """`key`, `note`, `notes`, `files`; each file has its parts, each part its answers."""
    files = [_file(graded) for graded in grades.graded]
    files += [{"file": f.file, "marks": None, "of": grades.key.marks, "parts": [], "error": f.reason}
              for f in grades.failures]  # fmt: skip
    notes = list(_held(grades))
    return {"schema": SCHEMA, "key": grades.key.title, "note": CONFIRM, "notes": notes, "files": files}


def _file(graded: Graded) -> dict[str, Any]:
    parts = [_part(part) for part in graded.parts]
    return {
        "file": graded.file, "student": graded.student or None, "marks": graded.marks,
        "of": graded.most, "parts": parts, "remarks": list(graded.remarks), "error": None,
    }  # fmt: skip


def _part(part: GradedPart) -> dict[str, Any]:
    bad = part.first_bad
    return {
        "id": part.id, "title": part.title, "marks": part.marks, "of": part.most, "lines": part.lines,
        "marked": part.marked, "answers": [_answer(answer) for answer in part.answers],
        "first_bad_line": bad and {"line": bad.line, "column": bad.column, "quote": bad.quote,
                                   "verdict": bad.verdict, "reason": bad.reason},
    }  # fmt: skip


def _answer(answer: GradedAnswer) -> dict[str, Any]:
    line, column = answer.place or (None, None)
    method = {"verdict": answer.method, "why": answer.method_said, "quote": answer.method_quote,
              "line": answer.method_line}  # fmt: skip
    return {
        "id": answer.id, "asked": answer.words, "verdict": answer.verdict, "marks": answer.marks,
        "of": answer.most, "expected": answer.expected, "taken": answer.quote or None, "line": line,
        "column": column, "cell": answer.cell, "how": answer.how, "sure": answer.sure,
        "others": [{"quote": quote, "line": at} for quote, at in answer.others], "why": answer.said,
        "method": method,
    }  # fmt: skip
