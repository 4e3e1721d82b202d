"""What the section on memory says of its own answers."""

import re
from collections import Counter
from pathlib import Path

from workings.review.memory import HELD_OUT


def test_how_often_memory_was_refused_is_what_the_scores_print() -> None:
    scores = (Path(__file__).parents[2] / "benchmarks" / "heldout" / "README.md").read_text("utf-8")
    table = scores.split("## The sixth set")[1].split("Runs that took place")[1]
    runs, refused = Counter[bool](), Counter[bool]()
    for line in re.findall(r"\| (.*-bit) \|(.*)\|", table.split("Where the step")[0]):
        number, _, _, no_go, *_ = line[1].split("|")
        runs[line[0].startswith("TPU")] += int(number)
        refused[line[0].startswith("TPU")] += int(no_go)
    assert {tpu: (runs[tpu], refused[tpu]) for tpu in (False, True)} == HELD_OUT
