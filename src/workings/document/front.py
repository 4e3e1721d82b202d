"""A source's front matter: TOML between two lines of `+++`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from workings.errors import UserError
from workings.formula.lexer import tokens_of
from workings.formula.tree import FormulaError
from workings.scenario import preset_names, read_preset
from workings.units import Format, UnitError, parse_unit

MAX_SOURCE = 1_000_000


class DocumentError(UserError):
    """A source that cannot be read: file and line, what was found, what was expected."""


class Front(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The settings of a document."""

    title: str
    scenario: str | None = None
    notation: str | None = None
    units: list[str] = []
    digits: int = 4
    glyphs: dict[str, str] = {}


@dataclass(frozen=True, slots=True)
class Source:
    """A source file: its settings, its Markdown, and the line its Markdown starts on."""

    path: Path
    front: Front
    body: str
    first_line: int

    def fail(self, line: int, message: str) -> DocumentError:
        """An error at a line of the body (from 0)."""
        return DocumentError(f"{self.path.name}:{line + self.first_line}: {message}")


def read_source(path: Path) -> Source:
    """Split a source file into front matter and Markdown. Raises DocumentError."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise DocumentError(f"{path}: {error.strerror}") from error
    if len(data) > MAX_SOURCE:
        raise DocumentError(f"{path.name}: larger than {MAX_SOURCE:,} bytes")
    try:
        text = data.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise DocumentError(f"{path.name}: not UTF-8 text") from error
    parts = text.split("+++\n", 2)
    if len(parts) != 3 or parts[0].strip():
        raise DocumentError(f"{path.name}:1: found no front matter, expected TOML between +++ lines")
    front = _front(path, parts[1])
    return Source(path, front, parts[2], parts[1].count("\n") + 3)


def _front(path: Path, text: str) -> Front:
    try:
        raw: Any = tomllib.loads(text)
        front = msgspec.convert(raw, Front)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, RecursionError) as error:
        raise DocumentError(f"{path.name}: front matter: {error}") from error
    try:
        for unit in front.units:
            parse_unit(unit)
        for glyph in front.glyphs.values():
            if len(tokens_of(glyph)) != 2:
                raise FormulaError(f"glyph {glyph!r} is not one letter")
    except (UnitError, FormulaError) as error:
        raise DocumentError(f"{path.name}: front matter: {error}") from error
    if not 1 <= front.digits <= 30:
        raise DocumentError(f"{path.name}: digits: found {front.digits}, expected 1 to 30")
    return front


def style_of(front: Front) -> Format:
    """How the document writes numbers: its own units before the usual ones."""
    return Format((*front.units, *Format().units), front.digits)


def glyphs_of(front: Front, path: Path) -> dict[str, str]:
    """Concept or derivation id to letter: the notation's preset, then the document's own."""
    glyphs: dict[str, str] = {}
    if front.notation:
        if front.notation not in preset_names("notation"):
            known = ", ".join(preset_names("notation"))
            raise DocumentError(
                f"{path.name}: notation: found {front.notation!r}, expected one of {known}"
            )
        glyphs |= read_preset("notation", front.notation)["glyphs"]
    return glyphs | front.glyphs
