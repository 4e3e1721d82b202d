"""How much of what strangers say of the facts of the field the rule *field-fact* tells right from wrong.

    python benchmarks/sentences.py

`sentences/kept.tsv` holds, for each fact, four sentences that say it wrongly and four that say it rightly
or something true beside it, by people who saw the facts alone, in seven languages. Nobody who writes the
rule's words looks at them, nor at which are missed: only the two counts are printed.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from workings.check import check_text

KEPT = Path(__file__).parent / "sentences" / "kept.tsv"
RULE = "field-fact"


def accused(sentence: str) -> bool:
    """Whether the rule accuses a sentence that stands alone."""
    found = check_text(sentence, "md", preview=True).statements
    return any(one.rule == RULE and one.verdict == "wrong" for one in found)


def main() -> None:
    """Print how many of each kind are accused."""
    counts = Counter[tuple[str, bool]]()
    for line in KEPT.read_text(encoding="utf-8").splitlines():
        _, kind, sentence = line.split("\t")
        counts[kind, accused(sentence)] += 1
    for kind in ("wrong", "right"):
        of = counts[kind, True] + counts[kind, False]
        print(f"{kind}: {counts[kind, True]} of {of} accused ({counts[kind, True] / of:.1%})")


if __name__ == "__main__":
    main()
