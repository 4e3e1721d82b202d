"""A claims file, read with every field checked; whatever is not as documented is refused by name."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, NoReturn

import msgspec

from workings.check.claimed.schema import KINDS, VERSION, Claim, ClaimsFile, Entry
from workings.errors import UserError
from workings.reading.endings import refusal
from workings.reading.reading import text_of
from workings.scenario.presets import preset_file
from workings.system.tables import explained

LONGEST_NUMBER = 30  # characters; the one number of a claim is a line


class ClaimsFileError(UserError):
    """A claims file that cannot be used: file, key, what was found and what was expected."""


def read_claims(name: str, data: bytes) -> tuple[ClaimsFile, tuple[Claim, ...], str]:
    """The file, its claims and its text. Raises UserError naming file, key, found and expected."""
    text = text_of(name, data)
    try:
        raw = json.loads(text, object_pairs_hook=_once, parse_int=_number, parse_float=_number,
                         parse_constant=_refused)  # fmt: skip
        if not isinstance(raw, dict):
            raise ValueError(f"found {str(raw)[:60]}, expected an object with workings-claims and claims")
        if raw.get("workings-claims") != VERSION:
            found = str(raw.get("workings-claims", "nothing"))[:60]
            raise ValueError(f"workings-claims: found {found}, expected version {VERSION}")
        file = msgspec.convert(raw, ClaimsFile)
        claims = tuple(_claim(number, one) for number, one in enumerate(file.claims, 1))
        _check_names([claim.id for claim in claims if claim.id])
        if file.document is None and (lost := [n for n, c in enumerate(claims, 1) if c.line]):
            raise ValueError(
                f"claim {lost[0]}, line: found one, expected none where no document is named"
            )
        if file.scenario is not None:
            preset_file("scenarios", file.scenario)  # a path may be any file of who checks it
    except json.JSONDecodeError as error:
        problem = f"line {error.lineno}, column {error.colno}: {error.msg}"
        raise ClaimsFileError(f"{name}: {problem}, expected a claims file in JSON") from error
    except RecursionError as error:
        raise ClaimsFileError(f"{name}: found JSON nested too deep, expected a claims file") from error
    except msgspec.ValidationError as error:
        raise ClaimsFileError(f"{name}: {explained(str(error), raw, ClaimsFile)}") from error
    except ValueError as error:
        raise ClaimsFileError(f"{name}: {error}") from error
    return file, claims, text


def _claim(number: int, raw: Any) -> Claim:
    """One claim of its kind. Raises ValueError naming its number and the key at fault."""
    kind = raw.get("kind") if isinstance(raw, dict) else None
    shape = KINDS.get(kind) if isinstance(kind, str) else None
    if shape is None:
        found = "nothing" if kind is None else repr(str(kind)[:60])
        raise ValueError(f"claim {number}, kind: found {found}, expected one of {', '.join(KINDS)}")
    try:
        claim = msgspec.convert(raw, shape)
    except msgspec.ValidationError as error:
        raise ValueError(f"claim {number}, {explained(str(error), raw, shape)}") from error
    if not claim.quote.strip():
        raise ValueError(f"claim {number}, quote: found white space, expected words of the page")
    if isinstance(claim, Entry) and (claim.value is None) == (claim.formula is None):
        found = "neither" if claim.value is None else "both"
        raise ValueError(f"claim {number}: found {found}, expected a value or a formula")
    return claim


def _check_names(ids: list[str]) -> None:
    seen = set[str]()
    for one in ids:
        if one in seen:
            raise ValueError(f"id {one[:60]!r}: found it twice, expected each once")
        seen.add(one)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise ValueError(f"{twice[:60]}: found this key twice, expected it once")
    return found


def _number(digits: str) -> int | float:
    if len(digits) > LONGEST_NUMBER:
        raise ValueError(f"found a number of {len(digits):,} characters, expected it as text, in quotes")
    return int(digits) if digits.lstrip("-").isdigit() else float(digits)


def _refused(word: str) -> NoReturn:
    raise ValueError(f"found {word}, which is no number, expected text in quotes")


def document_path(name: str, document: str) -> Path:
    """Where a claims file's document is. Raises ClaimsFileError where it is not below its folder."""
    if refusal(document):
        problem = "expected .md, .tex or .ipynb, or no document where its quotes cannot be looked up"
        raise ClaimsFileError(f"{name}: document: found {document[:100]!r}, {problem}")
    below = PurePosixPath(document)
    windows = PureWindowsPath(document)
    if below.is_absolute() or windows.drive or windows.root or ".." in (*below.parts, *windows.parts):
        problem = "expected a path below the folder of the claims file, without .."
        raise ClaimsFileError(f"{name}: document: found {document[:100]!r}, {problem}")
    folder = Path(name).parent
    try:
        found = (folder / below).resolve()
        inside = found.is_relative_to(folder.resolve()) and found.is_file()
    except (OSError, ValueError):  # a name too long, or with a NUL
        inside = False
    if not inside:
        problem = "expected a file below the folder of the claims file"
        raise ClaimsFileError(f"{name}: document: found no {document[:100]!r}, {problem}")
    return folder / below
