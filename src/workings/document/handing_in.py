"""What a sheet says of how its answers are handed in, with an example that is none of its answers."""

from __future__ import annotations

from collections.abc import Iterator

from workings.document.answers import value_of
from workings.document.asking import Given, Slot
from workings.document.page import Page
from workings.document.pieces import Code, Line, Number, Strong, Text

_EXAMPLES = ("12.3", "45.6")  # one of them has other digits than the answer


def hand_in(page: Page) -> Line:
    """The sentences below the fields of a sheet; nothing where it asks nothing or does not want them.

    The example has a label of the sheet, of a part and an answer with a unit if there is one.
    """
    asked = list(_asked(page))
    if not (page.sheet and page.source.front.answer_form and asked):
        return ()
    slot, given = min(asked, key=lambda pair: (not pair[1].answer.unit, not pair[0].of))
    label, words = slot.label, page.words
    end, gap = words["end"], words["gap"]
    title = Strong((Text(words["hand_in_title"] + end),))
    written = f"{label}: {_example(given, page)}"
    return (title, Text(gap + words["hand_in_begin"]), Code(label), Text(words["hand_in_write"]),
            Code(written), Text(words["hand_in_rest"]))  # fmt: skip


def _asked(page: Page) -> Iterator[tuple[Slot, Given]]:
    """Every answer with the question or the part that asks for it."""
    for question in page.asking.questions:
        for slot in (question, *question.parts):
            yield from ((slot, one) for one in slot.given if slot.label)


def _example(given: Given, page: Page) -> str:
    """An answer of the kind that is asked for, which is not the right one."""
    answer = given.answer
    if answer.kind == "value":
        right = next(one.number for one in value_of(given, page) if isinstance(one, Number))
        digits = "".join(sign for sign in right if sign.isdigit()).lstrip("0")
        number = next(one for one in _EXAMPLES if not digits.startswith(one.replace(".", "")))
        return f"{number} {answer.unit}".rstrip()
    return "…"  # a label would give away that it is wrong
