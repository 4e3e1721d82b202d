"""How long a variant of a handout takes, and the ratio of a class's to one `workings report`.

    python benchmarks/handout.py

Each is sheet, solutions and key, for so many students. Aims are seconds for a class of 200 on two
processors that do nothing else; on a busy machine, half of the processors' own seconds says more.
"""

from __future__ import annotations

import resource
import subprocess
import tempfile
import time
from pathlib import Path

from _ratio import workings

STUDENTS = 200
AIMS = {"md,tex": 60, "html": 120}
SOURCE = Path(__file__).parent / "handout" / "source.md"


def main() -> None:
    """Print seconds a variant, and the ratio, for each set of formats."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        roster = folder / "roster.csv"
        roster.write_text("id\n" + "".join(f"s{n}\n" for n in range(STUDENTS)), encoding="utf-8")
        for formats, aim in AIMS.items():
            out = str(folder / formats)
            _, one = _seconds("report", str(SOURCE), "-o", str(folder / "one"), "--format", formats)
            handout = ("handout", str(SOURCE), "--students", str(roster), "--format", formats, "-o", out)
            (wall, busy), (_, again) = _seconds(*handout), _seconds(*handout)
            word = "met" if busy / 2 <= aim else "MISSED"
            print(f"{formats:7} {busy / STUDENTS:5.3f} s of a processor a variant, "
                  f"{busy / one:4.1f} × one report")  # fmt: skip
            print(f"        {STUDENTS} in {busy / 2:4.1f} s of two processors (aim {aim} s, {word}), "
                  f"{wall:5.1f} s by the clock, again {again:3.1f} s")  # fmt: skip


def _seconds(*arguments: str) -> tuple[float, float]:
    """By the clock, and of all processors: the command and its own processes."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(workings(*arguments), check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    busy = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - started, busy


if __name__ == "__main__":
    main()
