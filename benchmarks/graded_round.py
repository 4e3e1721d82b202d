"""Marks that the program suggests for the hand-ins of a blind round, beside those that people gave.

Run from the repository's root: `python benchmarks/graded_round.py [ROUND]`. The first run of a round is
its score, which benchmarks/grading/README.md keeps; later runs are training.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

from workings.grade.grading import grade_document
from workings.grade.keys import load_key
from workings.reading import read_file

ROUNDS = Path(__file__).parent / "grading"
OPEN = ("unsure", "needs a person")


def main(name: str) -> int:
    """Print how often each mark of a person met each of ours, and where they differ."""
    folder = ROUNDS / name
    marks = json.loads((folder / "marks.json").read_text(encoding="utf-8"))
    met: Counter[tuple[str, str]] = Counter()
    for file, wanted in sorted(marks.items()):
        ours = _ours(folder, file)
        for answer, label in wanted.items():
            met[label["mark"], ours.get(answer, "none")] += 1
            if label["mark"] in ("full", "none") and ours.get(answer, "none") != label["mark"]:
                print(f"{file} {answer}: {label['mark']}, ours {ours.get(answer)}: {label['quote'][:80]}")
    for (theirs, mine), count in sorted(met.items()):
        print(f"{theirs:8} {mine:8} {count:4}")
    return 0


def _ours(folder: Path, file: str) -> dict[str, str]:
    """What we suggest for each answer of a hand-in: full, partial, none, or unsure."""
    key = load_key(folder / f"{file.rsplit('-', 1)[0]}.toml")
    graded = grade_document(read_file(folder / "hand-ins" / file), key)
    found = {}
    for part in graded.parts:
        for answer in part.answers:
            share = answer.marks / answer.most
            mark = "full" if share > 1 - 1e-9 else "partial" if share > 0 else "none"
            found[f"{part.id}/{answer.id}"] = "unsure" if answer.verdict in OPEN else mark
    return found


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:] or ("round-1",)))
