"""From and up to which value of an input, or of a measured result, the answer of the odds is the same.

A value is tried by answering anew: with the input settled there, its range gone, or with the result as a
run of the job would have shown it. So a threshold is always one of the answer that stands on the page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property, partial

from workings.document.blocks import Line, Text
from workings.formula import DoesNotEvaluateError
from workings.planning.breakeven import turn
from workings.planning.exact import anew
from workings.planning.moves import FREELY, Moves
from workings.planning.statement import Statement
from workings.review.answer import WORDS, answer, limited
from workings.review.desk import Desk
from workings.review.likelihood import RESULTS
from workings.review.numbers import USUAL, bounded
from workings.units import Dimension
from workings.vocabulary.concept import Domain


@dataclass(frozen=True, slots=True)
class Holds:
    """An answer, and the value up to which (`at_most`) or from which on it is that or a better one."""

    word: str
    value: Fraction
    at_most: bool


def decided(holds: Iterable[Holds]) -> list[str]:
    """The answers that any of the values is for, the best first: a column each."""
    some = {held.word for held in holds}
    return [word for word in WORDS if word in some]


def how_to_read(desk: Desk, columns: Sequence[str], kind: str = "", apart: Sequence[str] = ()) -> str:
    """What stands in the columns of `decided`, a sentence; "" where there are none."""
    if not columns:
        return ""
    apart = [*(["the conditions that its author asks for"] if desk.job.cover.conditions else []), *apart]
    left = f", {' and '.join(apart)} apart" if apart else ""
    return (
        f" {' and '.join(columns)}: the largest (≤) or smallest (≥) {kind}value that keeps the answer of "
        f"the first page at least that good, if all else stays{left}."
    )


class Settled(Desk):
    """A desk with one input settled: its range is gone, and what has a limit follows anew.

    Other values are still those of `origin`.
    """

    def __init__(self, origin: Desk, letter: str, value: Fraction, moved: Sequence[Statement]) -> None:
        figure = replace(origin.job.figures[letter], value=value, low=None, high=None)
        job = replace(origin.job, figures={**origin.job.figures, letter: figure})
        super().__init__(job, origin.plan)
        self._origin, self._settled, self._moved = origin, {letter: value}, moved

    @cached_property
    def base(self) -> Mapping[str, Fraction]:
        """As the job has it, but for what is settled."""
        return self._anew(self._origin.base)

    @cached_property
    def low(self) -> Mapping[str, Fraction]:
        """Where all else lies at the end that costs least."""
        return self._anew(self._origin.low)

    @cached_property
    def high(self) -> Mapping[str, Fraction]:
        """Where all else lies at the end that costs most."""
        return self._anew(self._origin.high)

    def _anew(self, case: Mapping[str, Fraction]) -> Mapping[str, Fraction]:
        return anew({**case, **self._settled}, self._moved)


def of_input(
    desk: Desk, letter: str, moves: Moves = FREELY, on: Sequence[str] = (), words: Sequence[str] = ()
) -> tuple[Holds, ...]:
    """The thresholds of an input, all else as it is; `on` some limits only."""
    bounds = set(on or desk.bounds)
    needed = {s.letter for s in desk.plan.needed_for((*bounds, *RESULTS, "u"))}  # which the odds stop at
    moved = [desk.plan.named(n) for n in desk.plan.resting_on([letter]) if n in needed]
    if bounds.isdisjoint(statement.letter for statement in moved):
        return ()
    figure = desk.job.figures[letter]
    start = figure.value or max(end or Fraction(0) for end in (figure.low, figure.high))
    domain = desk.plan.letters[letter].domain

    def there(value: Fraction) -> str:
        return answer(Settled(desk, letter, value, moved), on)

    return tuple(_found(there, start, words or asked(desk), domain, moves)) if start else ()


def of_result(desk: Desk, letter: str, on: Sequence[str] = ()) -> tuple[Holds, ...]:
    """The thresholds of a peak or of a step that a run of the job would show; `on` some limits only."""
    measured = desk.job.measured

    def there(value: Fraction) -> str:
        showed = measured._replace(values={**measured.values, letter: value})
        run = Desk(replace(desk.job, measured=showed), desk.plan)
        run.__dict__["base"] = desk.base  # which no measurement moves
        return answer(run, on)

    found = tuple(_found(there, desk.base[letter], WORDS[:2], Domain.POSITIVE, FREELY))
    values = {one.value for one in found if one.word == "GO"}
    return tuple(one for one in found if one.word == "GO" or one.value not in values)


def limits(
    desk: Desk, found: Sequence[Holds], on: Callable[[Sequence[str]], Sequence[Holds]]
) -> tuple[str, ...]:
    """The limits that thresholds are for: those that alone have one of them; `on` has those of some."""
    if len(desk.bounds) == 1 or not found:
        return tuple(desk.bounds) if found else ()
    ends = {(one.value, one.at_most) for one in found}
    alone = ("u_M", *limited(desk))
    return tuple(n for n in alone if any((one.value, one.at_most) in ends for one in on([n])))


def bounds(
    found: Iterable[Holds], word: str, dimension: Dimension, *, whole: bool = False, digits: int = USUAL
) -> Line:
    """All bounds of one answer: ≤ 40.9 GB, or – where there is none."""
    sides = [bounded(one.value, dimension, at_most=one.at_most, whole=whole, digits=digits)
             for one in found if one.word == word]  # fmt: skip
    between = [(Text(" and "), *side) for side in sides[1:]]
    return sum(between, sides[0]) if sides else (Text("–"),)


def asked(desk: Desk) -> Sequence[str]:
    """The answers whose thresholds are worth telling: that of the job, and a better one."""
    return WORDS[:1] if answer(desk) == "GO" else WORDS[:2]


def _found(
    there: Callable[[Fraction], str], start: Fraction, words: Sequence[str], domain: Domain, moves: Moves
) -> Iterator[Holds]:
    """By word the values at which it ends; that at which it begins where it is not so yet."""

    @cache
    def rank(value: Fraction) -> int:
        try:
            return WORDS.index(there(value))
        except DoesNotEvaluateError:
            return len(WORDS)

    def keeps(word: str, value: Fraction) -> bool:
        return rank(value) <= WORDS.index(word)

    for word in words:
        kept = keeps(word, start)
        ends = ((up, turn(partial(keeps, word), start, domain, moves, upwards=up))
                for up in (True, False))  # fmt: skip
        sides = [Holds(word, value, up == kept) for up, value in ends if value is not None]
        yield from sides if kept else sides[:1]
