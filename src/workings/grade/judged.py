"""What is found of an answer that is no figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workings.grade.graded import AnswerVerdict
from workings.grade.quantities import letters_and_digits
from workings.reading.blocks import Block

FEWEST = 3  # letters of an answer in words


@dataclass(frozen=True)
class Judged:
    """The verdict, the share of the marks, why, and where the answer stands (offsets in the file)."""

    verdict: AnswerVerdict
    share: float = 0.0
    said: str = ""
    start: int | None = None
    end: int = 0
    sure: bool = True


NOTHING = Judged("no answer found", said="found nothing that could be the answer")


def judge_text(blocks: Sequence[Block], sheet: str) -> Judged:
    """A text is left to a person; what is only the sheet's is none."""
    for block in blocks:
        words = letters_and_digits(block.text)
        if block.kind != "heading" and len(words) >= FEWEST and words not in sheet:
            said = "a person marks this by the rubric"
            return Judged("needs a person", 0.0, said, block.offsets[0], block.offsets[-1])
    return NOTHING
