"""What published runs are evidence for: how far they lay from the model, and what they had."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from validating.predicting import Prediction, median_error
from workings.document.records import Record
from workings.planning.accuracy import EVIDENCE


def spread(name: str, time: Sequence[Prediction], memory: Sequence[Prediction]) -> Record:
    """Between which multiples of what we predict eight of ten published figures lie, and their median."""
    rows = tuple(
        (what, *(f"{end:.3f}" for end in middle_of(found)), str(len(found)))
        for what, found in (
            ("step time", [p for p in time if not p.values["z_3"] and not p.values["E"]]),
            ("step time, experts", [p for p in time if not p.values["z_3"] and p.values["E"]]),
            ("step time, weights sharded", [p for p in time if p.values["z_3"]]),
            ("memory that was measured", memory),
        )
    )
    return Record(name, "Published over predicted: where eight of ten published figures lie", "lrrrr",
                  ("", "from", "median", "to", "of"), rows)  # fmt: skip


def middle_of(found: Sequence[Prediction]) -> tuple[float, float, float]:
    """The first decile of published over predicted, the median and the ninth decile."""
    deciles = statistics.quantiles(
        (float(one.theirs / one.ours) for one in found), n=10, method="inclusive"
    )
    return deciles[0], deciles[4], deciles[-1]


def by_axis(name: str, time: Sequence[Prediction]) -> Record:
    """A row for what a layout may have: how many runs had it, and how far off we were there."""
    rows = []
    for one in EVIDENCE:
        some = [p for p in time if one.holds(p.values)]
        signed = statistics.median(p.error for p in some) if some else None
        rows.append((
            one.name, str(len(some)), f"{float(median_error(some)) * 100:.1f}" if some else "-",
            "-" if signed is None else f"{float(signed) * 100:+.1f}",
        ))  # fmt: skip
    return Record(name, "Step times by what a run has", "lrrr",
                  ("runs with", "rows", "median, %", "signed, %"), tuple(rows))  # fmt: skip
