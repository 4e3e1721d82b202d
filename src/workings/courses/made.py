"""What a writer makes of a quiz: files, and sentences for the instructor on what a system cannot do."""

from __future__ import annotations

from dataclasses import dataclass, field

from workings.courses.quiz import Ask


@dataclass
class Made:
    """Files by their names, and notes, each once."""

    files: dict[str, str | bytes] = field(default_factory=dict)
    notes: dict[str, None] = field(default_factory=dict)

    def note(self, system: str, ask: Ask, words: str) -> None:
        """Something that an instructor must know of one answer in a system."""
        self.notes[f"{system}: {ask.title}: {words}"] = None

    def doubled(self, system: str, ask: Ask) -> None:
        """Name readings that come to a value that another one has already."""
        for words in ask.figures.doubled if ask.figures else ():
            self.note(system, ask, f"{words!r} comes to a value that is taken already, and is left out")
