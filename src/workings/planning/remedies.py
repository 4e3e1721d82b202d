"""What would let the fullest rank hold no more than a target, the least time first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from workings.formula import DoesNotEvaluateError
from workings.planning.exact import exactly
from workings.planning.job import Job
from workings.planning.lighter import Change, Values, changes, smallest
from workings.planning.rules.catalogue import RULES
from workings.planning.rules.evaluating import Numbers, kept
from workings.planning.rules.rule import GO, GO_IF
from workings.planning.statement import Plan


@dataclass(frozen=True, slots=True)
class Lighter:
    """A change of one setting: in words, as a job file says it, and the letters that move.

    `time` is the share by which a step takes longer, below 0 where it takes less, and `memory` the bytes
    that the fullest rank then holds.
    """

    words: str
    said: str
    changed: Values
    time: Fraction
    memory: Fraction


def of_least_time(found: Iterable[Lighter], target: Fraction) -> tuple[Lighter, ...]:
    """Of some changes those that hold so little, of one setting the smallest."""
    enough = smallest(one for one in found if one.memory <= target)
    return tuple(sorted(enough, key=lambda one: one.time))


def lighter(job: Job, plan: Plan) -> tuple[Lighter, ...]:
    """Every change of one setting with which the fullest rank holds less, the smallest first.

    None breaks a rule that refuses layouts and that the job keeps.
    """
    numbers = Numbers({**job.values(), GO: job.limit, GO_IF: job.limit_if})
    refusing = [rule for rule in RULES if rule.severity == "error" and kept(rule, numbers)]
    here = exactly(plan, job.values(), ["M", "T_step"])
    allowed = (
        change for change in changes(job)
        if all(kept(rule, numbers.changed(change.changed)) for rule in refusing)
    )  # fmt: skip
    found = (_at(job, plan, change, here) for change in allowed)
    return tuple(one for one in found if one is not None and one.memory < here["M"])


def _at(job: Job, plan: Plan, change: Change, here: Values) -> Lighter | None:
    """What a change comes to; nothing where the plan has no value there."""
    try:
        there = exactly(plan, {**job.values(), **change.changed}, ["M", "T_step"])
    except DoesNotEvaluateError:
        return None
    time = there["T_step"] / here["T_step"] - 1
    return Lighter(change.words, change.said, change.changed, time, there["M"])
