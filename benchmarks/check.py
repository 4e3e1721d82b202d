"""How well the checker finds what is wrong: on labelled derivations, and on steps broken on purpose.

    python benchmarks/check.py             the figures, and every miss
    python benchmarks/check.py --write     the same, kept in reports/check-benchmark/
    python benchmarks/check.py --speed     statements per second, and a process beside `import sympy`

The labelled derivations are searched beside the checkout, or where WORKINGS_SHARED says.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from measuring.labels import HERE, folder, labelled_in
from measuring.mutating import Fate, labelled_tasks, mutate, report_tasks
from measuring.scoring import Counts, score


def main() -> None:
    """Measure, print, and keep the figures where that is asked for."""
    options = _options()
    documents = labelled_in(options.folder)
    if not documents:
        sys.exit(f"found no *.labels.json in {options.folder}, expected labelled derivations there")
    if not options.only_broken:
        _scores(documents)
    if not options.only_labels:
        tasks = labelled_tasks(one.document for one in documents)
        if options.reports:
            tasks += report_tasks(HERE.glob("reports/*/report.md"))
        _fates(mutate(tasks), options.verbose)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=folder())
    parser.add_argument("--only-labels", action="store_true")
    parser.add_argument("--only-broken", action="store_true")
    parser.add_argument("--reports", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    return parser.parse_args()


def _scores(documents: list) -> None:
    total, total_by_line = Counts(), Counts()
    for one in documents:
        found = score(one)
        total, total_by_line = total + found.counts, total_by_line + found.by_line
        print(found.document, found.counts)
        for miss in found.misses:
            print(f"  {miss.kind} {miss.line}: {miss.quote[:80]!r} ({miss.said[:120]})")
    print("TOTAL  ", total)
    print("BY LINE", total_by_line)


def _fates(fates: list[Fate], verbose: bool) -> None:
    mistakes: dict[str, list[Fate]] = {}
    for fate in fates:
        mistakes.setdefault(f"{fate.kind}: {fate.broken.edit.mistake}", []).append(fate)
        mistakes.setdefault(f"{fate.kind}: ALL", []).append(fate)
    for mistake, some in sorted(mistakes.items()):
        found, explained = sum(f.found for f in some), sum(f.explained for f in some)
        print(f"{mistake:34} {len(some):5} found {found:5} explained {explained:5}")
    print(f"{'all':20} {len(fates):5} found {sum(f.found for f in fates)} explained {sum(f.explained for f in fates)}")
    if verbose:
        for fate in fates:
            if not fate.found or not fate.explained:
                b, word = fate.broken, "UNEXPLAINED" if fate.found else "NOT FOUND"
                made = b.quote[: b.edit.start - b.start] + "⟦" + b.edit.text + "⟧" + b.quote[b.edit.end - b.start :]
                print(f"{word} {fate.kind}: {b.edit.mistake} {Path(b.document).name}:{b.line} {made!r}")
                print(f"    {fate.named} {fate.said[:400]}")


if __name__ == "__main__":
    main()
