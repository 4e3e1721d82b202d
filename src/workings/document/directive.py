"""A directive: a fence whose info is `{name} argument`, with `:key: value` options on top."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from workings.document.front import toml_problem
from workings.document.page import Page
from workings.units import Format

_INFO = re.compile(r"\{([a-z-]+)\}\s*(.*?)\s*")
_OPTION = re.compile(r":([a-z-]+):\s*(.*?)\s*")

_BODIES = ("table", "figure", "gantt", "answer")  # what holds TOML


@dataclass(frozen=True, slots=True)
class Directive:
    """Name, argument, options, the body after them, and the body's first line in the file."""

    name: str
    argument: str
    options: dict[str, str]
    body: str
    line: int
    body_line: int


def directive_of(info: str, content: str, line: int) -> Directive | None:
    """Read a fence as a directive, or None where it is an ordinary code block."""
    match = _INFO.fullmatch(info)
    if match is None:
        return None
    options: dict[str, str] = {}
    lines = content.split("\n")
    while lines and (option := _OPTION.fullmatch(lines[0])):
        options[option[1]] = option[2]
        lines.pop(0)
    body_line = line + 1 + len(options)
    return Directive(match[1], match[2], options, "\n".join(lines), line, body_line)


def check_leaf(directive: Directive, page: Page) -> None:
    """Raise DocumentError for text that nobody would read."""
    fail, name = page.source.fail, directive.name
    if name not in _BODIES and directive.body.strip():
        raise fail(directive.body_line, f"{{{name}}}: found text in it, expected only options")
    if name in ("table", "symbols") and directive.argument:
        raise fail(directive.line, f"{{{name}}}: found {directive.argument[:60]!r} after it")


def check_options(directive: Directive, page: Page, known: tuple[str, ...]) -> None:
    """Raise DocumentError for an option that this directive does not have."""
    for name in directive.options:
        if name not in known:
            expected = ", ".join(f":{one}:" for one in known) or "no options"
            raise page.source.fail(
                directive.line, f"{{{directive.name}}}: found :{name}:, expected {expected}"
            )


def table_of(directive: Directive, page: Page, known: tuple[str, ...]) -> dict[str, Any]:
    """The body as TOML. Raises DocumentError for bad TOML or an unknown key."""
    try:
        data = tomllib.loads(directive.body)
    except (ValueError, RecursionError) as error:
        problem, line = toml_problem(error)
        raise page.source.fail(
            directive.body_line + line - 1,
            f"{{{directive.name}}}: its body is not valid TOML: {problem}",
        ) from error
    check_keys(data, f"{{{directive.name}}}", page, directive.body_line, known)
    return data


def check_keys(data: dict[str, Any], what: str, page: Page, line: int, known: tuple[str, ...]) -> None:
    """Raise DocumentError for a key that this table of a TOML body does not have."""
    for key in data:
        if key not in known:
            raise page.source.fail(
                line, f"{what}: found key {key[:40]!r}, expected one of {', '.join(known)}"
            )


def text_at(data: dict[str, Any], key: str, page: Page, line: int, default: str = "") -> str:
    """A text of a TOML body. Raises DocumentError where it is something else."""
    value = data.get(key, default)
    if not isinstance(value, str):
        raise page.source.fail(line, f"{key}: found {value!r}, expected text")
    return value


def whole(value: object, name: str, page: Page, line: int, least: int, most: int) -> int:
    """A whole number within bounds, also written as text. Raises DocumentError."""
    text = str(value) if isinstance(value, int | str) and not isinstance(value, bool) else ""
    if not re.fullmatch("[0-9]{1,3}", text) or not least <= int(text) <= most:
        found = repr(value)[:40]
        raise page.source.fail(line, f"{name} found {found}, expected {least} to {most}")
    return int(text)


def numbers_at(data: Mapping[str, Any], page: Page, line: int, style: Format, mark: str = "") -> Format:
    """A number style with the `digits` and `decimals` that a body or options choose."""
    digits, decimals = style.digits, style.decimals
    if "digits" in data:
        digits = whole(data["digits"], f"{mark}digits:", page, line, 1, 30)
    if "decimals" in data:
        decimals = whole(data["decimals"], f"{mark}decimals:", page, line, 0, 30)
    return Format(style.units, digits, decimals)


def settings_at(data: dict[str, Any], page: Page, line: int) -> dict[str, str]:
    """The `set` table of a TOML body, values as text."""
    value = data.get("set", {})
    values = value.values() if isinstance(value, dict) else [None]
    if not all(isinstance(v, str | int) and not isinstance(v, bool) for v in values):
        raise page.source.fail(line, f"set: found {value!r}, expected a table of quantities")
    return {name: str(text) for name, text in value.items()}


def tables_at(data: dict[str, Any], key: str, page: Page, line: int) -> list[dict[str, Any]]:
    """An array of tables of a TOML body, such as [[row]]."""
    value = data.get(key, [])
    if not isinstance(value, list) or not all(isinstance(v, dict) for v in value):
        raise page.source.fail(line, f"{key}: found {value!r}, expected [[{key}]] tables")
    return value
