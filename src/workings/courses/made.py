"""What a writer makes of a quiz: files, and sentences for the instructor on what a system cannot do."""

from __future__ import annotations

from dataclasses import dataclass, field

from workings.courses.quiz import Ask


@dataclass
class Made:
    """Files by their names; sentences on a system, each with the places of the answers it is true of."""

    files: dict[str, str | bytes] = field(default_factory=dict)
    said: dict[tuple[str, str], dict[str, None]] = field(default_factory=dict)

    def note(self, system: str, ask: Ask | None, words: str) -> None:
        """Something that an instructor must know of an answer, or of everything, in a system."""
        places = self.said.setdefault((system, words), {})
        if ask is not None:
            places[ask.place] = None

    def doubled(self, system: str, ask: Ask) -> None:
        """Name readings that come to a value that another one has already."""
        for words in ask.figures.doubled if ask.figures else ():
            self.note(system, ask, f"{words!r} comes to a value that is taken already, and is left out")

    @property
    def notes(self) -> tuple[str, ...]:
        """The sentences, each once, behind the places."""
        return tuple(": ".join((", ".join((system, *places)), words))
                     for (system, words), places in self.said.items())  # fmt: skip
