"""Figures of a text of which each may be meant: hedges, lists, ranges; and those turned down."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from workings.claims.marked import Amount, Mark, Word, said
from workings.grade.choosing_words import EAST, words_of
from workings.grade.clauses import listed, stands
from workings.grade.written import Written

AHEAD = 30  # characters behind a figure that may turn it down
FAR = 160  # characters between two that are offered for choice
NO_OR = ("of", "o", "u", "か", "/")  # which are an “or” only where nothing else stands between two
NO_IF = ("als", "om", "se", "si")  # also “as” or “itself”: an “if” only where both figures have one
_SENTENCE_END = re.compile(r"[.;!。](?:\s|$)|\n")
_ASKS = re.compile(r"[^.;\n]{0,12}[?？]")


def linked(
    figures: Sequence[Written], marks: Sequence[Mark], places: Sequence[int], text: str
) -> list[Written]:
    """The figures of a text, at `places` of its marks, each with those it may be exchanged for."""
    groups: list[list[int]] = []
    ranged: set[int] = set()
    for number in range(len(figures)):
        if not number:
            groups.append([number])
            continue
        first, second = places[number - 1], places[number]
        between = marks[first + 1 : second]
        if _is_range(marks, first, between):
            ranged |= {number - 1, number}
        same = _name(marks, first) == _name(marks, second)
        if (same and _lists(between)) or (
            not _concludes(between) and _is_choice(text, marks[first].end, marks[second])
        ):
            groups[-1].append(number)
        else:
            groups.append([number])
    of = {number: group for group in groups for number in group}
    return [
        replace(
            figure,
            rivals=frozenset(figures[other].offset for other in of[number] if other != number),
            ranged=number in ranged,
            rejected=_is_rejected(figure, marks, places[number]),
        )
        for number, figure in enumerate(figures)
    ]  # fmt: skip


def offers(between: str) -> bool:
    """Whether “or” stands in what is said between two things, and makes no bound: 44 or more."""
    plain = between.casefold().strip(" $(")
    if plain in words_of("or"):
        return True
    for word in words_of("or"):
        ends = [] if word in NO_OR else _ends_of(word, plain)
        rests = (plain[end:].split() for end in ends)
        if any(not rest or rest[0].strip(",.;") not in listed("bound") for rest in rests):
            return True
    return False


def _ends_of(word: str, text: str) -> list[int]:
    """Where a word ends in a text, a whole one where words have spaces between them."""
    whole = re.escape(word) if word >= EAST else rf"(?<![^\W_]){re.escape(word)}(?![^\W_])"
    return [match.end() for match in re.finditer(whole, text)]


def _is_choice(text: str, start: int, second: Mark) -> bool:
    """Whether of two figures either may be meant: “or” between them, a question mark, a condition."""
    between, behind = text[start : second.start].casefold(), text[second.end :][:AHEAD].casefold()
    if len(between) > FAR:
        return False
    if offers(between) or _ASKS.match(between):
        return True
    if _SENTENCE_END.search(between):
        return False
    return _ASKS.match(behind) is not None or _on_conditions(between, behind)


def _on_conditions(between: str, behind: str) -> bool:
    """Whether two figures hold on conditions; what stands in brackets only explains the first."""
    if between.rstrip().endswith(("(", "（")):
        return False
    each = [{word for word in listed("condition") if _ends_of(word, part)} for part in (between, behind)]
    return all(each) or bool((each[0] | each[1]).difference(NO_IF))


def _name(marks: Sequence[Mark], place: int) -> str:
    """The name that a figure is given to behind `=`, or nothing: the N of `N = 38`."""
    if place < 2 or not said(marks[place - 1], "="):
        return ""
    calculated = place > 2 and said(marks[place - 3], "sign")
    return "" if calculated else marks[place - 2].text


def _lists(between: Sequence[Mark]) -> bool:
    """Whether two figures are only listed: a comma or “and”, and the same name or noun again."""
    words = [mark for mark in between if not said(mark, ",", "and", "(", "=") and len(mark.text) > 1]
    return (
        not any(isinstance(mark, Amount) for mark in between)
        and any(said(mark, ",", "and") for mark in between)
        and not words
        and not any(mark.text in "→->:" for mark in between)
    )


def _concludes(between: Sequence[Mark]) -> bool:
    text = " ".join(mark.text for mark in between).casefold()
    return said_any(between, "so", "->") or any(stands(word, text) for word in listed("cue"))


def said_any(marks: Sequence[Mark], *means: str) -> bool:
    """Whether one of these marks has one of these meanings."""
    return any(said(mark, *means) for mark in marks)


def _is_range(marks: Sequence[Mark], first: int, between: Sequence[Mark]) -> bool:
    """`between 100 and 200`, `from 100 to 200`, `100 – 200`."""
    joins = [mark.text.casefold() for mark in between if isinstance(mark, Word)]
    if len(joins) != 1 or joins[0] not in listed("range_to"):
        return False
    before = [mark.text.casefold() for mark in marks[max(0, first - 3) : first]]
    return not joins[0].isalpha() or any(word in listed("range_from") for word in before)


def _ends_with(text: str, word: str) -> bool:
    """Whether a text ends with a whole word: `no`, not `almeno`; n't and 不是 need no space before."""
    before = text[: -len(word)][-1:]
    whole = word[0].isascii() and word != "n't" and before.isalpha()
    return text.endswith(word) and not whole


def _is_rejected(figure: Written, marks: Sequence[Mark], place: int) -> bool:
    """`not 43`, `43 is too few`."""
    before = figure.clause.before.casefold().replace("=", " ").split()
    near = " ".join(word for word in before[-4:] if len(word) > 1)
    behind = figure.clause.behind[:AHEAD].casefold()
    return any(_ends_with(near, word) for word in listed("rejected_before")) or any(
        word in behind for word in listed("rejected_behind")
    )
