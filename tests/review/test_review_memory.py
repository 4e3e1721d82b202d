"""What the section on memory says of its own answers."""

import re
from pathlib import Path

from workings.review.memory import HELD_OUT, REFUSED


def test_how_often_memory_was_refused_is_what_the_scores_print() -> None:
    scores = (Path(__file__).parents[2] / "benchmarks" / "heldout" / "README.md").read_text("utf-8")
    fifth = scores.split("## The fifth set")[1].split("Runs that took place")[1]
    runs, *_, refused, _, _ = re.search(r"\| all \|(.*)\|", fifth)[1].split("|")  # type: ignore[index]
    assert (int(runs), int(refused)) == (HELD_OUT, REFUSED)
