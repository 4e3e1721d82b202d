"""The figures of a part that may be the answer to a question, how much speaks for each, and doubts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from workings.grade.meeting import Met, agree, comparable, met, nouns_of, values_of
from workings.grade.readings import face, is_count
from workings.grade.targets import Asked, Target
from workings.grade.wording import BEFORE, IN_CLAUSE, Fit, fit, named, nearness
from workings.grade.written import Written
from workings.units import ONE

STRANGE = 10**7  # a figure so far from the right one is about something else
BOLD = 4
STATED = 2  # what a figure must look like at least; one that the key knows does
_NUMBER = re.compile(r"(?<![0-9.,])[0-9]{1,15}(?:[.,][0-9]{1,15})?(?![0-9]|[.,][0-9])", re.ASCII)
TELLING = 3  # digits behind the leading zeros, and before those at the end
SURE = 3  # a figure at least this strong is meant as an answer


@dataclass(frozen=True)
class Candidate:
    """A figure that may be the answer, and how much speaks for it."""

    figure: Written
    met: Met | None
    near: int
    fit: Fit
    order: int
    sole: bool = False  # nothing else is asked, and it is no count

    @property
    def score(self) -> int:
        """How much it looks like an answer, and like the answer to this question.

        Nobody arrives at the digits of a right figure by chance: it counts for as much as a stated one.
        """
        least = SURE if self.sole and self.is_right and telling(self.figure) else STATED
        words = self.fit.level == IN_CLAUSE and not self.sole
        return max(self.figure.strength, least) + self.near + words

    @property
    def merit(self) -> int:
        """How good an answer it is."""
        order = ("known wrong", "accepted", "right")
        if self.met is None:
            return 0
        return 1 if self.met.digits else order.index(self.met.target.kind) + 2

    @property
    def is_right(self) -> bool:
        """Whether it earns everything."""
        return self.met is not None and not self.met.digits and self.met.target.kind != "known wrong"

    def explains(self, figure: Written) -> bool:
        """Whether a later figure says less than this one, so that it only stands beside it."""
        fewer = self.sole and self.is_right and telling(self.figure) and not telling(figure)
        return fewer or (figure.worded and not self.figure.worded)

    @property
    def target(self) -> Target | None:
        """The target it meets."""
        return self.met.target if self.met else None


def telling(figure: Written) -> bool:
    """Whether a figure has so many digits that it is hardly another one that happens to be the same."""
    printed = [str(abs(one.value / one.ulp).numerator) for one in figure.number.printed if one.ulp]
    return any(len(digits.rstrip("0")) >= TELLING for digits in printed)


def _numbers(text: str) -> set[Fraction]:
    """The plain numbers of a text."""
    return {Fraction(found.replace(",", ".")) for found in _NUMBER.findall(text)}


@dataclass(frozen=True)
class Search:
    """The search for the answer to one question among the figures of its part."""

    asked: Asked
    figures: tuple[Written, ...]
    questions: tuple[Asked, ...]
    givens: tuple[Fraction, ...]
    marked: bool = True
    labels: frozenset[Fraction] = frozenset()

    @cached_property
    def right(self) -> dict[str, list[Written]]:
        """The figures that each question accepts, by its id."""
        return {
            q.answer.id: [f for f in self.figures if comparable(f, q) and met(q, f)]
            for q in self.questions
        }

    def near(self, figure: Written) -> int:
        """How near the question's words stand; what is asked alone, and is no count, needs none."""
        return 2 if self.is_sole else nearness(self.asked, figure)

    @property
    def is_sole(self) -> bool:
        """Whether nothing else is asked in what is known to be this part, and no count."""
        return self.marked and len(self.questions) == 1 and self.asked.tolerance != 0

    def fit(self, asked: Asked, figure: Written) -> Fit:
        """How well a figure's words fit a question."""
        return fit(asked, figure, self.questions)

    def candidates(self) -> list[Candidate]:
        """The figures that may be the answer; where one has the question's own words, no swapped one."""
        found = [
            Candidate(
                figure, target, self.near(figure), self.fit(self.asked, figure), order, self.is_sole
            )
            for order, figure in enumerate(self.figures)
            if self.is_meant(figure) and ((target := met(self.asked, figure)) or self.is_stated(figure))
        ]
        if any(c.fit.level == IN_CLAUSE for c in found):
            return [c for c in found if not self.is_swapped(c)]
        return found

    def is_meant(self, figure: Written) -> bool:
        """Whether a figure may be an answer: in the right unit, not turned down, not in passing."""
        turned_down = figure.rejected or figure.ranged or figure.passing
        if turned_down or not comparable(figure, self.asked):
            return False
        return (
            not figure.worded
            or figure.alone
            or figure.strength >= STATED
            or (
                self.fit(self.asked, figure).level == IN_CLAUSE
                or named(nouns_of(self.asked), figure.noun, figure.clause.behind)
            )
        )

    def differ(self, best: Candidate, other: Candidate) -> bool:
        """Whether two figures are two answers, and not one value said twice or rounded on the way."""
        if other.target is not None and other.target is best.target:
            return False
        return other.figure.said != best.figure.said and not agree(self.asked, best.figure, other.figure)

    def end_of(self, best: Candidate, found: Sequence[Candidate]) -> Candidate:
        """The right figure that is worked out from a known wrong one, further down; else that one."""
        if best.target is None or best.target.kind != "known wrong":
            return best
        values = {digits.value for digits in best.figure.number.printed}
        return next((c for c in found if c.is_right and c.order > best.order
                     and values & _numbers(c.figure.clause.before)), best)  # fmt: skip

    def finer(self, best: Candidate) -> Written | None:
        """The same answer to all digits asked, earlier in its chain."""
        passing = (f for f in self.figures if f.passing and comparable(f, self.asked))
        for figure in passing:
            found = met(self.asked, figure)
            if found is not None and not found.digits and found.target is best.target:
                return figure
        return None

    def doubt(self, best: Candidate, found: Sequence[Candidate]) -> tuple[str, tuple[Written, ...]]:
        """Why no figure is taken, and the others: given for choice, or contradicting each other."""
        rivals = tuple(
            figure for figure in self.figures
            if figure.offset in best.figure.rivals and self.is_meant(figure)
            and not agree(self.asked, best.figure, figure)
            and (best.met is None or getattr(met(self.asked, figure), "target", None) is not best.target)
            and not self.is_no_share(figure) and not self.is_strange(figure)
            and not any(self.is_anothers(figure, q) for q in self.questions if q is not self.asked)
        )  # fmt: skip
        if rivals:
            return "several figures are given and none of them is chosen", rivals
        if best.figure.beyond and self.asked.tolerance == 0:
            return "the figure is the end of what is said to be more or less than it", ()
        rights = tuple(c.figure for c in found if c.is_right)
        if best.target is not None and best.target.kind == "known wrong" and rights:
            return "the right value stands here too", rights
        if best.met is not None and self.is_swapped(best):
            return "the figure stands with the words of another question", ()
        later = tuple(
            c.figure for c in found
            if c.score == best.score and c.order > best.order and self.differ(best, c)
            and (best.figure.aside or not (c.figure.aside or c.figure.beyond))
            and (c.figure.strength >= BOLD or not best.explains(c.figure))
        )  # fmt: skip
        if best.is_right and not later and not telling(best.figure):
            later = tuple(f for f in self.figures if self.is_counted_after(best.figure, f))
        return "another figure follows that looks just as much like the answer" if later else "", later

    def is_counted_after(self, best: Written, figure: Written) -> bool:
        """Whether another figure follows with the noun that is asked for behind it."""
        nouns = nouns_of(self.asked)
        return (
            figure.offset > best.offset and bool(nouns) and named(nouns, figure.noun, "")
            and best.strength < BOLD and len(self.questions) == 1
            and self.is_meant(figure) and not (figure.aside or figure.beyond or figure.worded)
            and not agree(self.asked, best, figure) and not self.is_of_the_exercise(figure)
        )  # fmt: skip

    def is_no_share(self, figure: Written) -> bool:
        """Whether a figure is no share where one is asked for: 26 micro-batches."""
        share = self.asked.unit.dimension == ONE and 0 < self.asked.targets[0].value < 1
        return share and all(value > 1 for value in values_of(self.asked, figure.number))

    def is_label(self, figure: Written) -> bool:
        """Whether a figure is one of the choices of this part, or one of its lines."""
        return is_count(figure.number) and face(figure.number) in self.labels

    def ends(self) -> tuple[Written, ...]:
        """The ends of ranges that are given in place of a figure."""
        return tuple(f for f in self.figures if f.ranged and comparable(f, self.asked))

    def is_stated(self, figure: Written) -> bool:
        """Whether a figure that is not right is meant as this answer.

        When in doubt, nothing is found rather than something wrong: a figure in passing is no answer,
        nor a plain number where bytes are asked for, which may count anything.
        """
        asked, near, alone = self.asked, nearness(self.asked, figure), len(self.questions) == 1
        counted = asked.targets[0].dimension == ONE
        named_there = self.fit(asked, figure).level == IN_CLAUSE and (bool(figure.noun) or not counted)
        sure = counted or not is_count(figure.number) or self.is_only(figure)
        least = STATED if sure else BOLD
        if figure.strength < least and not named_there:
            return False
        if not near and (not alone or figure.strength < (SURE if counted else STATED)):
            return False
        if self.is_label(figure) or self.is_no_share(figure):
            return False
        return not self.is_of_the_exercise(figure) and not any(
            self.is_anothers(figure, other) for other in self.questions if other is not asked
        )

    def is_only(self, figure: Written) -> bool:
        """Whether nothing else stands in a part, so that a plain number is in the unit asked for."""
        return figure.alone and [f for f in self.figures if self.is_meant(f)] == [figure]

    def is_of_the_exercise(self, figure: Written) -> bool:
        """Whether a figure is one of the exercise, or of another size altogether."""
        found = values_of(self.asked, figure.number)
        if face(figure.number) in self.givens or any(value in self.givens for value in found):
            return True
        return self.is_strange(figure)

    def is_strange(self, figure: Written) -> bool:
        """Whether a figure is of another size altogether than the right one."""
        found, right = values_of(self.asked, figure.number), self.asked.targets[0].value
        return all(not v or max(abs(v / right), abs(right / v)) > STRANGE for v in found)

    def is_anothers(self, figure: Written, other: Asked) -> bool:
        """Whether a figure that is not right here is rather meant for another question."""
        if not comparable(figure, other):
            return False
        mine, others = self.fit(self.asked, figure), self.fit(other, figure)
        if figure in self.right[other.answer.id]:
            return others.level == IN_CLAUSE or mine.level < IN_CLAUSE or self.is_answered
        if mine != others:
            return others > mine
        # One figure answers one question: of two that it may answer, the first that has no right answer.
        first = next(q for q in self.questions if q is other or q is self.asked)
        return first is other and not self.right[other.answer.id]

    @cached_property
    def is_answered(self) -> bool:
        """Whether a right answer is given with the words of its question."""
        return any(self.fit(self.asked, f).level == IN_CLAUSE for f in self.right[self.asked.answer.id])

    def is_swapped(self, found: Candidate) -> bool:
        """Whether the right figure is given as the answer to another question."""
        return found.fit.level < BEFORE and any(
            self.fit(other, found.figure).level == IN_CLAUSE
            for other in self.questions
            if other is not self.asked and comparable(found.figure, other)
        )
