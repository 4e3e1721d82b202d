"""A file or a text into a document."""

from __future__ import annotations

from pathlib import Path

from workings.errors import UserError
from workings.reading.blocks import Document
from workings.reading.coding import coding_of
from workings.reading.endings import kind_of, refusal, refusal_of
from workings.reading.latex import read_latex
from workings.reading.limits import MAX_BYTES
from workings.reading.markdown import read_markdown
from workings.reading.notebook import read_notebook
from workings.reading.outline import Outline
from workings.reading.placed import stored

_EXPECTED = "expected .md, .tex or .ipynb"


def read_file(path: Path) -> Document:
    """Read a file as stored. Raises UserError where it is none that can be checked."""
    if reason := refusal(str(path)):
        raise UserError(reason)
    return read_document(str(path), text_of(str(path), bytes_of(path)))


def bytes_of(path: Path) -> bytes:
    """The bytes of a file, of one too large a little more than is read. Raises UserError."""
    try:
        with path.open("rb") as stream:
            return stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from error


def text_of(name: str, data: bytes) -> str:
    """The text of a file's bytes, line ends as stored. Raises UserError where they are no text."""
    if reason := refusal_of(name, data):
        raise UserError(reason)
    if len(data) > MAX_BYTES:
        raise UserError(f"{name} is larger than {MAX_BYTES:,} bytes, expected less: split it")
    coding = coding_of(data)
    if b"\0" in data and coding != "utf-16":
        raise UserError(f"{name} has NUL bytes, so it is no text; {_EXPECTED}")
    try:
        return data.decode(coding)
    except UnicodeDecodeError as error:
        raise UserError(f"{name} is not UTF-8 (byte {error.start}), expected text in UTF-8") from error


def read_document(path_name: str, text: str, kind: str | None = None) -> Document:
    """Read a text as `kind` (`md`, `tex`, `ipynb`), or as the file's ending says.

    Raises UserError where it is too large, too deep, or no notebook.
    """
    if kind is None and (reason := refusal(path_name)):
        raise UserError(reason)
    if reason := refusal_of(path_name, text[:8].encode("utf-8", "replace")):
        raise UserError(reason)
    if len(text) > MAX_BYTES:
        raise UserError(f"{path_name} is larger than {MAX_BYTES:,} characters, expected less: split it")
    if "\0" in text:
        raise UserError(f"{path_name} has NUL characters, so it is no text; {_EXPECTED}")
    kind = kind or kind_of(path_name)
    outline = Outline(path_name)
    front: dict[str, str] = {}
    if kind == "ipynb":
        comments = read_notebook(text, outline)
    elif kind == "tex":
        comments = read_latex(stored(text), outline)
    else:
        masked = read_markdown(stored(text), outline)
        comments, front = masked.comments, masked.front
    return Document(path_name, text, tuple(outline.blocks), front, tuple(sorted(comments)))
