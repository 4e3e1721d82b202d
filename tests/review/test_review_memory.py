"""What the section on memory says of its own answers."""

import re
from collections import Counter
from pathlib import Path

from workings.review.memory import HELD_OUT

SCORES = Path(__file__).parents[2] / "benchmarks" / "heldout" / "README.md"


def refused(*sets: str, tpus: bool) -> tuple[int, int]:
    """Runs of sets on TPUs, or on GPUs, and those of them that were NO-GO, as the scores print."""
    found = Counter[str]()
    for which in sets:
        table = SCORES.read_text("utf-8").split(f"## The {which} set")[1].split("Runs that took place")[1]
        for line in re.findall(r"\| (.*-bit) \|(.*)\|", table.split("Where the step")[0]):
            runs, _, _, no_go, *_ = line[1].split("|")
            if line[0].startswith("TPU") == tpus:
                found.update(runs=int(runs), refused=int(no_go))
    return found["runs"], found["refused"]


def test_how_often_memory_was_refused_is_what_the_scores_print() -> None:
    assert {
        False: refused("seventh", "eighth", tpus=False),
        True: refused("sixth", tpus=True),
    } == HELD_OUT
