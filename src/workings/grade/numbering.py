"""Which styles of labels number the questions of a hand-in, and which their parts: the best choice."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from workings.grade.labels import Label, place_of_id
from workings.grade.places import Place

Role = Literal["question", "part", "starting again", "both", "groups", "nth", "words"]
Option: TypeAlias = tuple[str, Role, str]  # a style, what it numbers, and how it counts
Choice: TypeAlias = tuple[Option, ...]
Reach: TypeAlias = tuple[int, int]  # signs of the text up to a label, and up to its end

# What a choice of styles scores for each label read by it, less the cost of its styles.
FOUND = 4.0  # a part of the key that begins
ASKED = 1.0  # a question of the key that has parts
ALONE = 2.0  # the only part of such a question, without a label of its own
DOUBLED = -3.0  # a part or question that has begun before
UNKNOWN = -2.0  # none of the key's
EMPTY = -2.0  # a part behind whose label the next one stands, or one within a label that is not read
BACKWARDS = -1.0  # a part behind a later one of its question
LETTERED, OTHERWISE = -3.0, -1.0  # a question by a letter; a part by no letter
UNPLACED = -1.0  # a part of a question that is not named
GROUPED = -2.0  # that the questions have names of one's own: C1, C2, P1 …
RESTARTS = -3.0  # that questions are told apart by their (a) alone
DOUBT = -0.2  # times the cost of a label that hardly looks like one
KIN = 2.0  # at most for `3` or `3:` beside `2b` or `2 (b)`
AGAIN = -0.5  # the part that has just begun
BULLETS = "bullets"  # the style of items that nothing but their order numbers
BEHIND = "behind"  # the style of a heading that follows the last part
BEYOND = 4  # questions that the key may not have
MAX_STYLES = 16
_STOPS = ".:)="
_PART = re.compile(rf"[(\[]?a[)\]]?[{_STOPS}]*$")  # the part of a style and what ends it


class Begin(NamedTuple):
    """Where parts begin, by their ids: at `start` of a block, behind a label that ends at `end`.

    With no id it is a part that the key does not name, or a `question` that has parts.
    """

    block: int
    start: int
    end: int
    ids: tuple[str, ...]
    question: int = 0


@dataclass(frozen=True)
class Ids:
    """The ids of a key by question and part."""

    order: tuple[str, ...]
    places: Mapping[tuple[int, int], str]

    @classmethod
    def of(cls, ids: Sequence[str]) -> Ids:
        """Ids as they stand in a key."""
        roman = any(id_.endswith(("ii", "iv")) for id_ in ids)
        places = {place: id_ for id_ in ids if (place := place_of_id(id_, roman=roman)) is not None}
        return cls(tuple(ids), places)

    @property
    def last(self) -> int:
        """The highest number of a question."""
        return max((question for question, _ in self.places), default=0)

    @property
    def questions(self) -> list[int]:
        """The questions that have parts."""
        return sorted({question for question, part in self.places if question and part})

    def below(self, question: int) -> list[str]:
        """The parts of a question."""
        return [id_ for (of, part), id_ in self.places.items() if of == question and part]

    def at(self, question: int, part: int) -> str | None:
        """The part at a place; the only one with such a letter where no question is named.

        A question without parts may be given some: 2a for its line, 2b for its result.
        """
        found = self.places.get((question, part)) or self.places.get((0, part) if part else (0, question))
        if found is None and question and not self.below(question):
            found = self.places.get((question, 0))
        if found is None and part and not question:
            alike = [id_ for (_, letter), id_ in self.places.items() if letter == part]
            return alike[0] if len(alike) == 1 else None
        return found


class _Reading:
    """The labels of a document read by one choice of styles, and what it scores."""

    def __init__(self, ids: Ids, places: Sequence[Place], reach: Sequence[Reach], choice: Choice) -> None:
        self.ids, self.choice, self.roles = ids, choice, {style: role for style, role, _ in choice}
        self.question, self.current = 0, ""
        self.end, self.unread = -1, -1  # of the last label that is read, and of the last that is not
        self.seen, self.asked = set[str](), set[int]()
        self.begins: list[Begin] = []
        self.used: dict[str, float] = {}
        self.score = RESTARTS * ("starting again" in self.roles.values())
        self.score += GROUPED * ("groups" in self.roles.values())
        self.groups = {
            style: _groups(places, style) for style, role in self.roles.items() if role == "groups"
        }
        for place, (start, end) in zip(places, reach, strict=True):
            self._read(place, start, end)
        alone = [below[0] for of in self.asked if len(below := ids.below(of)) == 1]
        self.score += ALONE * sum(id_ not in self.seen for id_ in alone) - sum(map(self._cost, self.used))

    def _read(self, place: Place, start: int, end: int) -> None:
        """What begins at a place: of its readings the first that the key knows, or the last."""
        read = [
            (one, *self._place(one))
            for one in place.readings
            if one.style in self.roles or one.style == BEHIND
        ]
        if not read:
            self.unread = end
            return
        label, question, part, id_ = next((one for one in read if one[3]), read[-1])
        if place.loose and not self._follows(id_):
            return
        empty, self.end = start <= self.end or start < self.unread, end
        self.used[label.style] = min(label.cost, self.used.get(label.style, label.cost))
        ids: tuple[str, ...] = ()
        asked = 0
        if id_:
            self.score += self._worth(label, question, part, id_) + EMPTY * (
                empty and self.current not in ("", id_)
            )
            also = (self.ids.at(question, more) for more in label.also)
            ids = (id_, *(one for one in dict.fromkeys(also) if one and one not in {id_, *self.seen}))
            self.score += FOUND * (len(ids) - 1)
            self.seen |= set(ids)
            self.question = question or self.question
        elif not part and self.ids.below(question):
            again = DOUBLED if question != self.question else 0.0
            self.score += again if question in self.asked else ASKED
            self.asked.add(question)
            self.question = asked = question
        elif label.style != BEHIND:
            self.score += UNKNOWN
            if not part and question > self.ids.last + BEYOND:
                return  # a number that happens to stand there
            self.question = question if not part else self.question
        self.current = ids[-1] if ids else ""
        self.begins.append(Begin(place.block, place.start, label.end, ids, asked))

    def _cost(self, style: str) -> float:
        """What a style costs: hardly more where another is the same with the letter of a part."""
        kin = any(_PART.sub("", other) == style.rstrip(_STOPS) for other in self.used if other != style)
        return min(self.used[style], KIN) if kin else self.used[style]

    def _worth(self, label: Label, question: int, part: int, id_: str) -> float:
        """What it scores that a part of the key begins here."""
        if id_ in self.seen:
            return AGAIN if id_ == self.current else DOUBLED
        worth, order = FOUND + DOUBT * label.cost, self.ids.order
        if self.current and _question(self.current) == _question(id_):
            worth += BACKWARDS * (order.index(self.current) > order.index(id_))
        way = label.ways[-1:]
        if not part:
            told = way in ("1", "一", "") or any(ways == "ia" for *_, ways in self.choice)
            return worth + LETTERED * (not told)
        unplaced = not question and (0, part) not in self.ids.places
        return worth + UNPLACED * unplaced + OTHERWISE * (way not in ("a", ""))

    def _follows(self, id_: str | None) -> bool:
        """Whether a part is the next of the key behind the current one or the first of its question."""
        if not id_ or id_ in self.seen:
            return False
        if not self.current:
            return not self.seen or _question(id_) == self.question
        return self.ids.order.index(id_) == self.ids.order.index(self.current) + 1

    def _place(self, label: Label) -> tuple[int, int, str | None]:
        """Question, part, and the id of a label."""
        role, values = self.roles.get(label.style, "words"), label.values
        if label.style == BEHIND:
            return 0, 0, None
        if role in ("words", "nth"):
            at = values[0] - (role == "nth")
            id_ = self.ids.order[at] if 0 <= at < len(self.ids.order) else ""
            return (*(place_of_id(id_) or (0, 0)), id_)
        if role == "starting again" and values[0] == 1:
            question, part = min(
                (one for one in self.ids.places if one > (self.question, 99)), default=(99, 1)
            )
        else:
            question = values[0] if role in ("both", "question") else self.question
            if role == "groups":
                question = self.ids.questions[self.groups[label.style].index(values[0])]
            part = 0 if role == "question" else values[-1]
        return question, part, self.ids.at(question, part)


def _question(id_: str) -> int:
    return (place_of_id(id_) or (0, 0))[0]


def numbered(ids: Ids, places: Sequence[Place], reach: Sequence[Reach]) -> list[Begin]:
    """Where parts begin by the best choice of styles; `reach` says where each place stands.

    A mere list of numbers may be one's own, and is no numbering of lettered parts unless it has them all.
    """
    options = _options(ids, places)
    named = [one for one in options if one[1] != "starting again"]
    counted = [one for one in options if one[1] not in ("question", "both")] if named != options else []

    def read(choice: Choice) -> _Reading:
        return _Reading(ids, places, reach, choice)

    best = max((_best(read, some) for some in (named, counted)), key=lambda one: one.score)
    mere_list = all(role == "part" and ways == "1" for _, role, ways in best.choice)
    return [] if mere_list and len(best.seen) < len(ids.order) else best.begins


def _best(read: Callable[[Choice], _Reading], options: Sequence[Option]) -> _Reading:
    """The best reading: two styles are tried together, for questions and parts, then one more."""
    choice: Choice = ()
    best = read(choice)
    choices: list[Choice] = [(one,) for one in options]
    choices += [(*one, other) for one in choices for other in options if one[0] < other]
    while choices:
        better = max(
            map(read, filter(_is_one_numbering, choices)), key=lambda one: one.score, default=best
        )
        if better.score <= best.score:
            return best
        best, choice = better, better.choice
        choices = [(*choice, one) for one in options]
    return best


def _is_one_numbering(choice: Choice) -> bool:
    """Whether no style has two roles, and questions are counted one way: by numbers, or by letters."""
    ways = {
        ways[:1].replace("一", "1") for _, role, ways in choice if role in ("question", "both", "groups")
    }
    return len(ways) <= 1 and len({style for style, *_ in choice}) == len(choice)


def _options(ids: Ids, places: Sequence[Place]) -> list[Option]:
    """The styles and what each may number, those first that say most."""
    values: dict[tuple[str, str], set[tuple[int, ...]]] = {}
    for place in places:
        for one in place.readings:
            values.setdefault((one.style, one.ways), set()).add(one.values)
    styles = sorted(values, key=lambda style: -len(values[style]))[:MAX_STYLES]
    return [
        (style, role, ways)
        for style, ways in styles
        for role in _roles(style, values[style, ways], ids, _groups(places, style))
    ]


def _groups(places: Sequence[Place], style: str) -> list[int]:
    """The first values of the labels of a style in the order in which they stand."""
    return list(
        dict.fromkeys(one.values[0] for place in places for one in place.readings if one.style == style)
    )


def _are_questions(groups: Sequence[int], values: set[tuple[int, ...]], ids: Ids) -> bool:
    """Whether labels such as C1, P1 and P2 may be the parts of the key's questions in their order."""
    if len(groups) != len(ids.questions) or groups == ids.questions:
        return False
    return all(
        max(part for of, part in values if of == group) <= len(ids.below(question))
        for group, question in zip(groups, ids.questions, strict=True)
    )


def _roles(style: str, values: set[tuple[int, ...]], ids: Ids, groups: Sequence[int]) -> Iterator[Role]:
    if style == BEHIND:
        return
    if style == BULLETS:
        if max(value[0] for value in values) == len(ids.order) > 1:
            yield "nth"
    elif style.endswith("words"):
        yield "words"
    elif len(next(iter(values))) == 2:
        yield "both"
        if _are_questions(groups, values, ids):
            yield "groups"
    else:
        if any(of for of, _ in ids.places):
            yield "question"
        if any(part for _, part in ids.places):
            yield "part"
            if not any(not of for of, _ in ids.places):
                yield "starting again"
        if max(value[0] for value in values) == len(ids.order) and len(ids.places) > 1:
            yield "nth"
