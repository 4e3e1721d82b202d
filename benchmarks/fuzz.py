"""Made-up documents through the checker and every output: `fuzz.py 20000 [--first N] [--jobs N]`.

Exits 1 and names each document (`fuzz.py --show NUMBER` prints it) on which something escaped, that
took more than its share of processor time, ran code, or could not be read back.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

from fuzzing.guard import guarded, watch
from fuzzing.soup import case

CHUNK = 200
WORST = 40  # failures printed


def main() -> int:
    """Run the cases asked for; print how many, how fast, and what failed."""
    asked = _arguments()
    if asked.show is not None:
        print(ascii(case(asked.show).text) + "\n", guarded(asked.show))
        return 0
    started = time.perf_counter()
    outcomes: Counter[str] = Counter()
    for number, outcome in _all(asked.first, asked.count, asked.jobs):
        failed = not outcome.startswith(("checked", "refused"))
        outcomes["failed" if failed else outcome] += 1
        if failed and outcomes["failed"] <= WORST:
            print(f"{number}: {outcome}", flush=True)
    seconds = time.perf_counter() - started
    total = sum(outcomes.values())
    counts = ", ".join(f"{count:,} {outcome}" for outcome, count in sorted(outcomes.items()))
    print(f"{total:,} documents in {seconds:.0f} s ({total / seconds:.0f} a second): {counts}")
    return int(outcomes["failed"] > 0)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=1_000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first document")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--show", type=int, help="one document and what comes of it")
    return parser.parse_args()


def _all(first: int, count: int, jobs: int) -> Iterator[tuple[int, str]]:
    starts = range(first, first + count, CHUNK)
    with ProcessPoolExecutor(jobs, initializer=watch) as pool:
        for found in pool.map(_chunk, starts, [min(CHUNK, first + count - start) for start in starts]):
            yield from found


def _chunk(start: int, count: int) -> list[tuple[int, str]]:
    return [(number, guarded(number)) for number in range(start, start + count)]


if __name__ == "__main__":
    sys.exit(main())
