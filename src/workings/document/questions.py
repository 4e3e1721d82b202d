"""The directives `question`, `part` and `solution`: what is asked, and what a sheet leaves out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from workings import catalogue
from workings.document.answers import printed
from workings.document.asking import Slot
from workings.document.blocks import Answer, Block, Note, Part, Question, Solution
from workings.document.directive import Directive, check_options, whole
from workings.document.page import Page
from workings.document.where import where_asked

ROOM = 8  # lines left for an answer on a question sheet
_NEEDS = {"choice": 1, "line": 1, "truth": 1, "value": 3}  # lines, without a reason that is asked for

# What makes blocks of what a directive holds.
Inside: TypeAlias = Callable[[Directive], tuple[Block, ...]]
# A directive that holds Markdown, such as a note.
Holder: TypeAlias = Callable[[Directive, Page, Inside], tuple[Block, ...]]


def question(directive: Directive, page: Page, inside: Inside) -> tuple[Block, ...]:
    """```{question} 1```; where no solution follows, its answers are one."""
    check_options(directive, page, ("room", "points"))
    slot = page.asking.slots[directive.line]
    room = _room(directive, page, 0 if slot.parts else _unsaid(slot))
    held = inside(directive)
    if page.sheet:
        ids = dict.fromkeys([*slot.solves.entries, *slot.asks.entries, *page.asking.entries])
        where = where_asked(page, slot.asks.letters, map(catalogue.get, ids))
        first = next((n for n, one in enumerate(held) if isinstance(one, Part)), len(held))
        held = (*held[:first], *where, *held[first:])
    asked = Question(directive.argument, held, room, slot.marks)
    answers = () if page.sheet or slot.solutions else tuple(_answers(slot, page))
    return (asked, Solution(answers)) if answers else (asked,)


def part(directive: Directive, page: Page, inside: Inside) -> tuple[Block, ...]:
    """```{part} a``` of a question, or of its solution."""
    slot = page.asking.slots[directive.line]
    held = inside(directive)
    if directive.line == slot.answered:
        check_options(directive, page, ())
        answers = () if slot.solutions else tuple(printed(one, page) for one in slot.asked())
        return (Part(slot.name, (*held, *answers), 0, 0.0, ""),)
    check_options(directive, page, ("room", "points"))
    return (Part(slot.name, held, _room(directive, page, _unsaid(slot)), slot.marks, slot.of),)


def solution(directive: Directive, page: Page, inside: Inside) -> tuple[Block, ...]:
    """```{solution}```: the last one of a question ends with the answers that stand nowhere else.

    What to remember is said after the answer, so a takeaway at the end stays there.
    """
    check_options(directive, page, ())
    if page.sheet:
        return (Solution(()),)
    slot = page.asking.slots.get(directive.line)
    held = inside(directive)
    answers = _answers(slot, page) if slot and slot.solutions[-1] == directive.line else ()
    end = len(held) - (bool(held) and isinstance(held[-1], Note) and held[-1].kind == "takeaway")
    return (Solution((*held[:end], *answers, *held[end:])),)


def _answers(slot: Slot, page: Page) -> Iterator[Answer]:
    """The answers of a question, and of its parts that no solution answers by themselves."""
    yield from (printed(one, page) for one in slot.asked())
    for one in slot.parts:
        if one.answered is None and not one.solutions:
            yield from (printed(given, page, one.name) for given in one.asked())


def _unsaid(slot: Slot) -> int:
    """The room where nothing is said: a line for each label, three for a number, the most for words."""
    needed = [ROOM if one.answer.rubric else _NEEDS.get(one.answer.kind, ROOM) for one in slot.given]
    return min(sum(needed) or ROOM, ROOM)


def _room(directive: Directive, page: Page, unsaid: int) -> int:
    return whole(directive.options.get("room", unsaid), ":room:", page, directive.line, 0, 60)


QUESTIONS: Mapping[str, Holder] = {
    "question": question, "part": part, "solution": solution,
}  # fmt: skip
