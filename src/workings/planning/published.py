"""What was published of this very run, as a step time and a peak of memory."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from workings.planning.job import Job
from workings.planning.statement import Plan
from workings.planning.utilization import recounted


def settled_by_publication(job: Job, plan: Plan, base: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """`T_step` and `M` where a source tells them; FLOP/s and MFU are read by the source's own count.

    Of several figures the one that says the step most directly counts: a time, tokens a second, FLOP/s,
    and an MFU, which has the fewest digits, last.
    """
    told = job.published.values
    found = {"M": told["M"]} if "M" in told else {}
    for letter in ("T_step", "R_s", "C_u", "u"):
        if letter in told:
            found["T_step"] = told[letter] if letter == "T_step" else _step(job, plan, base, letter)
            break
    return found


def _step(job: Job, plan: Plan, base: Mapping[str, Fraction], letter: str) -> Fraction:
    """The step time at which the model would have the published rate: rates fall as steps grow."""
    ours = recounted(plan, job.values(), letter, job.published.counts)
    return base["T_step"] * ours / job.published.values[letter]
