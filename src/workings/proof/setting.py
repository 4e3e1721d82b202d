"""What a step may assume: its letters with their domains, results it uses, conditions given."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

from workings.formula import (
    DoesNotEvaluateError,
    Expr,
    FormulaError,
    Name,
    Num,
    Product,
    Relations,
    Value,
    evaluate,
    holds,
    names_in,
    parse_expression,
    parse_formula,
    plain,
)
from workings.formula.interval import rational
from workings.units import ONE, Dimension
from workings.vocabulary.concept import Domain

if TYPE_CHECKING:
    from random import Random

Values: TypeAlias = Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter's dimension and the numbers it may take."""

    dimension: Dimension = ONE
    domain: Domain = Domain.POSITIVE


@dataclass(frozen=True, slots=True)
class Divides:
    """`p*v divides L`; both sides are products of letters and whole numbers."""

    divisor: Expr
    multiple: Expr

    def __str__(self) -> str:
        return f"{plain(self.divisor)} divides {plain(self.multiple)}"


Given: TypeAlias = Relations | Divides


def parse_given(text: str) -> Given:
    """Read `M_max > A/2`, `p divides m` or `p*v divides L`. Raises FormulaError."""
    divisor, divides, multiple = text.partition(" divides ")
    if divides:
        return Divides(_product(divisor), _product(multiple))
    formula = parse_formula(text)
    if not isinstance(formula, Relations):
        raise FormulaError(f"{plain(formula)} is not a condition", text, 0)
    if any(relation in ("≈", "<=>") for relation, _ in formula.rest):
        raise FormulaError(f"{plain(formula)} is not true or false at a point", text, 0)
    return formula


def _product(text: str) -> Expr:
    """A side of `… divides …`. Raises FormulaError unless it is a product of letters and numbers."""
    side = parse_expression(text)
    factors = (side.first, *(f for _, f in side.rest)) if isinstance(side, Product) else (side,)
    joined = {sign for sign, _ in side.rest} if isinstance(side, Product) else set()
    if joined - {"*"} or not all(isinstance(f, Name | Num) for f in factors):
        raise FormulaError(f"{plain(side)} is not a product of letters and whole numbers", text, 0)
    return side


def given_holds(given: Given, values: Values) -> bool:
    """Whether a condition is true at these values. Raises DoesNotEvaluateError."""
    if isinstance(given, Relations):
        return holds(given, values)
    divisor, multiple = evaluate(given.divisor, values), evaluate(given.multiple, values)
    if not isinstance(divisor, Fraction) or not isinstance(multiple, Fraction):
        raise DoesNotEvaluateError(f"{given} needs whole numbers")
    return (multiple / divisor).denominator == 1


def _names(given: Given) -> tuple[str, ...]:
    """The letters and results that a condition is about."""
    sides = (given.divisor, given.multiple) if isinstance(given, Divides) else (given,)
    return tuple(name for side in sides for name in names_in(side))


@dataclass(frozen=True, slots=True)
class Opaque:
    """Another derivation's result under a letter: how to evaluate it, and what stands for it."""

    evaluate: Callable[[Values], Value]
    unfold: Callable[[], Expr]
    dimension: Dimension


@dataclass(frozen=True)
class Setting:
    """Letters, opaque results and conditions under which steps are read and proved."""

    letters: Mapping[str, Letter]
    opaque: Mapping[str, Opaque] = field(default_factory=dict)
    given: tuple[Given, ...] = ()

    def dimensions(self) -> dict[str, Dimension]:
        """The dimension of every letter, opaque ones included."""
        known = {name: letter.dimension for name, letter in self.letters.items()}
        return known | {name: o.dimension for name, o in self.opaque.items()}

    def points(self, count: int) -> Iterator[dict[str, Value]]:
        """`count` awkward points that obey the conditions, the same on every machine.

        Each is worked out once, when it is first asked for: most questions are settled by the first few.
        """
        kept, more = self._found
        for place in range(count):
            if place == len(kept):
                try:
                    kept.append(next(more))
                except StopIteration:
                    return
                except Exception:
                    del self.__dict__["_found"]  # it cannot go on: who asks again is told again
                    raise
            yield kept[place]

    @cached_property
    def _found(self) -> tuple[list[dict[str, Value]], Iterator[dict[str, Value]]]:
        """The points worked out so far, and those to come."""
        return [], self._points()

    def _points(self) -> Iterator[dict[str, Value]]:
        plain = [given for given in self.given if set(_names(given)) <= set(self.letters)]
        for number, candidate in enumerate(islice(_candidates(self.letters), 4_000)):
            for given in self.given:
                if isinstance(given, Divides):
                    multiple, divisor = names_in(given.multiple)[0], evaluate(given.divisor, candidate)
                    times = 1 if number % TIGHT == 0 else candidate[multiple]  # `m = p` is awkward too
                    candidate[multiple] = times * rational(divisor)
            try:
                if not all(given_holds(given, candidate) for given in plain):
                    continue  # before results that take long are worked out
                point = self.complete(candidate)
                if all(given_holds(given, point) for given in self.given):
                    yield point
            except DoesNotEvaluateError:
                continue

    def complete(self, values: Values) -> dict[str, Value]:
        """These letters, with every opaque result evaluated at them."""
        letters = {name: values[name] for name in self.letters}
        return letters | {name: o.evaluate(letters) for name, o in self.opaque.items()}


TIGHT = 5  # at each fifth point a letter is no more than what must divide it
# Small enough for brute force, awkward enough to tell N from N - 1: 1, primes, non-divisors.
WHOLE = (1, 2, 3, 5, 7, 4, 6, 11, 9, 8, 13, 10, 12)
REAL = tuple(Fraction(n) for n in (1, 2, 3, 7, 16, 80)) + tuple(
    Fraction(n, d) for n, d in ((1, 3), (7, 2), (22, 7), (5, 8), (1001, 3), (9, 1000), (12345, 7))
)
SHARES = tuple(Fraction(n, d) for n, d in ((1, 1), (1, 2), (1, 3), (2, 5), (7, 9), (19, 20), (3, 1000)))


def _candidates(letters: Mapping[str, Letter]) -> Iterator[dict[str, Fraction]]:
    """All ones first, then each value of the lists with unequal scales, then a fixed shuffle."""
    from random import Random  # noqa: PLC0415 - a value needs no probe points

    random = Random(20261121)  # noqa: S311 - a fixed sequence of probe points, not a secret
    yield {name: Fraction(1) for name in letters}
    yield {name: _second(letter.domain) for name, letter in letters.items()}
    while True:
        yield {name: _drawn(letter.domain, random) for name, letter in letters.items()}


def _second(domain: Domain) -> Fraction:
    """Nothing where that is allowed, half of a share, two of anything else."""
    if domain.zero:
        return Fraction(0)
    return Fraction(1, 2) if domain is Domain.SHARE else Fraction(2)


def _drawn(domain: Domain, random: Random) -> Fraction:
    match domain:
        case Domain.POSITIVE_INTEGER:
            return Fraction(random.choice(WHOLE))
        case Domain.WHOLE:
            return Fraction(random.choice((0, *WHOLE)))
        case Domain.FLAG:
            return Fraction(random.choice((0, 1)))
        case Domain.SHARE:
            return random.choice(SHARES)
        case Domain.PART:
            return random.choice((Fraction(0), *SHARES))
    return random.choice(REAL) * random.choice((1, 1, 1, 1000, Fraction(1, 1000)))
