"""Published tables as data: rows of letters and a figure, with what the source says and leaves open."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatch
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from workings.planning.utilization import COUNTS

DATA = Path(__file__).parents[1] / "validation"
_KEYS = {"title", "short", "source", "unit", "computed", "ours", "theirs", "convention", "counts", "base",
         "hardware", "given", "columns", "rows", "fact", "open", "remark",
         "heavy", "plain"}  # fmt: skip
_OTHERS = {"pytorch/torchtitan": "torchtitan", **dict.fromkeys(
    ("mosaicml", "NVIDIA-NeMo/Automodel", "Chowdhery", "The Llama 3 Herd"), "")}  # fmt: skip
Raw = Mapping[str, int | float | str]


class TableError(ValueError):
    """A table that cannot be read: one sentence naming file and key."""


@dataclass(frozen=True, slots=True)
class Fact:
    """What a source says, or we had to take, about letters of a table."""

    letters: str
    says: str


@dataclass(frozen=True, slots=True)
class Open:
    """What a source leaves open: another set of values, for rows of some names."""

    rows: str
    given: Raw
    says: str


@dataclass(frozen=True, slots=True)
class Row:
    """One published figure, and the letters it was measured at."""

    name: str
    given: Raw
    published: Fraction


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A published table. `ours` and `theirs` are formulas of the plan's letters and of `published`.

    `counts` says which of attention's scores its source counts among the model's FLOPs.
    """

    id: str
    title: str
    short: str
    source: str
    unit: str
    ours: str
    theirs: str
    convention: str
    base: tuple[str, ...]
    hardware: str
    given: Raw
    rows: tuple[Row, ...]
    facts: tuple[Fact, ...]
    open: tuple[Open, ...]
    remarks: tuple[tuple[str, str], ...]
    computed: bool = False  # by its authors, and not measured
    heavies: tuple[tuple[str, str], ...] = ()
    counts: str = ""
    plain: str = ""  # `ours` without what its source's software adds

    def open_for(self, row: Row) -> tuple[Open, ...]:
        """What the source leaves open about a row."""
        return tuple(one for one in self.open if fnmatch(row.name, one.rows))

    def remark(self, row: Row) -> str:
        """Why our figure differs, where anybody has looked: the first remark whose pattern fits."""
        return _said(self.remarks, row)

    def heavy(self, row: Row) -> str:
        """Why we predict more memory than its devices have."""
        return _said(self.heavies, row)


def _said(remarks: tuple[tuple[str, str], ...], row: Row) -> str:
    return next((says for rows, says in remarks if fnmatch(row.name, rows)), "")


def tables(kind: str) -> tuple[Table, ...]:
    """The tables of a folder (`time` or `memory`), by name."""
    return tuple(read_table(path) for path in sorted((DATA / kind).glob("*.toml")))


def read_table(path: Path) -> Table:
    """One table. Raises TableError."""
    data = toml_file(path)
    if unknown := set(data) - _KEYS:
        raise TableError(f"{path.name}: found {', '.join(sorted(unknown))}, expected {sorted(_KEYS)}")
    if "Phi_s" in str(data.get("theirs")) and data.get("counts") not in COUNTS:
        raise TableError(
            f"{path.name}: counts: found {data.get('counts')}, expected one of {', '.join(COUNTS)}"
        )
    try:
        return Table(
            path.stem, data["title"], data["short"], data["source"], data["unit"], data["ours"],
            data["theirs"], data.get("convention", ""), tuple(data["base"]), data["hardware"],
            data["given"],
            tuple(_row(path, data["columns"], cells) for cells in data["rows"]),
            tuple(Fact(one["letters"], one["says"]) for one in data.get("fact", [])),
            tuple(Open(one["rows"], one["given"], one["says"]) for one in data.get("open", [])),
            tuple((one["rows"], one["says"]) for one in data.get("remark", [])),
            data.get("computed", False),
            tuple((one["rows"], one["says"]) for one in data.get("heavy", [])),
            data.get("counts", ""), data.get("plain", ""),
        )  # fmt: skip
    except KeyError as error:
        raise TableError(f"{path.name}: found no {error}, expected it") from error


def _row(path: Path, columns: list[str], cells: list[Any]) -> Row:
    """A row; `name` and `published` are columns like letters."""
    if len(cells) != len(columns):
        raise TableError(f"{path.name}: found {len(cells)} cells {cells}, expected {len(columns)}")
    given = dict(zip(columns, cells, strict=True))
    name, published = str(given.pop("name")), Fraction(str(given.pop("published")))
    return Row(name, given, published)


def author(table: Table) -> str:
    """Who published a table: tables of one repository, or of one paper, are one source."""
    return table.source.split(",")[0]


def program(table: Table) -> str:
    """What trained: most tables are of Megatron-LM, or of a program that was made from it."""
    return next((name for who, name in _OTHERS.items() if table.source.startswith(who)), "megatron")


@cache
def toml_file(path: Path) -> dict[str, Any]:
    """A TOML file. Raises TableError."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (ValueError, OSError) as error:
        raise TableError(f"{path.name}: {error}") from error
