"""The variants of a handout as a quiz for the system of a course."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TypeAlias

from workings.courses.bank import Bank, bank_of
from workings.courses.export import exported
from workings.courses.quiz import Quiz, quiz_of
from workings.document.blocks import Document
from workings.document.front import Source, read_source
from workings.document.read import read_document
from workings.errors import UserError
from workings.grade.keys import work_out
from workings.handout.making import KEY, read_variant
from workings.handout.plan import Plan, Variant, source_name
from workings.render.html import words
from workings.render.reports import Options
from workings.system.files import write_atomically
from workings.system.parallel import in_parallel

Told: TypeAlias = Callable[[Iterator[Quiz | str], int], Iterable[Quiz | str]]
_UNSAFE = re.compile(r"[^A-Za-z0-9]+")


def bank_of_one(path: Path, options: Options) -> Bank:
    """The handout as it stands, as a quiz of one variant. Raises UserError."""
    document, _ = read_document(path, sheet=True, directives=options.directives)
    return bank_of(_name(path), [_quiz(document, read_source(path), "")])


def bank_of_all(plan: Plan, options: Options, told: Told) -> Bank:
    """All variants of a plan as one quiz. Raises UserError."""
    made = in_parallel(partial(_of_variant, source=plan.source, options=options), plan.variants)
    return bank_of(_name(plan.source.path), list(_good(told(made, len(plan.variants)))))


def write_exports(bank: Bank, systems: tuple[str, ...], folder: Path) -> list[str]:
    """Write the quiz for these systems: what was written, and what an instructor must know of it."""
    made = exported(bank, systems)
    for name, content in made.files.items():
        write_atomically(folder / name, content)
    tops = sorted({name.partition("/")[0] for name in made.files})
    return [*(str(folder / name) for name in tops), *made.notes]


def _of_variant(variant: Variant, source: Source, options: Options) -> Quiz | str:
    try:
        document = read_variant(source, variant, options, sheet=True)
        return _quiz(document, source, variant.name)
    except UserError as error:
        return f"{variant.said}: {error.args[0] if error.args else error}"


def _quiz(document: Document, source: Source, variant: str) -> Quiz:
    if document.key is None:
        raise UserError(f"{source.path}: found no {{answer}}, expected one or more to export")
    key = work_out(KEY, document.key, str(source.path.parent))
    return quiz_of(document, key, words(document.title), variant)


def _good(found: Iterable[Quiz | str]) -> Iterator[Quiz]:
    for one in found:
        if isinstance(one, str):
            raise UserError(one)
        yield one


def _name(path: Path) -> str:
    """The name of the handout as a path may hold it."""
    return _UNSAFE.sub("-", source_name(path)).strip("-").lower()[:60] or "handout"
