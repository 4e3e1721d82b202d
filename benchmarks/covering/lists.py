"""Lists of the formulas of published sources, and what each is matched with.

benchmarks/coverage/README.md says what stands in both kinds of files.

A list is written by a reader who has not seen the catalogue and is never changed for its sake; a file of
matches says which entry has each formula. Errors are one sentence with the file and the key.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from workings.errors import UserError

FOLDER = Path(__file__).parents[1] / "coverage"
HAS = ("agrees", "convention", "approximates")
VERDICTS = (*HAS, "source wrong", "ours wrong", "part", "missing", "left out")
OPEN = "open"  # of a formula that is not matched yet
OF_EXAMPLES = ("agrees", "approximates", "source wrong", "left out")
_MATCH = ("formula", "entry", "entries", "ours", "says", "set", "at", "within", "verdict", "why", "need",
          "needs", "example")  # fmt: skip
_EXAMPLE = ("number", "at", "printed", "within", "verdict", "why")


@dataclass(frozen=True)
class Printed:
    """A worked example of a source: what goes in by the source's letters, and the text it prints."""

    inputs: Mapping[str, Any]
    result: str
    place: str


@dataclass(frozen=True)
class Listed:
    """A formula as its source states it."""

    id: str
    place: str
    words: str
    formula: str
    letters: Mapping[str, str]
    kind: str
    note: str
    examples: tuple[Printed, ...]

    @property
    def known(self) -> frozenset[str]:
        """Its letters, those of its examples too."""
        return frozenset(self.letters) | {name for one in self.examples for name in one.inputs}


@dataclass(frozen=True)
class Source:
    """A published source and every formula that a reader found in it; `name` is that of its file."""

    name: str
    title: str
    authors: str
    year: int
    where: str
    read: str
    missing: str
    formulas: tuple[Listed, ...]


@dataclass(frozen=True)
class Tried:
    """What is said of one example: its verdict, and what its list does not say well enough."""

    number: int
    at: Mapping[str, Any] = field(default_factory=dict)
    printed: str = ""
    within: str = ""
    verdict: str = "agrees"
    why: str = ""


@dataclass(frozen=True)
class Match:
    """What is said of one formula: the entries that have it, how they are set, and the verdict.

    `entries` are ids by the names that `ours` calls their values; `says` and `ours` are expressions.
    """

    formula: str
    entries: Mapping[str, str]
    ours: str
    says: str
    set: Mapping[str, Any]
    at: Mapping[str, Any]
    within: str
    verdict: str
    why: str
    need: str
    needs: str
    examples: tuple[Tried, ...]

    @property
    def compared(self) -> bool:
        """Whether there are two sides to compare."""
        return bool(self.entries and self.says)

    def tried(self, number: int) -> Tried | None:
        """What is said of an example, or is meant where nothing is; None where it is not tried."""
        own = next((one for one in self.examples if one.number == number), None)
        if own is not None:
            return own
        return Tried(number) if self.verdict in HAS else None


def sources(folder: Path = FOLDER) -> list[Source]:
    """All lists, by the names of their files."""
    return [source_of(path) for path in sorted((folder / "sources").glob("*.toml"))]


def source_of(path: Path) -> Source:
    """One list. Raises UserError."""
    data = _loaded(path)
    try:
        text = {key: str(data[key]) for key in ("title", "authors", "where", "read", "missing")}
        formulas = tuple(map(_listed, data["formula"]))
        return Source(name=path.stem, year=int(data["year"]), formulas=formulas, **text)
    except (KeyError, TypeError, ValueError) as error:
        raise UserError(
            f"{path.name}: found no {error} in the list, expected the keys of README.md"
        ) from None


def _listed(data: Mapping[str, Any]) -> Listed:
    given = data.get("example", [])
    text = {key: str(data[key]) for key in ("id", "place", "words", "formula", "kind")}
    return Listed(
        letters=data["letters"],
        note=str(data.get("note", "")),
        examples=tuple(
            Printed(one["inputs"], str(one["result"]), str(one.get("place", ""))) for one in given
        ),
        **text,
    )


def matches_of(name: str, folder: Path = FOLDER) -> tuple[Match, ...] | None:
    """The matches of a list, or None where there is no such file yet. Raises UserError."""
    path = folder / "matches" / f"{name}.toml"
    if not path.is_file():
        return None
    data = _loaded(path)
    if set(data) - {"match"}:
        raise UserError(
            f"{path.name}: found the key {min(set(data) - {'match'})!r}, expected only [[match]]"
        )
    return tuple(_match(one, f"{path.name}, match {k}") for k, one in enumerate(data.get("match", []), 1))


def _match(data: Mapping[str, Any], where: str) -> Match:
    where = f"{where} ({data['formula']})" if isinstance(data.get("formula"), str) else where
    _check_keys(data, _MATCH, where)
    if "entry" in data and "entries" in data:
        raise UserError(f"{where}: found entry and entries, expected one of the two")
    entries = data.get("entries", {"it": data["entry"]} if data.get("entry") else {})
    text = {key: _text(data, key, where) for key in ("formula", "ours", "says", "verdict", "why", "need",
                                                      "needs", "within")}  # fmt: skip
    tables = {key: _table(data, key, where) for key in ("set", "at")}
    if text["verdict"] not in VERDICTS:
        raise UserError(
            f"{where}: found the verdict {text['verdict']!r}, expected one of {', '.join(VERDICTS)}"
        )
    if not isinstance(entries, dict) or not all(isinstance(id_, str) for id_ in entries.values()):
        raise UserError(f"{where}: found entries = {entries!r}, expected ids by names")
    ours = text.pop("ours") or (next(iter(entries)) if len(entries) == 1 else "")
    given = tuple(_tried(one, where) for one in data.get("example", []))
    return Match(entries=entries, ours=ours, examples=given, **text, **tables)  # type: ignore[arg-type]


def _tried(data: Mapping[str, Any], where: str) -> Tried:
    where = f"{where}, example {data.get('number')}"
    _check_keys(data, _EXAMPLE, where)
    if type(data.get("number")) is not int:
        raise UserError(f"{where}: found no number, expected which example of the list it is, from 1")
    text = {key: _text(data, key, where) for key in ("printed", "within", "why")}
    verdict = _text(data, "verdict", where) or "agrees"
    if verdict not in OF_EXAMPLES:
        raise UserError(
            f"{where}: found the verdict {verdict!r}, expected one of {', '.join(OF_EXAMPLES)}"
        )
    return Tried(data["number"], _table(data, "at", where), verdict=verdict, **text)


def _check_keys(data: Mapping[str, Any], known: tuple[str, ...], where: str) -> None:
    if strange := sorted(set(data) - set(known)):
        raise UserError(f"{where}: found the key {strange[0]!r}, expected one of {', '.join(known)}")


def _text(data: Mapping[str, Any], key: str, where: str) -> str:
    """A text, or a number as a text; "" where there is none."""
    found = data.get(key, "")
    if isinstance(found, bool) or not isinstance(found, str | int | float):
        raise UserError(f"{where}: found {key} = {found!r}, expected a text")
    return str(found).strip()


def _table(data: Mapping[str, Any], key: str, where: str) -> Mapping[str, Any]:
    found = data.get(key, {})
    if not isinstance(found, dict):
        raise UserError(f"{where}: found {key} = {found!r}, expected a table")
    return found


def _loaded(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{path.name}: {error}") from None
