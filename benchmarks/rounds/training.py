"""What one rule finds on pages whose labels are known: a training figure, for whoever works on the rule.

    python -m benchmarks.rounds.training RULE [FOLDER …]    default: every round that was scored

It prints each mistake that the rule finds, those of the field that it misses, what it says of pages that
no label bears, and the sums. Documents without labels, taken for right, only show accusations. A score on
pages that were looked at while a rule was written is a training score.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from workings import reading
from workings.check.statements import of_finding
from workings.check.verdicts import FLAGS, Statement
from workings.claims.page import page_of
from workings.claims.rules import rules

from .score import ROOT, covers

KINDS = (".md", ".tex", ".ipynb", ".txt")


def accused(rule: str, path: Path) -> list[Statement]:
    """What a rule alone says is wrong on a page."""
    judge = next(one.judge for one in rules() if one.id == rule)
    page = page_of(reading.read_file(path))
    found = [of_finding(page.document, finding) for finding in judge(page)]
    return [one for one in found if one.verdict in FLAGS]


def labelled(path: Path) -> tuple[Path, list[dict[str, Any]]]:
    """A page, and the mistakes that its labels name."""
    label: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return path.parent / label["file"], [s for s in label["steps"] if s["correct"] is False]


def pages(folder: Path) -> Iterator[tuple[Path, list[dict[str, Any]]]]:
    """Every page of a folder with its mistakes."""
    labels = sorted(folder.rglob("*.labels.json"))
    known = [labelled(path) for path in labels]
    yield from known
    seen = {path for path, _ in known}
    yield from ((p, []) for p in sorted(folder.rglob("*")) if p.suffix in KINDS and p not in seen)


def tried(rule: str, path: Path, wrong: list[dict[str, Any]]) -> Iterator[str]:
    """What a rule does on one page, line by line, and what each line counts as."""
    flags = accused(rule, path)
    name = f"{path.parent.name}/{path.stem}"
    for step in wrong:
        hit = any(covers(flag, step) for flag in flags)
        if hit or step.get("scope") == "domain":
            word = "found " if hit else "missed"
            yield f"{word} {step.get('scope')} {name}:{step['line']}: {step['quote'][:150]}"
    for flag in flags:
        if not any(covers(flag, step) for step in wrong):
            yield f"FALSE  {name}:{flag.line}: {flag.quote[:300]!r} <- {flag.reason[:160]}"


def main() -> None:
    """Every page of the folders."""
    rule, *given = sys.argv[1:]
    scored = sorted(path.parent for path in ROOT.glob("*/record.json"))  # others are kept unseen
    folders = [Path(one) for one in given] or scored
    total: Counter[str] = Counter()
    for path, wrong in (one for folder in folders for one in pages(folder)):
        for line in tried(rule, path, wrong):
            total[line.split(":")[0].partition(" ")[0]] += 1
            print(line)
    print(dict(total))


if __name__ == "__main__":
    main()
