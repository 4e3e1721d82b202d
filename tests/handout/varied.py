"""Handouts for tests that vary: a source with `[vary]`, and what is read of it."""

from pathlib import Path

from workings.document.front import read_source
from workings.errors import UserError
from workings.handout.vary import Vary, read_vary

HEAD = '+++\ntitle = "Does it fit?"\nscenario = "xxl-220b"\n\n[vary]\n'
VARY = 6  # the line of the file on which what follows HEAD begins


def vary_of(folder: Path, table: str) -> Vary:
    """What a source with this table varies."""
    path = folder / "hw2.md"
    path.write_text(f"{HEAD}{table}\n+++\n\nWords.\n", encoding="utf-8")
    return read_vary(read_source(path))


def refused(folder: Path, table: str) -> str:
    """The sentence with which this table is refused."""
    try:
        vary_of(folder, table)
    except UserError as error:
        return str(error)
    raise AssertionError(f"{table!r} is taken")
