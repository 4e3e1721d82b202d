"""How long grading takes beside reading alone, for a class of 200: `python benchmarks/grade.py`.

The ratio does not hang on the machine as the seconds do. `--jobs` is what `workings grade` takes.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from workings.check.running import Task, read
from workings.claims.page import page_of
from workings.grade.graded import Graded
from workings.grade.running import file_source, grade_all, key_of

ROOT = Path(__file__).parent.parent
HAND_INS = sorted((ROOT / "tests" / "grade" / "hand_ins").iterdir())
CLASS = 200
AIM = 60.0  # seconds


def hand_ins(folder: Path, count: int) -> Iterator[Task]:
    """Hand-ins of a class: those of the tests over and over, each with a name of its own."""
    for number in range(count):
        source = HAND_INS[number % len(HAND_INS)]
        path = folder / f"student-{number:03}{source.suffix}"
        path.write_bytes(source.read_bytes())
        yield Task(str(path))


def seconds(work: Callable[[], object]) -> float:
    """How long it takes."""
    start = perf_counter()
    work()
    return perf_counter() - start


def main() -> int:
    """Print seconds, and the ratio to reading the same files; exit code 1 above the aim."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=CLASS)
    parser.add_argument("--jobs", type=int)
    asked = parser.parse_args()
    source = file_source("xxl-220b")
    key_of(source)
    with TemporaryDirectory() as folder:
        tasks = list(hand_ins(Path(folder), asked.count))
        reading = seconds(lambda: [page_of(read(task)).chains for task in tasks])
        found: list[object] = []
        grading = seconds(lambda: found.extend(grade_all(tasks, source, asked.jobs)))
    graded = sum(isinstance(one, Graded) for one in found)
    print(f"{graded} of {asked.count} hand-ins graded in {grading:.1f} s, read in {reading:.1f} s")
    ratio = grading / reading
    print(f"grading takes {ratio:.1f} times as long as reading; the aim is {AIM:.0f} s for {CLASS}")
    return int(grading > AIM * asked.count / CLASS or graded < asked.count)


if __name__ == "__main__":
    sys.exit(main())
