"""A run of the checker over files, folders and standard input."""

from __future__ import annotations

import os
import re
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TypeVar

from workings import reading
from workings.check.checking import check_document
from workings.check.claimed.checking import check_claims
from workings.check.ignoring import without_ignored
from workings.check.preview import without_preview, without_rules
from workings.check.results import Failure, Results
from workings.check.verdicts import Checked
from workings.errors import UserError
from workings.reading.blocks import Document
from workings.reading.endings import DOCUMENTS, HANDED_IN, PICTURES
from workings.reading.limits import MAX_BYTES
from workings.reading.reading import bytes_of, text_of

A = TypeVar("A")
B = TypeVar("B")

LARGEST_INPUT = MAX_BYTES + 1  # read from standard input: enough to see that it is too much
STDIN = "-"
_GRAPHICS = re.compile(r"graphics(?:\[[^\]\n]{0,200}\])?\{([^{}\n]{1,200})\}")  # in LaTeX


@dataclass(frozen=True, slots=True)
class Task:
    """One document to check; `text` is given where it does not come from a file.

    `preview` asks for the accusations too that are otherwise held back; `select` and `ignore` name rules
    that alone accuse, preview or not, and rules that do not. `claims` says that it is a file of claims.
    """

    file: str
    at: str | None = None
    strict: bool = False
    text: bytes | None = None
    kind: str | None = None
    preview: bool = False
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    claims: bool = False


@dataclass(frozen=True, slots=True)
class Folder:
    """The documents below a folder, sorted, and those that cannot be read, such as PDFs or photos."""

    documents: tuple[str, ...]
    unreadable: tuple[str, ...]


def look_into(folder: Path, *, handed_in: bool = False) -> Folder:
    """What a folder holds; hidden folders and symbolic links are left alone.

    Plain text is a document where it was handed in, as answer forms are; elsewhere it may be anything.
    """
    found: list[str] = []
    for parent, folders, files in os.walk(folder, followlinks=False):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        paths = (Path(parent, name) for name in files)
        found += (str(path) for path in paths if not path.is_symlink())
    found.sort(key=lambda path: Path(path).parts)
    plain = (".txt",) if handed_in else ()
    documents = tuple(path for path in found if path.lower().endswith((*DOCUMENTS, *plain)))
    others = [path for path in found if path.lower().endswith(HANDED_IN)]
    pictures = [path for path in others if path.lower().endswith(PICTURES)]
    shown = _shown(documents, pictures) if pictures else ()
    return Folder(documents, tuple(path for path in others if path not in shown))


def _shown(documents: Iterable[str], pictures: Iterable[str]) -> frozenset[str]:
    """The pictures that documents show, which nobody handed in; LaTeX leaves their endings out."""
    texts = [Path(document).read_bytes().decode("utf-8", "replace") for document in documents
             if os.access(document, os.R_OK)]  # fmt: skip
    names = {PurePath(name).name for text in texts for name in _GRAPHICS.findall(text)}
    return frozenset(
        picture for picture in pictures
        if PurePath(picture).stem in names or any(PurePath(picture).name in text for text in texts)
    )  # fmt: skip


def check_all(tasks: Sequence[Task], jobs: int | None = None) -> Iterator[Checked | Failure]:
    """Every document, in order."""
    return each(check_one, tasks, jobs)


def each(work: Callable[[A], B], tasks: Sequence[A], jobs: int | None) -> Iterator[B]:
    """What is made of every task, in order; several at a time where there are enough of them."""
    if len(tasks) == 1:
        yield work(tasks[0])
        return
    from concurrent.futures.process import BrokenProcessPool  # noqa: PLC0415 - takes its time

    from workings.system.parallel import in_parallel  # noqa: PLC0415 - the same

    try:
        yield from in_parallel(work, tasks, jobs)
    except BrokenProcessPool as error:
        raise UserError("found a process that died, expected it to finish: "
                        "try --jobs 1 to learn on which document") from error  # fmt: skip


def check_one(task: Task) -> Checked | Failure:
    """One document; whatever goes wrong with it does not stop the others."""
    try:
        checked = _claims(task) if task.claims else _document(task)
        if task.select or task.ignore:
            checked = without_rules(checked, task.select, task.ignore)
        return checked if task.preview or task.select else without_preview(checked)
    except Exception as error:  # a fault of ours too; the rest of a class's work is still checked
        return failure(task, error, "checked")


def _claims(task: Task) -> Checked:
    """What the claims of a file come to."""
    data = bytes_of(Path(task.file)) if task.text is None else task.text
    return check_claims(task.file, data, at=task.at, strict=task.strict)


def _document(task: Task) -> Checked:
    """What a document says, without what its comments silence."""
    document = read(task)
    return without_ignored(document, check_document(document, at=task.at, strict=task.strict))


def read(task: Task) -> Document:
    """The document of a task. Raises UserError."""
    if task.text is None:
        return reading.read_file(Path(task.file))
    return reading.read_document(task.file, text_of(task.file, task.text), task.kind)


def failure(task: Task, error: Exception, done: str) -> Failure:
    """What stopped a task: a sentence for its user, or where a fault of ours is."""
    if isinstance(error, UserError):
        return Failure(task.file, str(error.args[0]) if error.args else "")
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    fault = f"could not be {done}, for a fault in workings{place}: {type(error).__name__}: {error}"
    return Failure(task.file, fault)


def gathered(found: Iterable[Checked | Failure]) -> Results:
    """The results of a run."""
    everything = list(found)
    return Results(
        checked=tuple(one for one in everything if isinstance(one, Checked)),
        failures=tuple(one for one in everything if isinstance(one, Failure)),
    )
