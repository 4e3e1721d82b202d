"""Which question of a part the words around a figure speak of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from workings.grade.clauses import places, stands
from workings.grade.targets import Asked
from workings.grade.written import Written
from workings.units import ONE

# Where a word stands that only this question has, the surest place first; then any word of the key.
IN_CLAUSE, BEFORE, AROUND, ANY, NOWHERE = 4, 3, 2, 1, 0


@dataclass(frozen=True, order=True)
class Fit:
    """How well a figure's words fit a question; of two alike, the one whose word is nearer."""

    level: int
    closeness: int = 0


def nearness(asked: Asked, figure: Written) -> int:
    """2 where a word of the key stands in the same sentence, 1 where around it, else 0."""
    words = _words(asked)
    if not words:
        return 2
    return 2 if named(words, figure.sentence, "") else int(named(words, figure.around, ""))


def named(words: Sequence[str], sentence: str, around: str) -> bool:
    """Whether one of these words stands there; no words ask for nothing."""
    text = f"{sentence} {around}".casefold().replace("-", " ")
    return not words or any(stands(word.casefold().replace("-", " "), text) for word in words)


def fit(asked: Asked, figure: Written, questions: Sequence[Asked]) -> Fit:
    """How well the words around a figure fit a question, beside the other questions of its part."""
    siblings = [other for other in questions if other is not asked]
    apart = bool(siblings) or asked.unit.dimension != ONE
    own = tuple(w for w in asked.answer.near if apart and not _shared(w, siblings))
    closest = max((-gap for word in own for gap in _gaps(word.casefold(), figure)), default=None)
    if closest is not None:
        return Fit(IN_CLAUSE, closest)
    if own and named(own, figure.clause.lead, ""):
        return Fit(BEFORE)
    if own and named(own, figure.around, figure.clause.earlier):
        return Fit(AROUND)
    return Fit(ANY if nearness(asked, figure) == 2 else NOWHERE)


def _words(asked: Asked) -> tuple[str, ...]:
    return tuple(word for target in asked.targets for word in target.near)


def _shared(word: str, siblings: Sequence[Asked]) -> bool:
    """Whether a word may as well speak of another question: `token`, where both count tokens."""
    return any(
        word.casefold() in other.casefold()
        for sibling in siblings
        for other in (sibling.answer.words, *sibling.answer.noun, *_words(sibling))
    )


def _gaps(word: str, figure: Written) -> Iterator[int]:
    """How many characters lie between a figure and a word of its clause; none where it is its noun."""
    before, behind = figure.clause.before.casefold(), figure.clause.behind.casefold()
    yield from (0 for _ in places(word, figure.noun.casefold()))
    yield from (len(before) - at - len(word) for at in places(word, before))
    yield from places(word, behind)
