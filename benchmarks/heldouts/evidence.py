"""Rows that have been scored, as evidence for reviews: how far each lay from what a plan says of it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction

from heldouts.jobs import job
from heldouts.published import counted, peak, step
from heldouts.rows import RefusedError, Row, every_row, framework, source
from workings.errors import UserError
from workings.formula import DoesNotEvaluateError
from workings.planning.accuracy import LETTERS, Run
from workings.planning.cost import plan
from workings.planning.exact import exactly
from workings.planning.generations import generation
from workings.planning.precision import timed_at
from workings.planning.utilization import HALF, recounted

PLACES = 10**6  # of a ratio, as it is kept


def scored_runs(rows: Iterable[Row] | None = None) -> tuple[tuple[Run, ...], tuple[Run, ...]]:
    """The step times of rows of which a plan can be made, and the peaks that are printed; of all rows."""
    times, peaks = [], []
    for row in every_row() if rows is None else rows:
        try:
            read, published, size = job(row), step(row).seconds, peak(row)
            v = exactly(plan(), read.values(), {"T_step", "M", *LETTERS})
        except (RefusedError, UserError, DoesNotEvaluateError):
            continue
        values = {name: v[name] for name in LETTERS}
        about = generation(read.device), timed_at(read.device, v["C"], v["a"])
        who = source(row), framework(row)
        ratio = _ratio(published, v["T_step"])
        mfu = round(recounted(plan(), read.values(), "u", HALF) / ratio, 4)
        times.append(
            Run(*about, ratio, values, *who, row["name"], mfu, row["source"], _figure(published))
        )
        if size is not None and says_what_is_kept(row):
            peaks.append(
                Run(
                    *about,
                    _ratio(size.bytes, counted(size, v)),
                    values,
                    *who,
                    page=row["source"],
                    figure=_figure(size.bytes),
                )
            )
    return tuple(times), tuple(peaks)


def says_what_is_kept(row: Row) -> bool:
    """Whether a page says what its peak hangs on: what is computed again, and how many sequences at once.

    Otherwise a peak tells how far our guess is off, and who writes a job need not guess.
    """
    said, unknown = str(row.get("recompute", "")), "; ".join(row["unknown"])
    stated = said and not re.search(
        r"not stated|none stated|not seen|not said|not printed|not told|contradictory", said
    )
    guessed = re.search(r"recomput|checkpoint|micro-?batch|which rank|batch was", unknown)
    return bool(stated) and not guessed


def _figure(published: float) -> Fraction:
    return Fraction(f"{float(published):.6g}")


def _ratio(published: float, ours: Fraction) -> Fraction:
    return Fraction(round(Fraction(published) / ours * PLACES), PLACES)
