"""The answer key of a source as a file of its own."""

from __future__ import annotations

from os.path import relpath
from pathlib import Path

import msgspec

from workings.document.blocks import Document
from workings.errors import UserError
from workings.grade.file import write_key


def key_text(document: Document, source: Path, folder: Path) -> str:
    """The key as TOML for this folder, from which its scenario's file is found. Raises UserError."""
    if document.key is None:
        raise UserError(f"{source}: found no {{answer}} in it, expected one for an answer key")
    key = document.key
    if key.scenario.endswith(".toml"):
        there = Path(relpath(source.parent / key.scenario, folder)).as_posix()
        key = msgspec.structs.replace(key, scenario=there)
    return write_key(key)
