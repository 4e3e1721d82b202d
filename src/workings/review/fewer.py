"""On how few devices a layout would still keep every limit: the same batch on fewer of its replicas."""

from __future__ import annotations

from dataclasses import replace

from workings.planning.job import NO_RESULTS
from workings.planning.space import divisors
from workings.review.answer import answer, limited
from workings.review.desk import Desk
from workings.review.numbers import spent
from workings.review.trial import broken


def on_fewest(desk: Desk) -> str:
    """The fewest devices that are GO on all limits, as the job is, one on days among them; or nothing.

    Each replica keeps its layout and has more micro-batches. What the job's own run showed tells of one
    on fewer devices only how far off the model is.
    """
    replicas = int(desk.base["d"])
    if "T_run" not in limited(desk) or answer(desk) != "GO":
        return ""
    job = replace(desk.job, measured=NO_RESULTS, published=NO_RESULTS)
    for fewer in divisors(replicas)[:-1]:
        there = job.with_values({"n": desk.base["n"] * fewer / replicas})
        if broken(there) - broken(job):
            continue
        on_them = Desk(there, desk.plan)
        if answer(on_them) == "GO":
            run = " and ".join(spent(letter, on_them.likely(letter).middle) for letter in desk.of_run)
            return (f" On {int(on_them.base['n']):,} devices (DP {fewer:,}) it would keep every limit at "
                    f"P90 too: {run} (P50).")  # fmt: skip
    return ""
