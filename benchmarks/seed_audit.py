"""What the checker reads in the seeds by itself, kept beside the report that prints it.

    python benchmarks/seed_audit.py            what differs from the facts on file
    python benchmarks/seed_audit.py --write    reads the seeds anew: reports/seed-audit/facts.json

The seeds are searched beside the checkout, or where WORKINGS_SHARED says. Afterwards `workings report
seed-audit --directives benchmarks` prints them; it asks for a remark on every new accusation, in
remarks.toml.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from auditing.facts import Facts, facts_of, read_facts, written

HERE = Path(__file__).parents[1]
FILE = HERE / "reports" / "seed-audit" / "facts.json"


def folder() -> Path:
    """Where the seeds are."""
    return Path(os.environ.get("WORKINGS_SHARED", HERE.parent / "shared")) / "seeds"


def seeds() -> dict[str, bytes]:
    """Every seed by the number it is known by."""
    return {path.name[:3]: path.read_bytes() for path in sorted(folder().glob("*.txt"))}


def read_anew() -> list[Facts]:
    """What the checker finds now."""
    return [facts_of(name, data) for name, data in seeds().items()]


def main() -> None:
    """Write the facts, or say whether they are what the checker finds now."""
    now = read_anew()
    if not now:
        sys.exit(f"found no seeds in {folder()}, expected texts there")
    if "--write" in sys.argv[1:]:
        FILE.write_text(written(now), encoding="utf-8")
        return
    kept = read_facts(FILE)
    for facts in now:
        before = {*kept[facts.text].statements} if facts.text in kept else set()
        for found in facts.statements:
            if found not in before:
                print(f"{facts.text}:{found.start}  {found.verdict}  {found.quote}  {found.said}")
    if written(now) != FILE.read_text(encoding="utf-8"):
        sys.exit("the facts on file differ, run it with --write")


if __name__ == "__main__":
    main()
