"""What was published of this very run, as a step time and a peak of memory."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from workings.planning.accuracy import Spread
from workings.planning.job import Job
from workings.planning.statement import Plan
from workings.planning.utilization import recounted


def settled_by_publication(job: Job, plan: Plan, base: Mapping[str, Fraction]) -> dict[str, Spread]:
    """`T_step` and `M` where a source tells them; FLOP/s and MFU are read by the source's own count.

    Of several figures the one that says the step most directly counts: a time, tokens a second, FLOP/s,
    and an MFU, which has the fewest digits, last. A source that may count in several ways leaves a
    range: its ends and what lies halfway between them.
    """
    told = job.published.values
    found = {"M": _between([told["M"]])} if "M" in told else {}
    for letter in ("T_step", "R_s", "C_u", "u"):
        if letter in told:
            found["T_step"] = _between(_steps(job, plan, base, letter))
            break
    return found


def _steps(job: Job, plan: Plan, base: Mapping[str, Fraction], letter: str) -> list[Fraction]:
    """The step times at which the model would have the published rate: rates fall as steps grow."""
    told = job.published.values[letter]
    if letter == "T_step":
        return [told]
    ours = (recounted(plan, job.values(), letter, share) for share in job.published.counts or (None,))
    return [base["T_step"] * rate / told for rate in ours]


def _between(values: list[Fraction]) -> Spread:
    least, most = min(values), max(values)
    return Spread(least, (least + most) / 2, most)
