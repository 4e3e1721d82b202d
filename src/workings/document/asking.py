"""What a page asks: questions, their parts and their answers, by the lines that they stand on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from workings.document.blocks import Line
from workings.grade.file import Answer, Criterion, KeyFile, Part

BY_HAND = "marked by a person"


@dataclass
class Given:
    """An `{answer}`: its line of the key, how a source writes its value, and where it stands.

    Where nothing was said its `marks` are None until those of its question are known. `solved`: it
    stands in a solution, and is printed there. `note` is what a solution says beside it. `shuffle`: its
    choices stand in another order in each variant.
    """

    answer: Answer
    quantity: str
    line: int
    marks: float | None = None
    solved: bool = False
    note: Line = ()
    shuffle: bool = False


@dataclass
class Told:
    """What some of a source speaks of, each with its line: entries, letters, and words as they are typed.

    `worked` are the entries that it works out, `elsewhere` the other scenarios that it names by `at=`;
    of values the words hold nothing.
    """

    entries: dict[str, int] = field(default_factory=dict)
    letters: dict[str, int] = field(default_factory=dict)
    worked: dict[str, int] = field(default_factory=dict)
    words: list[tuple[int, str]] = field(default_factory=list)
    elsewhere: dict[str, None] = field(default_factory=dict)


@dataclass
class Slot:
    """A question, or a part of one: `solutions` are the lines of those that belong to it.

    `of` is the question of a part. `typed` are its points as the source says them, `marks` what they
    come to, and `answered` the line of the part of a solution that answers this part. `asks` and `solves`
    are what a question and its solution speak of, parts and all.
    """

    id: str
    name: str
    line: int
    typed: float | None = None
    marks: float = 0.0
    words: list[str] = field(default_factory=list)
    given: list[Given] = field(default_factory=list)
    of: str = ""
    parts: list[Slot] = field(default_factory=list)
    solutions: list[int] = field(default_factory=list)
    answered: int | None = None
    asks: Told = field(default_factory=Told)
    solves: Told = field(default_factory=Told)

    @property
    def label(self) -> str:
        """`2 (c)`, or `2`, as a key and an answer form have it."""
        return f"{self.of} ({self.name})".strip() if self.of else self.name

    def asked(self) -> Iterator[Given]:
        """The answers of the slot alone that are to be printed in its solution."""
        return (one for one in self.given if not one.solved)


@dataclass
class Asking:
    """Everything that a page asks; slots and answers by their lines, for what is written there.

    `entries` are the derivations that it names, in order, and `keys` what a table gives, by lines. `said`
    are the words before the solutions, `values` what `{value}` prints there, and `shows` whether a table
    or a figure stands there, which may state anything.
    """

    questions: list[Slot] = field(default_factory=list)
    slots: dict[int, Slot] = field(default_factory=dict)
    given: dict[int, Given] = field(default_factory=dict)
    entries: dict[str, None] = field(default_factory=dict)
    keys: dict[str, int] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)
    values: list[str] = field(default_factory=list)
    shows: bool = False

    @property
    def marks(self) -> float:
        """The points of the whole page."""
        return sum(question.marks for question in self.questions)

    def key(self, named: str, **fields: Any) -> KeyFile | None:
        """The answer key of the page; None where it asks for no answer."""
        if not self.given:
            return None
        parts = tuple(
            _part(slot, named) for question in self.questions for slot in (question, *question.parts)
            if slot.given or (slot.typed and not slot.parts)
        )  # fmt: skip
        return KeyFile(part=parts, **fields)


def _part(slot: Slot, named: str) -> Part:
    """A part of the key, marked by hand where it asks for no answer; `named` is the word “Question”."""
    answers = tuple(one.answer for one in slot.given)
    if not answers:
        rubric = (Criterion(words=BY_HAND, marks=slot.marks),)
        answers = (Answer(id="work", words=BY_HAND, marks=slot.marks, kind="text", rubric=rubric),)
    question = " ".join(" ".join(slot.words).split())[:2000]
    title = slot.label
    heading = (f"{named} {title}"[:80],) if title and not slot.of else ()
    return Part(id=slot.id, title=title[:200], question=question, heading=heading, answer=answers)
