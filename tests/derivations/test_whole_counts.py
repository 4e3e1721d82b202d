"""Counts are whole: small numbers drawn for every derivation, and degrees that divide nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import chain, islice
from random import Random

from workings import catalogue
from workings.derivation import Derivation
from workings.derivation.evaluation import DoesNotApplyError, value_of
from workings.derivation.violated import needed
from workings.formula import DoesNotEvaluateError, Value, names_in
from workings.formula.interval import rational
from workings.units import ONE
from workings.vocabulary.concept import Concept, Domain
from workings.vocabulary.layout import CP, EP, ETP, STAGES, TP, VIRTUAL_STAGES
from workings.vocabulary.training import MICROBATCHES

ALL = {what.id: what for what in catalogue.every()}
ENOUGH, DRAWS = 12, 150
Letters = dict[str, Fraction]
Found = dict[tuple[str, tuple[tuple[str, Value], ...]], Value]


def small(concept: Concept, random: Random) -> Fraction:
    """A small whole number, the smaller the likelier, or a simple share of what is at most a whole."""
    if concept.domain.bounded:
        shares = {Domain.FLAG: (0, 1), Domain.PART: (0, Fraction(1, 2), 1)}
        return Fraction(random.choice(shares.get(concept.domain, (Fraction(1, 3), Fraction(1, 2), 1))))
    return Fraction(random.randint(0 if concept.domain.zero else 1, random.choice((2, 4, 12))))


def drawn(what: Derivation, choose: Callable[[Concept, Random], Fraction]) -> Iterator[Letters]:
    """Points drawn for a derivation, the same on every machine."""
    random = Random(what.id)  # noqa: S311 - a fixed sequence of points, not a secret
    while True:
        yield {name: choose(concept, random) for name, concept in what.letters.items()}


@cache
def conditions_below(id_: str) -> frozenset[str]:
    """What the refusals of a derivation and of all results that it uses must name."""
    what = ALL[id_]
    own = frozenset(f"it needs {needed(text)} (" for text in what.given)
    return own.union(*(conditions_below(use.derivation.id) for use in what.uses.values()))


def evaluated(what: Derivation, point: Letters) -> Found | None:
    """The result and every used one, or None where a condition is violated, which the words name."""
    found: Found = {}
    try:
        value_of(what, point, {}, found)
    except DoesNotApplyError as refusal:
        if not any(words in str(refusal) for words in conditions_below(what.id)):
            raise AssertionError(f"{refusal} names no condition") from refusal
        return None
    except DoesNotEvaluateError:
        return None
    return found


@cache
def results(id_: str) -> list[Found]:
    """What a derivation and those below it say at small whole numbers, conditions kept or not."""
    what = ALL[id_]
    tried = (evaluated(what, point) for point in islice(drawn(what, small), DRAWS))
    kept = list(islice((one for one in tried if one is not None), ENOUGH))
    if len(kept) < 3:  # conditions that few draws keep: points made to keep them
        tried = (evaluated(what, point) for point in what.setting.points(12))  # type: ignore[arg-type]
        kept += [one for one in tried if one is not None]
    return kept


def between_whole_numbers(value: Value) -> bool:
    return rational(value).denominator > 1


def test_what_counts_things_is_whole_or_says_why_not_wherever_it_is_used() -> None:
    counting = {id_ for id_, what in ALL.items() if what.noun and what.unit == ONE}  # no rate
    assert len(counting) >= 148
    wrong = {
        f"{id_} says {rational(value)} at {dict(letters)}"
        for user in ALL
        for found in results(user)
        for (id_, letters), value in found.items()
        if id_ in counting and between_whole_numbers(value)
        if not (ALL[id_].fractional or ALL[id_].bounds_count)
    }
    assert not wrong, "\n".join(sorted(wrong)[:20])
    silent = [id_ for id_ in counting if not results(id_)]
    assert not silent, f"nothing was drawn for {silent}"


def test_what_counts_things_is_given_whole_numbers_wherever_it_is_used() -> None:
    wrong = {
        f"{user} gives {id_} {name} = {value}"
        for user in ALL
        for found in results(user)
        for id_, letters in found
        for name, value in letters
        if name in ALL[id_].letters and ALL[id_].letters[name].domain.integer
        if between_whole_numbers(value)
    }
    assert not wrong, "\n".join(sorted(wrong)[:20])


def test_what_says_that_it_need_not_be_whole_is_not_somewhere() -> None:
    declared = [what for what in ALL.values() if what.fractional]
    assert declared
    for what in declared:
        points = chain(islice(drawn(what, small), 20 * DRAWS), what.setting.points(DRAWS))
        answers = filter(None, (evaluated(what, point) for point in points))  # type: ignore[arg-type]
        mine = (value for found in answers for (id_, _), value in found.items() if id_ == what.id)
        assert any(map(between_whole_numbers, mine)), f"{what.id} is always whole"
        assert not what.bounds_count, f"{what.id} is a limit, which is said of itself"


# --- degrees that divide nothing ----------------------------------------------------------------

# What each degree deals out: layers to stages and chunks, heads and columns to tensor-parallel ranks, …
PARAMETERS = {"parameters", "layer_parameters", "dense_part", "routed_part"}
DEALT = {
    STAGES.name: {"blocks", "moe_blocks"} | PARAMETERS,
    VIRTUAL_STAGES.name: {"blocks"},
    TP.name: {"heads", "kv_heads", "d_ff", "d_expert", "vocab", "sequence_length"} | PARAMETERS,
    CP.name: {"sequence_length"},
    EP.name: {"experts", "routed_part"},
    ETP.name: {"d_expert", "routed_part"},
}
PRIME = 101


def shares_a_message(what: Derivation, letter: str) -> bool:
    """Whether the ranks of a degree cut a message in equal parts, as a collective does."""
    for use in what.uses.values():
        inner = [name for name, argument in use.arguments.items() if letter in names_in(argument)]
        if use.derivation.topic == "collectives" and "N" in inner:
            return True
        if any(shares_a_message(use.derivation, name) for name in inner):
            return True
    return False


def split_unevenly(what: Derivation, letter: str) -> bool:
    """Whether results stay in parts of a degree that divides none of the other letters."""

    def other(concept: Concept, random: Random) -> Fraction:
        if concept.domain.bounded:
            return small(concept, random)
        if concept.name == MICROBATCHES.name:  # which a schedule wants in groups, one for each stage
            return Fraction(PRIME)
        return Fraction(random.choice((1, 2, 3, 4, 6, 12, 512, 4096)))

    points = islice(drawn(what, other), 40)
    tried = (evaluated(what, {**point, letter: Fraction(PRIME)}) for point in points)
    found = list(islice((one for one in tried if one is not None), 5))
    own = [next(rational(v) for (id_, _), v in one.items() if id_ == what.id)
           for one in found if not any(ALL[id_].fractional for id_, _ in one)]  # fmt: skip
    return sum(value.denominator % PRIME == 0 for value in own) > len(own) / 2


def test_what_a_degree_does_not_divide_is_refused_or_counted_on_the_fullest_rank() -> None:
    wrong = [
        f"{what.id} divides by {letter}"
        for what in ALL.values()
        if what.solved_letter is None and (what.unit != ONE or what.noun)
        for letter, concept in what.letters.items()
        if DEALT.get(concept.name, set()) & {other.name for other in what.letters.values()}
        if not shares_a_message(what, letter) and split_unevenly(what, letter)
    ]
    assert not wrong, "\n".join(wrong)
