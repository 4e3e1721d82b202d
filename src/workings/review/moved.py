"""How far each input that changed moves the results by itself, all others as they were."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from workings.formula import DoesNotEvaluateError
from workings.planning.exact import exactly
from workings.planning.statement import Plan
from workings.planning.stored import stored_plan
from workings.review.recorded import Recorded

# What is looked at, and what a line calls it.
RESULTS: Mapping[str, str] = {
    "T_step": "step",
    "M": "memory",
    "T_run": "days",
    "c_run": "cost",
    "u": "MFU",
}
_OF_THE_STEP = ("T_run", "c_run")
_NEAR = 1e-6  # a review of another cost model has other results
_ALIKE = 1e-3  # days and cost that grow as the step does are not told again


def alone(old: Recorded, new: Recorded) -> dict[str, dict[str, float]]:
    """By letter of what changed, by how much which result grows; no letter where that cannot be told.

    The results of the old review must come out again, else another cost model made it.
    """
    before = {one.letter: _number(one.value) for one in old.inputs}
    recorded = {one.letter: one.base for one in old.values}
    plan = stored_plan()
    base = _results(plan, before)
    if not base or any(not _near(base[n], recorded.get(n)) for n in RESULTS):
        return {}
    changed = {one.letter: _number(one.value) for one in new.inputs if one.letter in before}
    found = {}
    for letter, value in changed.items():
        if value != before[letter] and (after := _results(plan, {**before, letter: value})):
            found[letter] = _told(_shares(base, after))
    return found


def _results(plan: Plan, given: Mapping[str, Fraction]) -> dict[str, float]:
    """The results, or nothing where they cannot be worked out."""
    try:
        found = exactly(plan, given, RESULTS)
        return {name: float(found[name]) for name in RESULTS}
    except (DoesNotEvaluateError, OverflowError):
        return {}


def _shares(base: Mapping[str, float], after: Mapping[str, float]) -> dict[str, float]:
    """By how much each result grows."""
    return {name: after[name] / base[name] - 1 for name in RESULTS if base[name]}


def _told(shares: Mapping[str, float]) -> dict[str, float]:
    """By its word what moves, without what follows from the step alone."""
    step = shares.get("T_step", 0.0)
    kept = {n: by for n, by in shares.items() if abs(by) > _NEAR and n != "u"}
    kept = {n: by for n, by in kept.items() if n not in _OF_THE_STEP or abs(by - step) > _ALIKE}
    if not kept and abs(shares.get("u", 0.0)) > _NEAR:
        kept = {"u": shares["u"]}
    return {RESULTS[name]: by for name, by in kept.items()}


def _number(value: float) -> Fraction:
    return Fraction(repr(value))


def _near(value: float, other: float | None) -> bool:
    return other is not None and abs(value - other) <= _NEAR * max(abs(value), abs(other))
