"""A hand-in against an answer key: suggestions, part by part, that a person confirms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import takewhile

from workings.check.checking import check_document
from workings.check.preview import is_preview
from workings.check.verdicts import FLAGS, Checked
from workings.claims.page import Page, page_of
from workings.formula import plain
from workings.grade.answers import Taken, apiece, take
from workings.grade.chosen import judge_choice
from workings.grade.columns import with_columns
from workings.grade.following import Followed, Slip, followed
from workings.grade.form import Field, read_form
from workings.grade.form_answers import judged_in, take_from, unanswered
from workings.grade.graded import AnswerVerdict, Graded, GradedAnswer, GradedPart
from workings.grade.judged import Judged, judge_text
from workings.grade.meeting import apart
from workings.grade.method import Method, judge_method
from workings.grade.parts import Stretch, find_parts
from workings.grade.quantities import letters_and_digits, quantities
from workings.grade.readings import face
from workings.grade.rounding import own_rounding
from workings.grade.sides import Side, named, sides_of
from workings.grade.stated import judge_stated
from workings.grade.targets import Asked, AskedPart, Key
from workings.grade.wanted import Wanted
from workings.grade.written import STRENGTHS, Written
from workings.reading.blocks import Document
from workings.reading.json_places import decoded
from workings.units import BYTE, ONE, Format, UnitError, parse_unit, show

MAX_FLAGGED = 500  # of one part, whose figures are looked up


def grade_document(
    document: Document, key: Key, checked: Checked | None = None, *, preview: bool = False
) -> Graded:
    """Every part of a key, judged on a hand-in; `checked` is what the checker says of it, if known.

    Without `preview` no line is called bad for what is held back; an answer may still follow from it.
    """
    form = read_form(document, [part.part for part in key.parts])
    if form is not None:
        document, checked = form.document, None
    checked = checked or check_document(document)
    document = document if form else with_columns(document)
    page = page_of(document)
    stretches = form.stretches if form else find_parts(document, [part.part for part in key.parts])
    sides, slips = list(sides_of(page)), list[Slip]()
    figures: dict[int, list[Written]] = {}  # of each stretch; parts that are not marked share one
    for stretch in stretches.values():
        if id(stretch.blocks) not in figures:
            figures[id(stretch.blocks)] = quantities(page, stretch.blocks, key.sheet)
    parts = []
    for part in key.parts:
        stretch = stretches[part.part.id]
        own = figures[id(stretch.blocks)]
        fields = form.fields_of(part.part.id) if form is not None else {}
        grader = _Grader(page, key, part, stretch, own, sides, checked, slips, fields)
        parts.append(grader.graded(preview))
    held = 0 if preview else sum(map(is_preview, checked.wrong))
    return Graded(document.path, key.title, tuple(parts), held)


class _Grader:
    """One part of one hand-in; `slips` are those of this part and before it, `fields` those of a form."""

    def __init__(
        self, page: Page, key: Key, part: AskedPart, stretch: Stretch, figures: list[Written],
        sides: Sequence[Side], checked: Checked, slips: list[Slip], fields: Mapping[str, Field],
    ) -> None:  # fmt: skip
        self.page, self.document = page, page.document
        self.key, self.part, self.stretch = key, part, stretch
        self.slips, at = slips, page.document.offset
        self.figures, self.fields = figures, fields
        self.sides = [side for side in sides if stretch.holds(side.span[0])]
        self.names = dict(named(self.sides))
        self.question = "".join(takewhile(str.isdigit, part.part.id))
        flags = (s for s in checked.statements if s.verdict in FLAGS)
        self.flagged = [s for s in flags if stretch.holds(at(s.line, s.column))][:MAX_FLAGGED]

    def graded(self, preview: bool) -> GradedPart:
        """The part with its answers."""
        bad = (s for s in self.flagged if preview or not is_preview(s))
        spans = [(b.offsets[0], b.offsets[-1]) for b in self.stretch.blocks]
        first, last = min((s for s, _ in spans), default=0), max((e for _, e in spans), default=0)
        lines = (self.line(first), self.line(last)) if spans else None
        part = self.part.part
        return GradedPart(part.id, part.title, self.answers(), lines, self.stretch.sure, next(bad, None))

    def line(self, offset: int) -> int:
        """The line of an offset, from 1."""
        return self.document.place(offset)[0]

    def answers(self) -> tuple[GradedAnswer, ...]:
        """The verdict on everything asked for; what stands further up may be the slip of any answer."""
        asked, taken = self.part.values, apiece(self.taken())
        self.slips += [
            Slip(one, found.written, self.question)
            for one, found in zip(asked, taken, strict=True)
            if found is not None and (found.target is None or found.target.kind != "right")
        ]
        of = {one.answer.id: found for one, found in zip(asked, taken, strict=True)}
        return tuple(
            self.answer(one, of[one.answer.id]) if one.targets else self.other(one)
            for one in self.part.asked
        )

    def taken(self) -> list[Taken | None]:
        """The figure taken for each value that is asked for."""
        asked = self.part.values
        choices = (choice.label for one in self.part.asked for choice in one.answer.choices)
        labels = frozenset(Fraction(label) for label in choices if label.isdecimal())
        givens = [*self.key.givens, *_givens(self.part)]
        if not self.fields:
            sure = self.stretch.sure
            return [take(one, self.figures, asked, givens, marked=sure, labels=labels) for one in asked]
        found = []
        for one in asked:
            field = self.fields[one.answer.id]
            if field.answer:
                found.append(take_from(field, one, self.page))
            else:  # left empty: the answer is in the workings, as anywhere in a page, or nowhere
                below = list(quantities(self.page, field.workings, self.key.sheet))
                found.append(take(one, below, [one], givens, marked=True, labels=labels))
        return found

    def other(self, asked: Asked) -> GradedAnswer:
        """The verdict on what is answered without a figure."""
        answer, judged = asked.answer, self._judged(asked)
        by_person = sum(line.marks for line in answer.rubric)
        found = GradedAnswer(
            answer.id, answer.words, judged.verdict, max(0.0, answer.marks - by_person) * judged.share,
            answer.marks, _said_right(asked), judged.said, judged.sure and self.stretch.sure,
        )  # fmt: skip
        if judged.start is None:
            return found
        rubric = tuple((line.words, line.marks) for line in answer.rubric)
        quote = _text(self.document, judged.start, judged.end).replace("$", "").strip()
        return replace(found, quote=quote, place=self.document.place(judged.start), rubric=rubric)

    def _judged(self, asked: Asked) -> Judged:
        field = self.fields.get(asked.answer.id)
        if field is None:
            return self._judged_in(asked, self.stretch, self.key.sheet)
        text = asked.answer.kind == "text"
        written = field.answer + (field.workings if text or not field.answer else ())
        return judged_in(field, self._judged_in(asked, Stretch(written), ""))

    def _judged_in(self, asked: Asked, stretch: Stretch, sheet: str) -> Judged:
        kind = asked.answer.kind
        if kind in ("formula", "condition"):
            return judge_stated(asked, self.page, stretch, self._meanings(), sheet)
        sheet = letters_and_digits(sheet)
        if kind == "text":
            return judge_text(stretch.blocks, sheet)
        judged = judge_choice(asked.answer, stretch.blocks, sheet)
        if judged.verdict == "right" and not stretch.sure:  # it may be chosen for another part
            said = "no mark says where this part begins"
            return replace(judged, verdict="unsure", share=0.0, said=said)
        return judged

    def answer(self, asked: Asked, taken: Taken | None) -> GradedAnswer:
        """The verdict on one thing asked for."""
        verdict, said = self.verdict(asked, taken)
        follows = verdict == "follows through"
        method = judge_method(asked, self.sides, self._meanings(), taken, follows=follows)
        share = self.share(asked, verdict, taken, method)
        if verdict == "wrong" and share:
            said = f"{said}; the method is right" if said else "the method is right"
        return self._reported(asked, taken, method, verdict, said, share)

    def verdict(self, asked: Asked, taken: Taken | None) -> tuple[AnswerVerdict, str]:
        """What is to be said of the figure taken, and why."""
        if taken is None and (field := self.fields.get(asked.answer.id)):
            return unanswered(field)
        if taken is None:
            return "no answer found", "found no figure that could be the answer"
        if taken.doubt:
            return "unsure", taken.doubt
        if not (self.stretch.sure or taken.sure):
            return "unsure", "no mark says where this part begins, and no word what the figure is"
        if taken.target is None or taken.digits:
            rounded = own_rounding(asked, taken.written, self.figures, self.sides)
            if rounded:
                return "right", rounded
        if taken.target is not None and taken.digits:
            digits = f"{taken.digits} digit{'s' * (taken.digits > 1)}"
            asked_for = (
                f"{asked.digits} asked"
                if asked.tolerance is None
                else f"not within {asked.answer.within}"
            )
            return "coarse", f"right to {digits}, {asked_for}"
        if taken.target is not None:
            kind = taken.target.kind
            said = "; ".join(part for part in (taken.target.words, taken.target.hint) if part)
            return kind, said if kind != "right" else ""
        follows = followed(
            asked, taken.written, self.figures, self.names, self._flagged_figures(), self.slips,
            self.question,
        )  # fmt: skip
        if follows is not None:
            return "follows through", self._following(follows)
        return "wrong", apart(asked, taken.written.number)

    def _following(self, follows: Followed) -> str:
        line = self.line(follows.figure.offset)
        quote = _quote(self.document, follows.figure)
        said = f"follows from {quote} in line {line}"
        if not follows.letter:
            return f"{said}, the answer for “{follows.meaning}”"
        return f"{said} in place of {follows.letter} ({follows.meaning})"

    def _flagged_figures(self) -> set[int]:
        """Where the figures stand that belong to a flagged statement."""
        at = self.document.offset
        spans = [(at(s.line, s.column), at(s.end_line, s.end_column)) for s in self.flagged]
        return {f.offset for f in self.figures if any(start <= f.offset < end for start, end in spans)}

    def share(self, asked: Asked, verdict: AnswerVerdict, taken: Taken | None, method: Method) -> float:
        """The part of the marks that is suggested."""
        if verdict in ("right", "unsure"):
            return float(verdict == "right")
        if taken is not None and taken.target is not None and not taken.doubt:
            return taken.target.share * (asked.answer.coarse if taken.digits else 1)
        if verdict == "follows through" or (verdict == "wrong" and method.verdict == "right"):
            return self.key.follow_through
        return 0.0

    def _meanings(self) -> Mapping[str, Fraction]:
        """The value that each name is given in this part, or by a program."""
        values = {figure.offset: face(figure.number) for figure in self.figures}
        here = {name: values[offset] for offset, name in self.names.items() if offset in values}
        return {**self.page.program.values, **here}

    def _reported(
        self, asked: Asked, taken: Taken | None, method: Method, verdict: AnswerVerdict, said: str,
        share: float,
    ) -> GradedAnswer:  # fmt: skip
        found = GradedAnswer(
            asked.answer.id, asked.answer.words, verdict, asked.answer.marks * share, asked.answer.marks,
            _expected(asked, self.key.digits), said, bool(taken and taken.sure and self.stretch.sure),
            method=method.verdict, method_said=method.words,
        )  # fmt: skip
        if method.offset is not None:
            quote = _text(self.document, method.offset, method.end or 0)
            found = replace(found, method_quote=quote, method_line=self.line(method.offset))
        if taken is None:
            return found
        at, others = taken.written.offset, taken.others
        blocks = (b for b in self.stretch.blocks if b.offsets[0] <= at <= b.offsets[-1])
        return replace(
            found, quote=_quote(self.document, taken.written), how=STRENGTHS[taken.written.strength],
            place=self.document.place(at), cell=next(blocks).notebook_cell,
            others=tuple((_quote(self.document, f), self.line(f.offset)) for f in others),
        )  # fmt: skip


def _givens(part: AskedPart) -> list[Fraction]:
    """The figures of the exercise, which are nobody's answer; bytes also in GB."""
    targets = (target for asked in part.asked for target in asked.targets)
    formulas = [formula for target in targets for formula in target.formulas.values()]
    found: list[Fraction] = []
    for what, values in ((f.derivation, f.binding.values) for f in formulas):
        for name, value in values.items():
            if name in what.letters and isinstance(value, Fraction | int):
                found.append(Fraction(value))
                found += [found[-1] / 10**9] if what.letters[name].dimension == BYTE else []
    return found


def _text(document: Document, begin: int, end: int) -> str:
    """What a hand-in says; a notebook without the escapes of its file."""
    if document.blocks[0].notebook_cell is not None:
        return decoded(document.text, begin, end)
    return document.text[begin:end]


def _quote(document: Document, figure: Written) -> str:
    return _text(document, figure.offset, figure.end).replace("$", "").replace("**", "").strip()


def _said_right(asked: Asked) -> str:
    """What is right, where it is no figure."""
    answer = asked.answer
    if answer.kind in ("formula", "condition"):
        return plain(Wanted(asked).shown)
    return ", ".join(f"{c.label} {c.words}".strip() for c in answer.choices if c.right)


def _expected(asked: Asked, digits: int) -> str:
    target = asked.targets[0]
    try:
        unit = parse_unit(asked.answer.unit) if asked.answer.unit else asked.unit
    except UnitError:
        unit = asked.unit
    shown = str(show(target.value, unit, Format(digits=digits)))
    return shown if target.dimension != ONE else shown.removesuffix(" 1")
