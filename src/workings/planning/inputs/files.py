"""Opening input files: of bounded size, each kept, TOML read exactly."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

from workings.planning.inputs.given import Entry, Reader, tidy, words
from workings.planning.job import JobError
from workings.scenario import MAX_BYTES
from workings.units import UnitError, parse_number


def opened(reader: Reader, path: Path) -> bytes:
    """The bytes of a file, which the reader keeps. Raises JobError."""
    name = tidy(str(path) if not path.name else path.name)
    try:
        if path.is_dir():
            raise JobError(f"{name}: found a folder, expected a file")
        if not path.is_file():  # a device or a pipe is none either
            raise JobError(f"{tidy(str(path))}: no such file")
        if path.stat().st_size > MAX_BYTES:
            raise JobError(_too_large(name))
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        if isinstance(error, JobError):
            raise
        problem = getattr(error, "strerror", None) or "not a path"
        raise JobError(f"{name}: {problem}") from error
    if len(data) > MAX_BYTES:
        raise JobError(_too_large(name))
    _keep(reader, path, data)
    return data


def _keep(reader: Reader, path: Path, data: bytes) -> None:
    """Keep a file under its path in the job's folder, or its own name where it lies elsewhere.

    A name that another file has taken already is numbered.
    """
    inside = path.is_relative_to(reader.root) and ".." not in path.relative_to(reader.root).parts
    plain = name = tidy(path.relative_to(reader.root).as_posix() if inside else path.name)
    number = 1
    while reader.opened.get(name, data) != data:
        number += 1
        name = f"{plain} ({number})"
    reader.opened[name] = data


def _too_large(name: str) -> str:
    return f"{name}: found more than {MAX_BYTES:,} bytes, expected an input file, which has a few"


def text_of(reader: Reader, path: Path) -> str:
    """The text of a file. Raises JobError."""
    try:
        text = opened(reader, path).decode("utf-8")
    except UnicodeDecodeError as error:
        raise JobError(f"{tidy(path.name)}: found bytes that are no UTF-8, expected text") from error
    if "\0" in text:
        raise JobError(f"{tidy(path.name)}: found a NUL character, expected text")
    return text


def toml_of(reader: Reader, path: Path) -> dict[str, Any]:
    """A TOML file; its decimals are exact. Raises JobError."""
    text = text_of(reader, path)
    try:
        return tomllib.loads(text, parse_float=_exact)
    except JobError as error:
        raise JobError(f"{tidy(path.name)}: {error}") from error
    except (ValueError, RecursionError) as error:
        problem = tidy(str(error).partition(";")[0])
        raise JobError(f"{tidy(path.name)}: not valid TOML: {problem}") from error


def _exact(text: str) -> Fraction:
    """A decimal of TOML. Raises JobError for one that is not finite, or too long."""
    sign = -1 if text.startswith("-") else 1
    try:
        return sign * parse_number(text.lstrip("+-").replace("_", ""))
    except UnitError as error:
        raise JobError(f"found {text[:40]}, expected a finite number of reasonable size") from error


def beside(reader: Reader, entry: Entry) -> Path:
    """The path that a key gives, relative to the folder of its file. Raises JobError."""
    return reader.folder / words(entry, 1000)
