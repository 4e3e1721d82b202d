"""Formulas broken on purpose, one place at a time, and what notices it.

An oracle that agrees with a wrong formula is worth nothing. So every first line (for a condition:
the line that is solved) is broken and given to its oracle alone, and every later exact line is
broken and given to the step that leads to it. What survives must be equal to the original.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import wraps
from typing import Any

from workings.derivation import Derivation, NotCountedError, Oracle
from workings.derivation.chain import Line
from workings.derivation.evaluation import DoesNotApplyError, value_of
from workings.formula import (
    Call,
    DoesNotEvaluateError,
    Expr,
    Formula,
    FormulaError,
    Num,
    Relations,
    plain,
)
from workings.formula.tree import Add, Power, Product, Series, children, rebuild
from workings.proof import PROVED, REFUTED, prove_equality
from workings.verification import check_oracle, check_step, unit_of_result

UNITS, ORACLE, STEP, EQUAL, SURVIVED = "units", "oracle", "step", "equal", "survived"
_EXACT = ("=", "<=>", "minimise", "limit")  # bounds may be loose, so they may change


@dataclass(frozen=True, slots=True)
class Mutant:
    """A line of a chain with one place changed."""

    line: int
    change: str
    formula: Formula


@dataclass(frozen=True, slots=True)
class Tried:
    """A mutant and what noticed it: units, oracle or step; equal (proved so); or nothing."""

    mutant: Mutant
    fate: str


def mutants(what: Derivation) -> Iterator[Mutant]:
    """Every line that must hold exactly, with one place changed."""
    for line in what.lines:
        if line.relation in _EXACT:
            seen = {plain(line.formula)}
            for change, broken in edits(line.formula):
                text = plain(broken)
                if text not in seen:
                    seen.add(text)
                    yield Mutant(line.number, change, broken)


def attempt(what: Derivation) -> Iterator[Tried]:
    """Every mutant of a derivation with its fate."""
    what = replace(what, oracle=_remembered(what.oracle)) if what.counted else what
    guarded = _guarded_by_oracle(what)
    for mutant in mutants(what):
        alone = mutant.line == guarded
        fate = _fate_alone(what, mutant) if alone else _fate_in_chain(what, mutant)
        yield Tried(mutant, fate)


def _remembered(oracle: Oracle) -> Oracle:
    """The same oracle, which counts only once at each point: all mutants are asked at the same ones."""
    counted: dict[tuple[tuple[str, Any], ...], Any] = {}

    @wraps(oracle)
    def asked(**letters: Any) -> Any:
        at = tuple(letters.items())
        if at not in counted:
            try:
                counted[at] = oracle(**letters)
            except (DoesNotEvaluateError, DoesNotApplyError, NotCountedError) as error:
                counted[at] = error
        if isinstance(counted[at], Exception):
            raise counted[at]
        return counted[at]

    return asked


def _guarded_by_oracle(what: Derivation) -> int:
    """The line that nothing but the oracle guards; 0 where the value comes from a minimum."""
    if what.head is None:
        return what.lines[-1].number
    return 0 if any(line.relation == "minimise" for line in what.lines) else 1


def _fate_alone(what: Derivation, mutant: Mutant) -> str:
    """The mutant as the whole chain: only units and the oracle can notice it."""
    text = plain(mutant.formula)
    broken = what.with_chain(f"{what.head} = {text}" if what.head else f"{text}\n<=> {text}")
    try:
        if unit_of_result(broken):
            return UNITS
        if check_oracle(broken).word == REFUTED or not _has_a_value(broken):
            return ORACLE
    except FormulaError:
        return UNITS
    original = what.lines[mutant.line - 1]
    if _noticed_beside(what, original, mutant):
        return STEP
    return EQUAL if _equal(what, original.formula, mutant.formula) else SURVIVED


def _has_a_value(what: Derivation) -> bool:
    """Whether the result exists anywhere: with a divisor of 0 it does not."""
    for point in what.setting.points(12):
        try:
            value_of(what, {name: point[name] for name in what.letters})
        except (DoesNotApplyError, DoesNotEvaluateError):
            continue
        return True
    return False


def _noticed_beside(what: Derivation, line: Line, mutant: Mutant) -> bool:
    """Whether the step to the line below refutes it, or, for a solved condition, the step to it."""
    if what.head is None:
        before = what.lines[mutant.line - 2].formula
        return check_step(what, before, replace(line, formula=mutant.formula)).word == REFUTED
    return _noticed_below(what, line, mutant)


def _fate_in_chain(what: Derivation, mutant: Mutant) -> str:
    line = what.lines[mutant.line - 1]
    broken = replace(line, formula=mutant.formula)
    if line is what.lines[0]:
        verdict = check_step(what, mutant.formula, what.lines[1])
    else:
        verdict = check_step(what, what.lines[mutant.line - 2].formula, broken)
    if verdict.word == REFUTED:
        return UNITS if verdict.how.startswith("units") else STEP
    if verdict.word == PROVED and _joined_by(what, line) in ("=", "<=>"):
        return EQUAL  # what was there is proved equal to the same formula
    if line.relation != "limit" and _noticed_below(what, line, mutant):
        return STEP
    return EQUAL if _equal(what, line.formula, mutant.formula) else SURVIVED


def _noticed_below(what: Derivation, line: Line, mutant: Mutant) -> bool:
    below = what.lines[line.number : line.number + 1]
    return any(check_step(what, mutant.formula, after).word == REFUTED for after in below)


def _joined_by(what: Derivation, line: Line) -> str:
    """The relation of the step that was asked about: to a line, or from the first to the second."""
    return (what.lines[1] if line is what.lines[0] else line).relation


def _equal(what: Derivation, one: Formula, other: Formula) -> bool:
    """Whether both formulas are proved to be the same, side by side for conditions."""
    if isinstance(one, Relations) or isinstance(other, Relations):
        if not (isinstance(one, Relations) and isinstance(other, Relations)):
            return False
        pairs = zip(children(one), children(other), strict=True)
        return all(_equal(what, a, b) for a, b in pairs)
    return one == other or prove_equality(one, other, what.setting).word == PROVED


# --- changes ----------------------------------------------------------------------------------


def edits(node: Formula) -> Iterator[tuple[str, Formula]]:
    """The formula with one place changed, in words and as a tree."""
    if not isinstance(node, Relations):
        yield from _edits(node)
        return
    for change, first in _edits(node.first):
        yield change, replace(node, first=first)
    for place, (relation, side) in enumerate(node.rest):
        for change, broken in _edits(side):
            rest = (*node.rest[:place], (relation, broken), *node.rest[place + 1 :])
            yield change, replace(node, rest=rest)


def _edits(node: Expr) -> Iterator[tuple[str, Expr]]:
    yield from _here(node)
    for child in children(node):
        for change, broken in _edits(child):
            yield change, _with(node, child, broken)


def _with(node: Expr, child: Expr, other: Expr) -> Expr:
    return rebuild(node, lambda part: other if part is child else part)


def _here(node: Expr) -> Iterator[tuple[str, Expr]]:
    match node:
        case Num(value, unit) if value.denominator == 1:
            for changed in (value + 1, value - 1):
                if changed >= 0:
                    yield f"{value} becomes {changed}", Num(changed, unit)
        case Add(first, rest):
            yield from _terms(first, rest)
        case Product(first, rest):
            yield from _factors(first, rest)
        case Call(function, args):
            yield from _calls(function, args)
        case Series(_, _, _, upper) if not isinstance(upper, Num):
            yield "one term more", replace(node, upper=Add(upper, (("+", Num(Fraction(1))),)))
        case Power(base, _):
            yield "power left out", base


def _terms(first: Expr, rest: tuple[tuple[str, Expr], ...]) -> Iterator[tuple[str, Expr]]:
    terms = [("+", first), *rest]
    for place, (sign, term) in enumerate(terms):
        others = terms[:place] + terms[place + 1 :]
        if others[0][0] == "+":
            yield f"{sign} {plain(term)} left out", _sum(others)
        if place:
            turned = "-" if sign == "+" else "+"
            yield (
                f"{sign} {plain(term)} turned",
                _sum([*terms[:place], (turned, term), *terms[place + 1 :]]),
            )


def _sum(terms: list[tuple[str, Expr]]) -> Expr:
    first = terms[0][1]
    return Add(first, tuple(terms[1:])) if len(terms) > 1 else first  # type: ignore[arg-type] # signs


def _factors(first: Expr, rest: tuple[tuple[str, Expr], ...]) -> Iterator[tuple[str, Expr]]:
    if rest[0][0] == "*":
        yield f"{plain(first)} left out", _product(rest[0][1], rest[1:])
    for place, (sign, factor) in enumerate(rest):
        others = rest[:place] + rest[place + 1 :]
        yield f"{sign} {plain(factor)} left out", _product(first, others)


def _product(first: Expr, rest: tuple[tuple[str, Expr], ...]) -> Expr:
    return Product(first, rest) if rest else first  # type: ignore[arg-type] # signs


def _calls(function: str, args: tuple[Expr, ...]) -> Iterator[tuple[str, Expr]]:
    other = {"ceil": "floor", "floor": "ceil", "max": "min", "min": "max"}.get(function)
    if other:
        yield f"{function} becomes {other}", Call(other, args)
    if len(args) == 1:
        yield f"{function} left out", args[0]
        return
    yield f"{function} becomes a sum", _sum([("+", arg) for arg in args])
    for place in range(len(args)):
        others = args[:place] + args[place + 1 :]
        broken = Call(function, others) if len(others) > 1 else others[0]
        yield f"{plain(args[place])} left out of {function}", broken
