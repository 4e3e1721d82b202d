"""Published figures, and what the catalogue gives for them; benchmarks/figures/README.md says how.

    python benchmarks/figures.py check [NAME …]    every verdict that is not what is computed
    python benchmarks/figures.py pages [-o DIR]    the pages, into reports/figures or DIR/figures
    python benchmarks/figures.py count [NAME …]    figures by verdict, and how they are found

NAME is a list, all where none is named. The exit code is 1 where something is wrong, 2 where a list
cannot be read.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from figuring.counting import counted
from figuring.judging import Judged, judged
from figuring.lists import FOLDER, figures_of, names, tried_of
from figuring.page import pages

from workings.errors import UserError
from workings.system.files import write_atomically

REPORTS = Path(__file__).parents[1] / "reports"


def main() -> int:
    """Check the lists that are named, count, or write the pages."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    commands = parser.add_subparsers(required=True)
    for name, run in (("check", check), ("count", count)):
        one = commands.add_parser(name)
        one.add_argument("names", nargs="*", metavar="NAME")
        one.set_defaults(run=lambda asked, run=run: run(asked.names))
    writing = commands.add_parser("pages")
    writing.add_argument("-o", dest="folder", type=Path, default=REPORTS)
    writing.set_defaults(run=lambda asked: write(asked.folder / "figures"))
    asked = parser.parse_args()
    try:
        return int(asked.run(asked))
    except UserError as error:
        print(error, file=sys.stderr)
        return 2


def check(given: list[str], folder: Path = FOLDER) -> int:
    """Print what is wrong with what is said of figures, a sentence each. 1 where anything is."""
    told = [f"{one.name}.toml: {fault}" for one in _judged(given, folder) for fault in one.faults]
    print("\n".join(told), end="\n" * bool(told))
    return int(bool(told))


def count(given: list[str], folder: Path = FOLDER) -> int:
    """Print how many figures have each verdict."""
    for one in _judged(given, folder):
        print(f"{one.name}: {counted(one)}")
    return 0


def write(folder: Path) -> int:
    """Write the pages of all lists."""
    for name, text in pages(_judged([], FOLDER)).items():
        write_atomically(folder / name, text)
    return 0


def _judged(given: list[str], folder: Path) -> list[Judged]:
    """The lists that are named, all where none is, judged. Raises UserError."""
    known = names(folder)
    for name in given:
        if name not in known:
            raise UserError(f"{name}: found no such list, expected one of {', '.join(known)}")
    return [judged(name, figures_of(name, folder), tried_of(name, folder)) for name in given or known]


if __name__ == "__main__":
    sys.exit(main())
