"""How well the checker finds what is wrong: on labelled derivations, and on steps broken on purpose.

    python benchmarks/check.py             the figures
    python benchmarks/check.py --all       with every miss, and every mistake not named
    python benchmarks/check.py --write     the same figures, kept in reports/check-benchmark/
    python benchmarks/check.py --speed     statements per second, and a process beside `import sympy`

The labelled derivations are looked for beside the checkout, or where WORKINGS_SHARED says.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from auditing.records import Record
from measuring.labels import HERE, Labelled, folder, labelled_in
from measuring.mutating import Fate, labelled_tasks, mutate, report_tasks
from measuring.recording import REPORT, tables, write
from measuring.scoring import score
from measuring.speed import speed


def measured(documents: list[Labelled]) -> tuple[tuple[Record, ...], list[Fate]]:
    """The tables of the report, and what became of each broken step."""
    given = mutate(labelled_tasks(one.document for one in documents))
    pages = [page for page in HERE.glob("reports/*/*.md") if page.name not in ("source.md", "README.md")]
    ours = mutate(report_tasks(page for page in pages if page.parent != REPORT))  # not itself
    practice = [score(one) for one in labelled_in(folder("practice"))]
    return tables([score(one) for one in documents], practice, given, ours), [*given, *ours]


def main() -> None:
    """Measure, print, and keep the figures where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument(
        "--folder", type=Path, default=folder(), help="another folder of labelled documents"
    )
    for name in ("all", "write", "speed"):
        parser.add_argument(f"--{name}", action="store_true")
    options = parser.parse_args()
    documents = labelled_in(options.folder)
    if not documents:
        sys.exit(f"found no *.labels.json in {options.folder}, expected labelled derivations there")
    if options.speed:
        speed(documents)
        return
    found, fates = measured(documents)
    for table in found:
        _print(table)
    if options.all:
        _print_misses(fates)
    if options.write:
        write(found)


def _print(table: Record) -> None:
    """A table in columns."""
    print(f"\n{table.caption}")
    widths = [max(len(row[i]) for row in (table.head, *table.rows)) for i in range(len(table.head))]
    for row in (table.head, *table.rows):
        cells = (
            c.rjust(w) if a == "r" else c.ljust(w)
            for c, w, a in zip(row, widths, table.align, strict=True)
        )
        print("  ".join(cells).rstrip())


def _print_misses(fates: list[Fate]) -> None:
    """Each broken step that was not found or not explained, with what was said of it."""
    for fate in fates:
        if fate.explained:
            continue
        broken, edit = fate.broken, fate.broken.edit
        before, after = broken.quote[: edit.start - broken.start], broken.quote[edit.end - broken.start :]
        word = "not explained" if fate.found else "NOT FOUND"
        place = f"{broken.document}:{broken.line}"
        print(f"{word} {fate.kind}: {edit.mistake} {place} {before}⟦{edit.text}⟧{after}")
        print(f"    named {', '.join(fate.named) or 'nothing'}; {fate.said[:300]}")


if __name__ == "__main__":
    main()
