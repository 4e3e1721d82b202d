"""What can honestly be said of a step."""

from __future__ import annotations

from dataclasses import dataclass

PROVED = "proved"
SAMPLED = "sampled"
REFUTED = "refuted"
UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A word and how it was come by; for `refuted`, the counterexample."""

    word: str
    how: str
    points: int = 0

    def __str__(self) -> str:
        return f"{self.word}: {self.how}"
