"""How many formulas and products of strangers the rule *catalogue-slip* tells right from wrong.

    python benchmarks/passages.py           the two counts of each set
    python benchmarks/passages.py --missed  also which wrong passages of the seen set are not accused

A passage is a few givens and one calculation, wrong in a way that only the field tells, beside the same
passage put right; by people who knew a brief alone. Who grows the slips may look at `seen.json`. Nobody
who works on the rule or its slips looks at `kept.json`, nor at which are missed.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

from workings.check import check_text

FOLDER = Path(__file__).parent / "passages"
RULE = "catalogue-slip"


def accused(passage: str) -> bool:
    """Whether the rule accuses a passage that stands alone."""
    found = check_text(passage, "md", preview=True).statements
    return any(one.rule == RULE and one.verdict == "wrong" for one in found)


def main() -> None:
    """Print how many of each kind are accused."""
    for name in ("seen", "kept"):
        counts = Counter[tuple[str, bool]]()
        passages = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
        for passage in passages:
            for kind in ("wrong", "right"):
                found = accused(passage[kind])
                counts[kind, found] += 1
                if "--missed" in sys.argv and (name, kind, found) == ("seen", "wrong", False):
                    print(passage["id"], passage["diagnosis"])
        for kind in ("wrong", "right"):
            print(f"{name}, {kind}: {counts[kind, True]} of {len(passages)} accused")


if __name__ == "__main__":
    main()
