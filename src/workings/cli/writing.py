"""Where `check` may write."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


def refuse_to_write(written: Sequence[Path | None], read: Sequence[str]) -> None:
    """Refuse a file that is to be checked, or whose folder is not there, before any work is done."""
    from workings.errors import UserError  # noqa: PLC0415 - imported when a command runs

    documents = {Path(file).resolve() for file in read}
    for path in written:
        if path is None:
            continue
        if path.resolve() in documents:
            raise UserError(f"{path}: found a document to check, expected another file to write to")
        if not path.parent.is_dir():
            raise UserError(f"{path}: found no folder {path.parent}, expected one to write to")
