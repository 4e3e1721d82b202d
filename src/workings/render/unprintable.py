"""A character that a format cannot print: named, never left out and never a box."""

from __future__ import annotations

from pathlib import Path

from workings.errors import UserError


class UnprintableError(UserError):
    """Holds the character, by which its place in a source is found."""

    def __init__(self, character: str, message: str) -> None:
        super().__init__(message)
        self.character = character


def located(error: UnprintableError, source: Path) -> UserError:
    """The error with the first line of the source that holds the character, if it is there."""
    lines = source.read_text(encoding="utf-8").split("\n")
    at = next((f":{n}" for n, line in enumerate(lines, 1) if error.character in line), "")
    return UserError(f"{source.name}{at}: {error}")
