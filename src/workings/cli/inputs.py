"""The documents that a command line names: files, folders and standard input."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from workings.cli.printing import say

if TYPE_CHECKING:
    from workings.check.running import Task

T = TypeVar("T")


def documents(files: Sequence[str], *, handed_in: bool = False) -> list[str]:
    """The files named and those in the folders named, each once.

    Says which cannot be read; what is handed in counts all the same, so that it is not missed.
    """
    from workings.check.running import STDIN, look_into  # noqa: PLC0415
    from workings.errors import UserError  # noqa: PLC0415
    from workings.reading.endings import refusal  # noqa: PLC0415

    found: list[str] = []
    for file in files:
        if file == STDIN or not Path(file).is_dir():
            found.append(file)
            continue
        folder = look_into(Path(file), handed_in=handed_in)
        unread = folder.unreadable if handed_in else ()
        for path in () if unread else folder.unreadable:
            say(f"not checked: {refusal(path)}")
        if not (folder.documents or unread):
            raise UserError(f"{file}: found no document in this folder, expected .md, .tex or .ipynb")
        found += [*folder.documents, *unread]
    return list(dict.fromkeys(found))


def task(file: str, stdin_name: str, stdin_kind: str | None) -> Task:
    """What is to be read of a file, or of standard input."""
    from workings.check.running import LARGEST_INPUT, STDIN, Task  # noqa: PLC0415

    if file != STDIN:
        return Task(file)
    return Task(stdin_name, text=sys.stdin.buffer.read(LARGEST_INPUT), kind=stdin_kind)


def with_bar(found: Iterator[T], count: int, label: str = "checking") -> Iterator[T]:
    """The results as they come, with a bar on stderr where a person looks on."""
    if count < 2 or not sys.stderr.isatty():
        yield from found
        return
    with click.progressbar(found, length=count, label=label, file=sys.stderr) as bar:
        yield from bar
