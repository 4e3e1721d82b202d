"""All variants of a quiz together: what they share, and what each question of each must say itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape

from workings.courses.prompt import Prompt, said, words_html
from workings.courses.quiz import Ask, Quiz, QuizQuestion
from workings.courses.wording import wording
from workings.document.wording import wording as page_wording
from workings.errors import UserError


@dataclass(frozen=True)
class Posed:
    """An answer that is asked for in one variant, with all that its question says."""

    quiz: Quiz
    question: QuizQuestion
    ask: Ask
    prompt: Prompt

    @property
    def variant(self) -> str:
        """The name of the variant; empty where there is one alone."""
        return self.quiz.variant


@dataclass(frozen=True)
class Bank:
    """A handout for a course: `name` is safe in paths, the quizzes are its variants."""

    name: str
    quizzes: tuple[Quiz, ...]

    @property
    def title(self) -> str:
        """The title of the handout."""
        return self.quizzes[0].title

    @property
    def varies(self) -> bool:
        """Whether there are several variants."""
        return len(self.quizzes) > 1

    @cached_property
    def _alike(self) -> tuple[tuple[bool, ...], ...]:
        """Of all that stands between questions, whether it says the same in every variant."""
        found = []
        for places in zip(*(quiz.before for quiz in self.quizzes), strict=True):
            same_many = len({len(place) for place in places}) == 1
            found.append(tuple(
                same_many and all(place[n].prompt == one.prompt for place in places)
                for n, one in enumerate(places[0])
            ))  # fmt: skip
        return tuple(found)

    def between(self, index: int) -> Prompt:
        """What is said once before a question, or after the last: alike for all, and nothing given."""
        parts = zip(self.quizzes[0].before[index], self._alike[index], strict=True)
        return sum((one.prompt for one, alike in parts if alike and not one.given), Prompt())

    def stem(self, quiz: Quiz, index: int) -> Prompt:
        """What a question says: what is given, what is of its variant alone, and its own words."""
        found = Prompt()
        for place, alike in zip(quiz.before[: index + 1], self._alike, strict=False):
            for n, one in enumerate(place):
                if one.given or not (n < len(alike) and alike[n]):
                    found += one.prompt
        return found + quiz.questions[index].stem

    def alone(self, quiz: Quiz, index: int) -> Prompt:
        """What a question says that is shown alone: all that is said above it, then its own words."""
        above = (one.prompt for place in quiz.before[: index + 1] for one in place)
        return sum(above, Prompt()) + quiz.questions[index].stem

    def posed(self, index: int) -> Iterator[tuple[Posed, ...]]:
        """Every answer that a question asks for, each in all variants."""
        for number in range(len(self.quizzes[0].questions[index].asks)):
            found = []
            for quiz in self.quizzes:
                question = quiz.questions[index]
                ask = question.asks[number]
                whole = self.stem(quiz, index) + ask.prompt + asked_for(ask, quiz.language)
                found.append(Posed(quiz, question, ask, whole))
            yield tuple(found)


def bank_of(name: str, quizzes: Sequence[Quiz]) -> Bank:
    """Variants together. Raises UserError where one asks for something else."""
    first = [ask.id for question in quizzes[0].questions for ask in question.asks]
    for quiz in quizzes:
        if [ask.id for question in quiz.questions for ask in question.asks] != first:
            raise UserError(f"variant {quiz.variant}: it asks for other things than {quizzes[0].variant}")
    return Bank(name, tuple(quizzes))


def asked_for(ask: Ask, language: str) -> Prompt:
    """The line that says what to answer, and how."""
    words, signs = wording(language), page_wording(language)
    how: list[str] = []
    if ask.kind == "number" and ask.unit and ask.figures:
        digits = ask.figures.digits
        how += [words["unit"].format(ask.unit.text)] if ask.unit.text != "1" else []
        how.append(words["exactly"] if digits is None else
                   words["digit" if digits == 1 else "digits"].format(digits))  # fmt: skip
    elif ask.kind in ("choice", "truth"):
        how.append(words["choose" if ask.kind == "choice" else "truth"])
    else:
        how.append(words["text"])
    what = words["answer"]
    if ask.words:
        what = words["asked"] + signs["colon"] + signs["gap"] + ask.words
    told = signs["open"] + signs["comma"].join(how) + signs["close"]
    return said(f"<p><strong>{words_html(what)}</strong>{escape(told)}</p>")
