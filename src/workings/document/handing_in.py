"""What a sheet says of how answers are handed in, with an example that is none of them, and marked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from workings.document.answers import value_of
from workings.document.asking import Given, Slot
from workings.document.page import Page
from workings.document.pieces import Code, Line, Number, Strong, Text
from workings.grade.file import Answer
from workings.grade.targets import DIGITS

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


def marking(page: Page) -> Line:
    """How many digits a result needs, and what carries an earlier mistake on: what the key marks by."""
    asked = list(_asked(page)) if page.sheet else []
    figures = [(slot, given.answer) for slot, given in asked if _rounded(given.answer)]
    words = page.words
    said = [_digits(figures, words)] if figures else []
    if len(asked) > 1:
        said.append(words["marks_follow"].format(_share(page.source.front.follow_through, words)))
    title = Strong((Text(words["marks_title"] + words["end"]),))
    return (title, Text(words["gap"] + words["gap"].join(said))) if said else ()


def _rounded(answer: Answer) -> bool:
    """Whether an answer is a figure of which so many digits are asked."""
    return answer.kind == "value" and answer.within == "printed"


def _digits(figures: list[tuple[Slot, Answer]], words: Mapping[str, str]) -> str:
    """The digits that are asked for, those of single questions apart, and what fewer earn."""
    finer: dict[int, dict[str, None]] = {}
    for slot, answer in figures:
        if answer.digits and answer.digits > DIGITS:
            finer.setdefault(answer.digits, {})[slot.label] = None
    apart = (words["marks_finer"].format(words["comma"].join(labels), digits)
             for digits, labels in sorted(finer.items()))  # fmt: skip
    said = words["marks_digits"].format(DIGITS) + "".join(apart) + words["end"]
    shares = {answer.coarse for _, answer in figures if answer.digits and answer.digits > DIGITS}
    if len(shares) == 1:
        said += words["gap"] + words["marks_fewer"].format(DIGITS, _share(shares.pop(), words))
    return said


def _share(share: float, words: Mapping[str, str]) -> str:
    """A share of marks in words where there is one."""
    return words[{0: "marks_none", 0.5: "marks_half", 1: "marks_all"}.get(share, "marks_part")].format(
        f"{100 * share:g}"
    )


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
