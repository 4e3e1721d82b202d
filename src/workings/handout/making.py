"""One variant made and written: sheet, solutions and key, and the record of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeAlias

from workings.document.blocks import Document
from workings.document.front import Source
from workings.document.read import read_document
from workings.document.wording import wording
from workings.errors import UserError
from workings.grade.file import write_key
from workings.grade.keys import work_out
from workings.handout import draw
from workings.handout.answers import answers_of, key_of
from workings.handout.changed import Lines, changes, lines_of
from workings.handout.fingerprint import made_with, version
from workings.handout.named import named_on, printed_for
from workings.handout.plan import Variant
from workings.handout.record import FILE, Record, digest, own_files, read_record, whole, written
from workings.render.answer_form import FORM, form_text
from workings.render.reports import Options, printed, write_all
from workings.render.unprintable import UnprintableError, located
from workings.system.files import write_atomically

KEY, OLD_KEYS = "key.toml", "keys"
Files: TypeAlias = Mapping[str, str | bytes]


@dataclass(frozen=True, slots=True)
class Issue:
    """What all variants of a handout share: the source with its name, where they go, and how."""

    source: Source
    name: str
    seed: int
    folder: Path
    options: Options


def read_variant(source: Source, variant: Variant, options: Options, *, sheet: bool) -> Document:
    """The document of a variant, which says which it is. Raises UserError."""
    document, _ = read_document(source.path, sheet=sheet, directives=options.directives,
                                settings=variant.settings,
                                order=partial(draw.ordered, drawn_for=variant.drawn_for))  # fmt: skip
    return marked(document, variant)


def marked(document: Document, variant: Variant) -> Document:
    """The document with the variant and its hash on its cover."""
    words = wording(document.cover.language)["variant"].format(variant.title)
    return replace(document, cover=replace(document.cover, variant=words))


def made(variant: Variant, issue: Issue) -> Record | str:
    """The record of a variant, its files written unless they are there; or why it cannot be made."""
    try:
        return _made(variant, issue)
    except UnprintableError as error:
        return f"{variant.said}: {located(error, issue.source.path)}"
    except UserError as error:
        return f"{variant.said}: {error.args[0] if error.args else error}"


def _made(variant: Variant, issue: Issue) -> Record:
    folder = issue.folder / variant.name
    old = read_record(folder)
    same = old is not None and (old.hash, old.seed, old.formats, old.student, old.made_with) == (
        variant.hash, issue.seed, issue.options.formats, _name(variant), made_with(issue.options),
    )  # fmt: skip
    if old is not None and same and whole(old, folder):
        return old
    made = _contents(variant, issue)
    if old is not None and old.hash != variant.hash:
        _keep_key(folder / KEY, issue.folder / OLD_KEYS, old.hash)
    record = _record(variant, issue, made, old)
    write_all(made.files, folder)
    for name, sum_ in own_files(old) if old is not None else ():
        path = folder / name
        if name not in made.files and path.is_file() and digest(path.read_bytes()) == sum_:
            path.unlink()
    write_atomically(folder / FILE, written(record))
    return record


def _name(variant: Variant) -> str:
    return variant.student.name if variant.student else ""


@dataclass(frozen=True, slots=True)
class _Contents:
    """The files of a variant by their names, its right answers in words, and the lines of its sheet.

    `nameless` are the formats without the student's name.
    """

    files: Files
    values: dict[str, str]
    lines: Lines
    nameless: tuple[str, ...]


def _contents(variant: Variant, issue: Issue) -> _Contents:
    """What a variant is written from. Raises UserError."""
    sheet, solutions = (
        read_variant(issue.source, variant, issue.options, sheet=sheet) for sheet in (True, False)
    )
    sheet = replace(sheet, desk=None)  # whose inputs a reader may change would no longer be this variant
    sheet_options = replace(issue.options, sheet=True)
    files, nameless = printed_for(variant.student, sheet, sheet_options)
    files = {**files, **printed(solutions, "solutions", issue.options)}
    if solutions.key is None:
        return _Contents(files, {}, lines_of(sheet), nameless)
    key = key_of(solutions.key, variant, issue.source)
    right = work_out(KEY, solutions.key, str(issue.source.path.parent))
    files[KEY] = write_key(key)
    if sheet.cover.hand_in:
        files[FORM] = form_text(named_on(variant.student, sheet), right)
    return _Contents(files, answers_of(right, issue.source.front.digits), lines_of(sheet), nameless)


def _record(variant: Variant, issue: Issue, made: _Contents, old: Record | None) -> Record:
    """What is written down of a variant, and of what it replaces."""
    replaces, changed = (old.replaces, old.changes) if old is not None else ("", "")
    if old is not None and old.hash != variant.hash:
        replaces, changed = old.hash, changes(old, variant.settings, made.values, made.lines)
    return Record(
        variant=variant.name, hash=variant.hash, draw=draw.NAME, seed=issue.seed, source=issue.name,
        program=version(), formats=issue.options.formats, settings=dict(variant.settings),
        values=made.values,
        files={name: digest(content) for name, content in made.files.items()},
        replaces=replaces, changes=changed,
        lines={name: list(lines) for name, lines in made.lines.items()},
        student=_name(variant), nameless=made.nameless, made_with=made_with(issue.options),
    )  # fmt: skip


_NAMED = re.compile(r"^variant = .*$", re.M)


def _keep_key(path: Path, folder: Path, hash_: str) -> None:
    """Keep the key of an older sheet under its hash; two students with one draw share it."""
    if not path.is_file():
        return
    text = path.read_text(encoding="utf-8")
    kept = folder / f"{hash_}.toml"
    if kept.is_file() and _NAMED.sub("", kept.read_text(encoding="utf-8")) != _NAMED.sub("", text):
        kept = folder / f"{hash_}-{path.parent.name}.toml"
    write_atomically(kept, text)
