"""What the catalogue has of the formulas of published sources; benchmarks/coverage/README.md says how.

    python benchmarks/coverage.py check [FILE …]    every verdict that is not what is computed
    python benchmarks/coverage.py pages [-o DIR]    the pages, into reports/coverage or DIR/coverage
    python benchmarks/coverage.py questions         how often a question finds the formula it asks for
    python benchmarks/coverage.py words             what the sources call the entries, for the search

FILE is the name of a list or the path of its matches; without one, all lists are checked. The exit code
is 1 where something is wrong, 2 where a list cannot be read.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from covering.asking import SEEN, questions, score
from covering.calling import written
from covering.judging import Judged, judged
from covering.lists import FOLDER, Source, matches_of, sources
from covering.pages import pages

from workings.catalogue.published import PUBLISHED
from workings.errors import UserError
from workings.system.files import write_atomically

REPORTS = Path(__file__).parents[1] / "reports"


def main() -> int:
    """Check the files that are named, or write the pages."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    commands = parser.add_subparsers(required=True)
    checking = commands.add_parser("check")
    checking.add_argument("files", nargs="*", metavar="FILE")
    checking.set_defaults(run=lambda asked: check(asked.files))
    writing = commands.add_parser("pages")
    writing.add_argument("-o", dest="folder", type=Path, default=REPORTS)
    writing.set_defaults(run=lambda asked: write(asked.folder / "coverage"))
    commands.add_parser("questions").set_defaults(run=lambda asked: answer())
    commands.add_parser("words").set_defaults(run=lambda asked: call())
    asked = parser.parse_args()
    try:
        return int(asked.run(asked))
    except UserError as error:
        print(error, file=sys.stderr)
        return 2


def check(files: list[str], folder: Path = FOLDER) -> int:
    """Print what is wrong with the matches of lists, a sentence each. 1 where anything is."""
    told = []
    for source in _named(sources(folder), files):
        try:
            found = _judged(source, folder)
            faults = list(map(str, found.faults)) if found else ["found no file of matches, expected one"]
        except UserError as error:
            faults = [str(error)]
        told += [f"{source.name}.toml: {fault}" for fault in faults]
    print("\n".join(told), end="\n" * bool(told))
    return int(bool(told))


def write(folder: Path) -> int:
    """Write the pages of all lists, also of those that are not matched yet."""
    found = [_judged(source, FOLDER) or Judged(source, {}, ()) for source in sources()]
    for name, text in pages(found).items():
        write_atomically(folder / name, text)
    return 0


def answer() -> int:
    """Print how well the search finds what readers of the sources ask for."""
    asked = list(questions())
    print("seen:     ", score([one for one in asked if one.row <= SEEN]))
    print("held back:", score([one for one in asked if one.row > SEEN]))
    return 0


def call() -> int:
    """Write what the sources print to where the package reads it."""
    write_atomically(PUBLISHED, written())
    return 0


def _judged(source: Source, folder: Path) -> Judged | None:
    """A list with its matches, judged; None where it has none yet."""
    matches = matches_of(source.name, folder)
    return None if matches is None else judged(source, matches)


def _named(lists: list[Source], files: list[str]) -> list[Source]:
    """The lists that are named, all where none is. Raises UserError."""
    known = {source.name: source for source in lists}
    names = [Path(file).name.removesuffix(".toml") for file in files]
    for name in names:
        if name not in known:
            raise UserError(f"{name}: found no such list, expected one of {', '.join(known)}")
    return [known[name] for name in names] or lists


if __name__ == "__main__":
    sys.exit(main())
