"""What the catalogue has of the formulas of published sources; benchmarks/coverage/README.md says how.

    python benchmarks/coverage.py check [FILE …]    every verdict that is not what is computed

FILE is the name of a list or the path of its matches; without one, all lists are checked. The exit code
is 1 where something is wrong, 2 where a list cannot be read.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from covering.judging import judged
from covering.lists import FOLDER, Source, matches_of, sources

from workings.errors import UserError


def main() -> int:
    """Check the files that are named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("command", choices=["check"])
    parser.add_argument("files", nargs="*", metavar="FILE")
    asked = parser.parse_args()
    try:
        chosen = _named(sources(), asked.files)
    except UserError as error:
        print(error, file=sys.stderr)
        return 2
    found = False
    for source in chosen:
        for fault in faults_of(source):
            found = True
            print(f"{source.name}.toml: {fault}")
    return int(found)


def faults_of(source: Source, folder: Path = FOLDER) -> Iterator[str]:
    """What is wrong with the matches of a list, a sentence each."""
    try:
        matches = matches_of(source.name, folder)
    except UserError as error:
        yield str(error)
        return
    if matches is None:
        yield "found no file of matches, expected one"
        return
    yield from judged(source, matches).faults


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
