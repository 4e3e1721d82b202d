"""The ladder, one function per kind of step: units, then exact probes, then SymPy."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from workings.formula import (
    DoesNotEvaluateError,
    Expr,
    Relations,
    evaluate,
    names_in,
    substitute,
)
from workings.formula.dimension import check_relations
from workings.formula.interval import rational
from workings.formula.tree import children
from workings.proof.boundary import apart_at_a_boundary, solved_letter, unlike
from workings.proof.probes import PROBES, compared_at, equal_at, false_at, probe, undercut
from workings.proof.reading import (
    difference_is_zero,
    gaps_share_sign,
    is_global,
    limit_of_quotient,
    readings,
)
from workings.proof.setting import Setting
from workings.proof.verdict import PROVED, REFUTED, SAMPLED, UNDECIDED, Verdict
from workings.units import UnitError

ENOUGH = 12


def prove_equality(left: Expr, right: Expr, setting: Setting) -> Verdict:
    """left = right for all values the setting allows."""
    wrong = _units(Relations(left, (("=", right),)), setting)
    points, counterexample = probe(setting, lambda v: None if equal_at(left, right, v) else v)
    if wrong or counterexample:
        return wrong or Verdict(REFUTED, counterexample, points)
    how = difference_is_zero(left, right, setting)
    return _proved_or_sampled(how, points)


def prove_comparison(left: Expr, relation: str, right: Expr, setting: Setting) -> Verdict:
    """left < right (or <=, >, >=) for all values the setting allows."""
    wrong = _units(Relations(left, ((relation, right),)), setting)
    points, counterexample = probe(
        setting, lambda v: None if compared_at(left, relation, right, v) else v
    )
    if wrong or counterexample:
        return wrong or Verdict(REFUTED, counterexample, points)
    big, small = (right, left) if relation in ("<", "<=") else (left, right)
    wanted = ("+",) if relation in ("<", ">") else ("+", "0+", "0")
    for reading in readings(setting):
        sign = reading.ask(lambda read: read.algebra.sign(read(big) - read(small)), big, small)
        if sign in wanted:
            return Verdict(PROVED, "the difference factors into parts of known sign", points)
    return _proved_or_sampled(None, points)


def prove_equivalence(before: Relations, after: Relations, setting: Setting) -> Verdict:
    """before <=> after: true at the same points, and the two gaps have one sign everywhere."""
    for relations in (before, after):
        if wrong := _units(relations, setting):
            return wrong
    letter = solved_letter(after)
    points, counterexample = probe(setting, lambda v: unlike(before, after, v, letter, setting))
    if counterexample:
        return Verdict(REFUTED, counterexample, points)
    sides = [side for one in (before, after) for side in children(one)]
    for reading in readings(setting):
        if reading.ask(lambda read: gaps_share_sign(before, after, read), *sides):
            return Verdict(PROVED, "the quotient of the two gaps is positive", points)
    apart = apart_at_a_boundary(before, after, setting)
    if apart is not None:
        return Verdict(REFUTED, false_at(apart), points)
    return _proved_or_sampled(None, points)


def prove_limit(left: Expr, right: Expr, towards: Sequence[str], setting: Setting) -> Verdict:
    """left ≈ right as the named letters grow: the quotient's limit is 1."""
    if wrong := _units(Relations(left, (("≈", right),)), setting) or _letters(towards, setting):
        return wrong
    reading = readings(setting)[-1]
    quotient = reading.ask(lambda read: limit_of_quotient(left, right, towards, read), left, right)
    where = ", ".join(f"{name} grows" for name in towards)
    if quotient is None:
        return Verdict(UNDECIDED, f"SymPy does not find the quotient's limit as {where}")
    if quotient == "1":
        return Verdict(PROVED, f"the quotient's limit is 1 as {where}")
    return Verdict(REFUTED, f"the quotient tends to {quotient}, not 1, as {where}")


def prove_approximation(left: Expr, right: Expr, setting: Setting) -> Verdict:
    """A bare ≈ is never proved: its largest error on the probes is stated."""
    if wrong := _units(Relations(left, (("≈", right),)), setting):
        return wrong
    errors: list[float] = []
    for point in setting.points(4 * PROBES):
        try:
            exact, about = rational(evaluate(left, point)), rational(evaluate(right, point))
        except DoesNotEvaluateError:
            continue
        errors.append(float(abs(about / exact - 1)) if exact else inf if about else 0.0)
        if len(errors) == PROBES:
            break
    if not errors:
        return Verdict(UNDECIDED, "no probe point applies")
    return Verdict(SAMPLED, f"largest error on the probes {max(errors):.3g}", len(errors))


def prove_minimum(function: Expr, letter: str, at: Expr, value: Expr, setting: Setting) -> Verdict:
    """`value` is the least of `function` over letter > 0, and is reached at `at`."""
    if wrong := _letters((letter,), setting):
        return wrong
    # A used result may depend on the letter, so it takes part as its formula.
    inside = {name: opaque.unfold() for name, opaque in setting.opaque.items()}
    function, at, value = (substitute(node, inside) for node in (function, at, value))
    if letter in names_in(at) or letter in names_in(value):
        return Verdict(REFUTED, f"the place or the value of the minimum still contains {letter}")
    reached = prove_equality(substitute(function, {letter: at}), value, setting)
    if reached.word == REFUTED:
        return reached
    points, counterexample = probe(setting, lambda v: undercut(function, letter, value, v))
    if counterexample:
        return Verdict(REFUTED, counterexample, points)
    reading = readings(setting)[0]
    if reached.word == PROVED and reading.ask(
        lambda read: is_global(function, letter, at, read), function, at
    ):
        return Verdict(PROVED, f"reached there, and nowhere lower for {letter} > 0", points)
    return _proved_or_sampled(None, points)


# --- units and probes -------------------------------------------------------------------------


def _units(relations: Relations, setting: Setting) -> Verdict | None:
    try:
        check_relations(relations, setting.dimensions())
    except UnitError as error:
        return Verdict(REFUTED, f"units: {error}")
    return None


def _letters(names: Sequence[str], setting: Setting) -> Verdict | None:
    unknown = [name for name in names if name not in setting.letters]
    return Verdict(REFUTED, f"{unknown[0]} is not a letter here") if unknown else None


# --- SymPy ------------------------------------------------------------------------------------


def _proved_or_sampled(how: str | None, points: int) -> Verdict:
    if how is not None:
        return Verdict(PROVED, how, points)
    if points >= ENOUGH:
        return Verdict(SAMPLED, f"agrees at {points} points; SymPy does not decide it", points)
    return Verdict(UNDECIDED, f"SymPy does not decide it and only {points} points apply", points)
