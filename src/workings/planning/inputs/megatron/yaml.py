"""The plain part of YAML that launch files use: `key: value`, nested by indentation, and lists."""

from __future__ import annotations

import re
from typing import Any

from workings.planning.job import JobError

_LINE = re.compile(r"\s*(?:- +)?([A-Za-z_][A-Za-z0-9_.-]*|\"[^\"]*\"|'[^']*')\s*:(?:\s+(.*)|$)")
_WORDS = {"true": True, "True": True, "false": False, "False": False, "null": None, "~": None, "": None,
          "None": None}  # fmt: skip
_WHOLE = re.compile(r"[+-]?[0-9]{1,18}")


def settings(file: str, text: str) -> list[tuple[str, Any]]:
    """Every `key: value` in order, whatever table it stands in. Raises JobError.

    Anchors, tags and blocks of text are not read: the keys that have them get a text that no reader
    of numbers accepts.
    """
    found: list[tuple[str, Any]] = []
    block = -1  # the indentation of a key whose text runs over the next lines
    for number, line in enumerate(text.splitlines(), 1):
        bare = _without_comment(line).rstrip()
        if not bare.strip() or bare.strip() in ("---", "..."):
            continue
        match = _LINE.fullmatch(bare)
        indent = len(bare) - len(bare.lstrip())
        if block >= 0 and indent > block:
            continue
        block = -1
        if "\t" in bare[:indent] or match is None:
            _list_item(file, number, bare, found)
            continue
        value = (match[2] or "").strip()
        block = indent if value[:1] in ("|", ">") else -1
        found.append((match[1].strip("\"'"), _value(value)))
    return found


def _without_comment(line: str) -> str:
    """The line before a # that stands outside quotes after a blank."""
    quote = ""
    for at, char in enumerate(line):
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"" and (at == 0 or line[at - 1] in " :[,{-"):
            quote = char
        elif char == "#" and (at == 0 or line[at - 1] in " \t"):
            return line[:at]
    return line


def _list_item(file: str, number: int, text: str, found: list[tuple[str, Any]]) -> None:
    """An item belongs to the key above it."""
    item = text.strip()
    if not item.startswith("- ") and item != "-":
        raise JobError(f"{file}: not plain YAML in line {number}: expected 'key: value'")
    if found and (found[-1][1] is None or isinstance(found[-1][1], list)):
        key, items = found[-1]
        found[-1] = (key, [*(items or []), _value(item[1:].strip())])


def _value(text: str) -> Any:
    if text in _WORDS:
        return _WORDS[text]
    if _WHOLE.fullmatch(text):
        return int(text)
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        return text[1:-1]
    if text.startswith("[") and text.endswith("]") and "[" not in text[1:]:
        return [_value(part.strip()) for part in text[1:-1].split(",") if part.strip()]
    return text
