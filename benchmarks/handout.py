"""How long a variant of a handout takes, and the ratio of a class's to one `workings report`.

    python benchmarks/handout.py

Each is sheet, solutions and key, for so many students. The aims are for two processors, in seconds for a
class of 200; where the machine has other work, the ratio says more.
"""

from __future__ import annotations

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
            one = _seconds("report", str(SOURCE), "-o", str(folder / "one"), "--format", formats)
            out = str(folder / formats)
            handout = ("handout", str(SOURCE), "--students", str(roster), "--format", formats, "-o", out)
            all_, again = _seconds(*handout), _seconds(*handout)
            word = "met" if all_ <= aim else "MISSED"
            print(f"{formats:7} {all_ / STUDENTS:6.3f} s a variant, {STUDENTS} in {all_:5.1f} s (aim {aim} s, "
                  f"{word}), {all_ / one:5.1f} × one report; again {again:4.1f} s")  # fmt: skip


def _seconds(*arguments: str) -> float:
    started = time.perf_counter()
    subprocess.run(workings(*arguments), check=True, capture_output=True)
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
