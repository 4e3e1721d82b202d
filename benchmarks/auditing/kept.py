"""What the directives keep of a page from one to the next: verdicts on claims, counted further down."""

from __future__ import annotations

from dataclasses import dataclass, field

from workings.document.blocks import Line
from workings.document.page import Page


@dataclass(frozen=True, slots=True)
class Counted:
    """The verdicts on one table's claims, or under an empty label those of several tables."""

    label: str
    name: Line
    verdicts: tuple[str, ...]


@dataclass
class Kept:
    """Tables judged since the last count, what was counted, what the checker made of the same words."""

    judged: list[Counted] = field(default_factory=list)
    summed: list[Counted] = field(default_factory=list)
    crossed: list[tuple[str, tuple[int, ...]]] = field(default_factory=list)

    def judge(self, label: str, caption: Line, verdicts: list[str]) -> None:
        """Note what became of the claims of one table."""
        self.judged.append(Counted(label, caption, tuple(verdicts)))


def kept(page: Page) -> Kept:
    """What is kept of this page."""
    found: Kept = page.own.setdefault(__name__, Kept())
    return found
