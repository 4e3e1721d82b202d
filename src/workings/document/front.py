"""A source's front matter: TOML between two lines of `+++`."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any, Literal

import msgspec

from workings import catalogue
from workings.document.cover import problems_of
from workings.errors import UserError
from workings.scenario import preset_names
from workings.units import Format, UnitError, parse_unit
from workings.values.notation import glyphs_named
from workings.vocabulary import concept_named

MAX_SOURCE = 1_000_000
_LETTER = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,79}")
_REASON = re.compile(r"[A-Za-z0-9 ,.:;]{0,200}")  # what a comment may hold in every format
PROVENANCE: tuple[str, ...] = ("full", "short", "none")
PAGES: tuple[str, ...] = ("one", "section")
_SCENARIO = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,80}(\.toml)?")


class DocumentError(UserError):
    """A source that cannot be read: file and line, what was found, what was expected."""


class Front(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The settings of a document; `scope` is how far a letter keeps one meaning.

    `provenance` is how much is printed of where a formula is from and what guards it, `pages` whether
    the Markdown of each section is a page of its own, and `where` whether a line under the first formula
    that uses a letter says what it means.
    `derivations` is a folder of one's own formulas beside the source, which the command line names too:
    their Python runs, and a document alone may not ask for that.
    `course` to `identity` are what stands on top of a handout (see `cover`), `follow_through` is the
    share of its key, `answer_form` whether a sheet says how answers are handed in and has a form for
    them, and `vary` what differs between its variants (see the room `handout`).
    `unchecked` says why `workings check` leaves the pages alone, such as that they quote errors;
    `directives` names a module of directives of its own (see `own`).
    """

    title: str
    course: str = ""
    term: str = ""
    date: str = ""
    paper: str | None = None
    language: str = "en"
    identity: list[str] = []
    follow_through: float = 0.5
    answer_form: bool = True
    scenario: str | None = None
    notation: str | None = None
    units: list[str] = []
    digits: int = 4
    scope: Literal["page", "section"] = "page"
    provenance: str | None = None
    pages: str = "one"
    where: bool = True
    unchecked: str = ""
    derivations: str | None = None
    directives: str | None = None
    glyphs: dict[str, str] = {}
    vary: dict[str, Any] = {}


@dataclass(frozen=True, slots=True)
class Source:
    """A source file: its settings, its Markdown, and the line its Markdown starts on."""

    path: Path
    front: Front
    body: str
    first_line: int

    @property
    def scenario(self) -> str | None:
        """The preset's name, or the path of the file beside the source."""
        name = self.front.scenario
        return str(self.path.parent / name) if name and name.endswith(".toml") else name

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
    except (ValueError, RecursionError) as error:
        problem, line = toml_problem(error)
        raise DocumentError(f"{path.name}:{line + 1}: front matter: {problem}") from error

    raw = {key: value.isoformat() if isinstance(value, date) else value for key, value in raw.items()}

    def fail(key: str, problem: str) -> DocumentError:
        sets = re.compile(rf"""\s*["']?{re.escape(key)}["']?\s*=""")
        at = [n for n, line in enumerate(text.split("\n"), 2) if sets.match(line)]
        return DocumentError(f"{path.name}:{at[0] if at else 1}: front matter: {problem}")

    try:
        front = msgspec.convert(raw, Front)
    except msgspec.ValidationError as error:
        named = re.search(r"field `([^`]*)`|\$\.(\w+)", str(error))
        raise fail((named[1] or named[2]) if named else "", str(error)) from error
    try:
        for unit in front.units:
            parse_unit(unit)
    except UnitError as error:
        raise fail("units", f"units: {error}") from error
    for key, glyph in front.glyphs.items():
        if concept_named(key) is None and key not in catalogue.ids():
            raise fail(key, f"glyphs: found {key[:40]!r}, expected a concept or a derivation's id")
        if not _LETTER.fullmatch(glyph):
            raise fail(key, f"glyphs: found {glyph[:40]!r}, expected a letter such as N or N_max")
    if not _REASON.fullmatch(front.unchecked):
        raise fail("unchecked", "unchecked: found more than letters, digits and ,.:; in it")
    if front.derivations is not None and not _is_added(path.parent / front.derivations):
        raise fail(
            "derivations",
            f"derivations: found {front.derivations[:60]!r}, whose Python runs only where the command"
            f" line names it: workings --derivations {front.derivations[:60]} report …",
        )
    for key, problem in problems_of(front):
        raise fail(key, problem)
    for key, words in (("provenance", PROVENANCE), ("pages", PAGES)):
        chosen = getattr(front, key)
        if chosen is not None and chosen not in words:
            raise fail(key, f"{key}: found {chosen[:40]!r}, expected one of {', '.join(words)}")
    if not 1 <= front.digits <= 30:
        raise fail("digits", f"digits: found {front.digits}, expected 1 to 30")
    if front.notation and front.notation not in (known := preset_names("notation")):
        expected = ", ".join(known)
        raise fail("notation", f"notation: found {front.notation!r}, expected one of {expected}")
    if front.directives is not None and not _LETTER.fullmatch(front.directives):
        raise fail(
            "directives", f"directives: found {front.directives[:60]!r}, expected the name of a Python "
            "module, letters and digits",
        )  # fmt: skip
    if front.scenario is not None and not _SCENARIO.fullmatch(front.scenario):
        raise fail(
            "scenario", f"scenario: found {front.scenario[:60]!r}, expected a preset's name or a "
            "TOML file beside the source",
        )  # fmt: skip
    return front


def toml_problem(error: Exception) -> tuple[str, int]:
    """What is wrong with some TOML, and on which of its lines, from 1."""
    problem = str(error).partition(";")[0]  # Python adds advice on numbers of too many digits
    found = re.fullmatch(r"(.*) \(at line (\d+), column \d+\)", problem)
    return (found[1], int(found[2])) if found else (problem.partition(" (at ")[0], 1)


def in_notation(source: Source, notation: str | None) -> Source:
    """The source with another notation than its own; letters it chose itself stay."""
    if notation is None:
        return source
    glyphs_named(notation)
    return replace(source, front=msgspec.structs.replace(source.front, notation=notation))


def style_of(front: Front) -> Format:
    """How the document writes numbers: its own units before the usual ones."""
    return Format((*front.units, *Format().units), front.digits)


def glyphs_of(front: Front) -> dict[str, str]:
    """Concept or derivation id to letter: the notation's preset, then the document's own."""
    return glyphs_named(front.notation) | front.glyphs


def _is_added(folder: Path) -> bool:
    """Whether these are the formulas that the command line added."""
    return catalogue.own_folder() == folder.resolve()
