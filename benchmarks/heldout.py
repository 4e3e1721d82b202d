"""Published runs that the model has never seen, scored once a release; benchmarks/heldout/README.md.

    python benchmarks/heldout.py --read    how many rows are read, and why others are not; no figure
    python benchmarks/heldout.py           errors, ranges, memory, and the rows that are farthest off
    python benchmarks/heldout.py --json    the same and every row, as data
    with --second, --third, --fourth, --fifth or --sixth  another set, gathered after those before it
    python benchmarks/heldout.py --left-out  how often a source lies from P10 to P90 of all others,
                                           and whether others' runs of its model tell of it better

A row becomes the job that a user would write (`heldouts/jobs.py`), with every default of the product.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

from heldouts.jobs import job
from heldouts.left_out import by_its_layout, by_its_model, inside
from heldouts.paired import paired
from heldouts.printing import data, reasons, text
from heldouts.published import step
from heldouts.rows import FILE, LATER, RefusedError, Row, rows
from heldouts.scoring import scored


def main() -> None:
    """Print what is asked for."""
    some = rows(next((file for name, file in LATER.items() if f"--{name}" in sys.argv[1:]), FILE))
    if "--read" in sys.argv[1:]:
        print(reading(some))
        return
    if "--left-out" in sys.argv[1:]:
        for told in (inside(), by_its_model(), by_its_layout()):
            print({result: round(share, 3) for result, share in told.items()})
        return
    found = scored(some)
    if "--json" in sys.argv[1:]:
        print(json.dumps(data(found), indent=1))
    else:
        print(text(found), paired(some), sep="\n")


def reading(some: Sequence[Row]) -> str:
    """How many rows are read, and the kinds of those that are not."""
    refused = dict[str, list[str]]()
    for row in some:
        try:
            job(row), step(row)
        except RefusedError as error:
            refused.setdefault(str(error), []).append(row["name"])
    read = len(some) - sum(map(len, refused.values()))
    return f"{read} of {len(some)} rows read.\n\n{reasons(refused)}"


if __name__ == "__main__":
    main()
