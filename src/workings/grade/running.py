"""A run over hand-ins: each is read, checked and graded, and one that fails does not stop the others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import msgspec

from workings.check.results import Failure
from workings.check.running import Task, each, failure, read
from workings.grade.file import KeyFile, find_key, read_key
from workings.grade.form_answers import remarks_on_form
from workings.grade.graded import Graded
from workings.grade.grading import grade_document
from workings.grade.keys import work_out
from workings.grade.sheet_line import remarks_on
from workings.grade.targets import Key


@dataclass(frozen=True)
class Source:
    """A key as it goes from process to process: its name, its fields as JSON, the folder it stands in."""

    name: str
    fields: bytes
    folder: str

    @classmethod
    def of(cls, name: str, key: KeyFile, folder: str = "") -> Source:
        """The source of a key that is at hand."""
        return cls(name, msgspec.json.encode(key), folder)


def file_source(where: str) -> Source:
    """The source of a key by name or path. Raises UserError."""
    path = find_key(where)
    return Source.of(path.name, read_key(path), str(path.parent))


@dataclass(frozen=True)
class HandIn:
    """A document and the key it is graded by."""

    task: Task
    key: Source


@dataclass(frozen=True)
class Grades:
    """The hand-ins graded, in the order asked for, and those that could not be."""

    key: Key
    graded: tuple[Graded, ...]
    failures: tuple[Failure, ...] = ()

    @property
    def exit_code(self) -> int:
        """0 all right, 1 something is not, 2 something could not be graded."""
        if self.failures:
            return 2
        return int(not all(one.flawless for one in self.graded))


def grade_all(tasks: Sequence[Task], key: Source, jobs: int | None = None) -> Iterator[Graded | Failure]:
    """Every hand-in, in order; several at a time where there are enough of them. Raises UserError."""
    key_of(key)  # a key that cannot be worked out is said once, not for every hand-in
    yield from grade_each([HandIn(task, key) for task in tasks], jobs)


def grade_each(hand_ins: Sequence[HandIn], jobs: int | None = None) -> Iterator[Graded | Failure]:
    """Every hand-in by a key of its own, in order. Raises UserError."""
    yield from each(grade_one, hand_ins, jobs)


def grade_one(hand_in: HandIn) -> Graded | Failure:
    """One hand-in. Comments that tell the checker to ignore a line are not obeyed: it is a student's."""
    task = hand_in.task
    try:
        document, key = read(task), key_of(hand_in.key)
        graded = grade_document(document, key, preview=task.preview)
        said = remarks_on(document.text, key.variant) + remarks_on_form(document.text, key)
        return replace(graded, remarks=said)
    except Exception as error:  # a fault of ours too; the rest of a class's work is still graded
        return failure(task, error, "graded")


def grades(key: Source, found: Iterable[Graded | Failure]) -> Grades:
    """The results of a run."""
    everything = list(found)
    return Grades(
        key_of(key), tuple(one for one in everything if isinstance(one, Graded)),
        tuple(one for one in everything if isinstance(one, Failure)),
    )  # fmt: skip


@lru_cache(maxsize=256)
def key_of(source: Source) -> Key:
    """The key, worked out once a process."""
    return work_out(source.name, msgspec.json.decode(source.fields, type=KeyFile), source.folder)
