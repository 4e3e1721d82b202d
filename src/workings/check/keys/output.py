"""Suggested marks as text, JSON, Markdown and CSV; nothing from a hand-in acts in any of them."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Mapping
from io import StringIO
from typing import Any

from workings.check.keys.graded import GOOD, Graded, GradedAnswer, GradedPart
from workings.check.keys.running import Grades
from workings.check.output.as_markdown import code, inert
from workings.check.output.view import Paint, shortened, unpainted, visible
from workings.check.verdicts import Statement

CONFIRM = "These are suggestions: a person confirms the marks."
_WIDEST = len("no answer found")
_STYLES = {"right": "ok", "accepted": "ok", "follows through": "depends", "known wrong": "wrong",
           "wrong": "wrong", "no answer found": "undecided"}  # fmt: skip


def text(grades: Grades, paint: Paint = unpainted) -> str:
    """For a terminal: the parts of each hand-in, and below each part its answers and why."""
    lines = [line for graded in grades.graded for line in _text(graded, paint)]
    return "\n".join([*lines, CONFIRM]) + "\n"


def _text(graded: Graded, paint: Paint) -> Iterator[str]:
    head = f"{visible(graded.file)}: {_of(graded.marks, graded.most)} for {visible(graded.key)}"
    yield paint(head, "place")
    for part in graded.parts:
        yield f"  ({part.id}) {visible(part.title)}{_where(part)}: {_of(part.marks, part.most)}"
        for answer in part.answers:
            verdict = paint(answer.verdict.ljust(_WIDEST), _STYLES[answer.verdict])
            yield f"    {verdict}  {_of(answer.marks, answer.most)}  {_taken(answer)}"
            yield from (" " * (_WIDEST + 6) + paint(said, "detail") for said in _details(answer))
        if part.first_bad is not None:
            yield f"    first bad line: {part.first_bad.line}: {_bad(part.first_bad)}"


def _of(marks: float, most: float) -> str:
    return f"{_number(marks)} of {_number(most)}"


def _number(marks: float) -> str:
    return f"{marks:.2f}".rstrip("0").rstrip(".")


def _where(part: GradedPart) -> str:
    if part.lines is None:
        return " (not found)"
    if not part.marked:
        return " (its beginning was not found: looked in the whole document)"
    first, last = part.lines
    return f" (line {first})" if first == last else f" (lines {first}–{last})"


def _taken(answer: GradedAnswer) -> str:
    """What was asked, what was taken for the answer, and from where."""
    if answer.place is None:
        return f"{visible(answer.words)}: expected {answer.expected}"
    place = f"line {answer.place[0]}" + (f", cell {answer.cell}" if answer.cell else "")
    return f"{visible(answer.words)}: {shortened(answer.quote, 80)} ({place}, {answer.how})"


def _details(answer: GradedAnswer) -> Iterator[str]:
    if answer.said:
        yield shortened(answer.said, 300)
    if answer.verdict not in GOOD and answer.place is not None:
        yield f"expected {answer.expected}"
    if answer.place is not None and not answer.sure:
        others = ", ".join(f"{shortened(quote, 40)} (line {line})" for quote, line in answer.others)
        yield f"unsure that this is the answer{f': also found {others}' if others else ''}"
    yield _method(answer)


def _method(answer: GradedAnswer) -> str:
    if answer.method_line is None:
        return f"method {answer.method}: {answer.method_said}"
    quote = f"{shortened(answer.method_quote, 120)} (line {answer.method_line})"
    return f"method {answer.method}: {quote}: {answer.method_said}"


def _bad(statement: Statement) -> str:
    why = f" ({shortened(statement.reason)})" if statement.reason else ""
    return shortened(statement.quote, 120) + why


def markdown(grades: Grades, _paint: Paint = unpainted) -> str:
    """A table for each hand-in."""
    pages = [f"{CONFIRM}\n"]
    for graded in grades.graded:
        rows = "".join(_row(part, answer) for part in graded.parts for answer in part.answers)
        pages.append(
            f"{code(graded.file)}: **{_of(graded.marks, graded.most)}** "
            f"for {inert(visible(graded.key))}\n\n"
            f"| Part | Asked | Taken | Verdict | Marks | Why |\n|---|---|---|---|---:|---|\n{rows}"
        )
        for part in graded.parts:
            if (bad := part.first_bad) is not None:
                pages.append(f"First bad line of ({part.id}): {bad.line}: {code(_bad(bad))}\n")
    pages += [f"Not graded: {code(f.file)}: {inert(visible(f.reason))}\n" for f in grades.failures]
    return "\n".join(pages)


def _row(part: GradedPart, answer: GradedAnswer) -> str:
    taken = code(shortened(answer.quote, 80)) + f" line {answer.place[0]}" if answer.place else "nothing"
    why = "<br>".join(inert(said) for said in _details(answer))
    words, marks = inert(visible(answer.words)), _of(answer.marks, answer.most)
    return f"| {part.id} | {words} | {taken} | {answer.verdict} | {marks} | {why} |\n"


def json_object(grades: Grades, _paint: Paint = unpainted) -> str:
    """One object: `key`, `note`, `files`; each file has its parts, each part its answers."""
    files = [_file(graded) for graded in grades.graded]
    files += [{"file": f.file, "marks": None, "of": grades.key.marks, "parts": [], "error": f.reason}
              for f in grades.failures]  # fmt: skip
    return json.dumps({"key": grades.key.title, "note": CONFIRM, "files": files}, indent=1) + "\n"


def _file(graded: Graded) -> dict[str, Any]:
    parts = [_part(part) for part in graded.parts]
    return {"file": graded.file, "marks": graded.marks, "of": graded.most, "parts": parts, "error": None}


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


def csv_rows(grades: Grades, _paint: Paint = unpainted) -> str:
    """One row a hand-in: marks a part and together, verdicts, first bad line, what to look at."""
    stream = StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    parts = grades.key.parts
    answers = [f"{part.part.id}_{asked.answer.id}" for part in parts for asked in part.asked]
    marks = [f"marks_{part.part.id}" for part in parts]
    writer.writerow(["file", "marks", "of", *marks, *answers, "first_bad_line", "unsure", "error"])
    for graded in grades.graded:
        found = [answer for part in graded.parts for answer in part.answers]
        bad = [part.first_bad.line for part in graded.parts if part.first_bad is not None]
        unsure = " ".join(
            name for name, answer in zip(answers, found, strict=True) if answer.place and not answer.sure
        )
        writer.writerow([_cell(graded.file), _number(graded.marks), _number(graded.most),
                         *(_number(part.marks) for part in graded.parts), *(a.verdict for a in found),
                         min(bad, default=""), unsure, ""])  # fmt: skip
    for failure in grades.failures:
        blank = [""] * (len(marks) + len(answers) + 2)
        writer.writerow(
            [_cell(failure.file), "", _number(grades.key.marks), *blank, _cell(failure.reason)]
        )
    return stream.getvalue()


def _cell(words: str) -> str:
    """Words that no spreadsheet takes for a formula."""
    seen = visible(words)
    return f"'{seen}" if seen.startswith(("=", "+", "-", "@")) else seen


FORMATS: Mapping[str, Callable[[Grades, Paint], str]] = {
    "text": text, "json": json_object, "md": markdown, "csv": csv_rows,
}  # fmt: skip
