"""Lists of published figures, and what was asked of the catalogue for each.

A list is written by a reader who sees only the sources, and is never changed for the catalogue's sake.
The file of the same name in `tried/` says what is asked for each figure; benchmarks/figures/README.md
says how. Errors are one sentence with the file and the figure.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from covering.lists import Match

from workings.errors import UserError

FOLDER = Path(__file__).parents[1] / "figures"
REPRODUCED = ("as printed", "convention", "nearly")
ANSWERED = (*REPRODUCED, "source wrong")
UNASKED = ("cannot be asked", "left out")
VERDICTS = (*ANSWERED, "in part", *UNASKED)
EXACTNESS = ("exact", "rounded", "about", "bound")
_TEXTS = ("figure", "ours", "printed", "unit", "within", "verdict", "why",
          "differs", "first", "need", "needs")  # fmt: skip
_KEYS = (*_TEXTS, "entry", "entries", "set", "at")


@dataclass(frozen=True)
class Figure:
    """A figure as a reader of its source wrote it down; `sound` is whether they found it to follow."""

    id: str
    source: str
    where: str
    quote: str
    what: str
    inputs: Mapping[str, Any]
    printed: str
    exactness: str
    question: str
    sound: bool
    note: str


@dataclass(frozen=True)
class Tried:
    """What is asked of the catalogue for a figure, and the verdict. `first` is that of the first round.

    `match` holds the entries with their settings, as matches of formulas do.
    """

    match: Match
    printed: str
    unit: str
    within: str
    differs: str
    first: str

    @property
    def figure(self) -> str:
        """The id of the figure."""
        return self.match.formula

    @property
    def verdict(self) -> str:
        """What is said to come of it now."""
        return self.match.verdict


def names(folder: Path = FOLDER) -> list[str]:
    """The lists, by the names of their files."""
    return [path.stem for path in sorted(folder.glob("*.toml"))]


def figures_of(name: str, folder: Path = FOLDER) -> tuple[Figure, ...]:
    """The figures of a list. Raises UserError."""
    given = _loaded(folder / f"{name}.toml").get("figure", [])
    made = []
    for number, data in enumerate(given, 1):
        try:
            made.append(Figure(**data))
        except TypeError:
            raise UserError(
                f"{name}.toml, figure {number}: found the keys {', '.join(data)}, expected "
                f"{', '.join(Figure.__dataclass_fields__)}"
            ) from None
        if made[-1].exactness not in EXACTNESS:
            found = made[-1].exactness
            raise UserError(
                f"{name}.toml, {made[-1].id}: found {found!r}, expected one of {', '.join(EXACTNESS)}"
            )
    return tuple(made)


def tried_of(name: str, folder: Path = FOLDER) -> tuple[Tried, ...]:
    """What was asked for the figures of a list, in the order of its file. Raises UserError."""
    where = f"tried/{name}.toml"
    given = _loaded(folder / "tried" / f"{name}.toml").get("tried", [])
    return tuple(_tried(data, where) for data in given)


def _tried(data: Mapping[str, Any], where: str) -> Tried:
    where = f"{where}, {data.get('figure')}"
    if strange := sorted(set(data) - set(_KEYS)):
        raise UserError(f"{where}: found the key {strange[0]!r}, expected one of {', '.join(_KEYS)}")
    if "entry" in data and "entries" in data:
        raise UserError(f"{where}: found entry and entries, expected one of the two")
    text = {key: str(data.get(key, "")) for key in _TEXTS}
    for key in ("verdict", "first"):
        if text[key] not in VERDICTS and (text[key] or key == "verdict"):
            known = ", ".join(VERDICTS)
            raise UserError(f"{where}: found {key} = {text[key]!r}, expected one of {known}")
    entries = data.get("entries", {"it": data["entry"]} if data.get("entry") else {})
    match = Match(
        formula=text["figure"], entries=entries, ours=text["ours"] or ("it" if "entry" in data else ""),
        says="", set=data.get("set", {}), at=data.get("at", {}), within="", verdict=text["verdict"],
        why=text["why"], need=text["need"], needs=text["needs"], examples=(),
    )  # fmt: skip
    return Tried(match, *(text[key] for key in ("printed", "unit", "within", "differs", "first")))


def _loaded(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UserError(f"{path.name}: found no such file in {path.parent.name}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{path.name}: {error}") from None
