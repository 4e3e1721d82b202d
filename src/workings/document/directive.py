"""A directive: a fence whose info is `{name} argument`, with `:key: value` options on top."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from typing import Any

from workings.document.page import Page

_INFO = re.compile(r"\{([a-z-]+)\}\s*(.*?)\s*")
_OPTION = re.compile(r":([a-z-]+):\s*(.*?)\s*")


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
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise page.source.fail(
            directive.body_line, f"{{{directive.name}}}: its body is not valid TOML: {error}"
        ) from error
    for key in data:
        if key not in known:
            raise page.source.fail(
                directive.body_line,
                f"{{{directive.name}}}: found key {key!r}, expected one of {', '.join(known)}",
            )
    return data


def text_at(data: dict[str, Any], key: str, page: Page, line: int, default: str = "") -> str:
    """A text of a TOML body. Raises DocumentError where it is something else."""
    value = data.get(key, default)
    if not isinstance(value, str):
        raise page.source.fail(line, f"{key}: found {value!r}, expected text")
    return value


def settings_at(data: dict[str, Any], page: Page, line: int) -> dict[str, str]:
    """The `set` table of a TOML body, values as text."""
    value = data.get("set", {})
    if not isinstance(value, dict) or not all(isinstance(v, str | int) for v in value.values()):
        raise page.source.fail(line, f"set: found {value!r}, expected a table of quantities")
    return {name: str(text) for name, text in value.items()}


def tables_at(data: dict[str, Any], key: str, page: Page, line: int) -> list[dict[str, Any]]:
    """An array of tables of a TOML body, such as [[row]]."""
    value = data.get(key, [])
    if not isinstance(value, list) or not all(isinstance(v, dict) for v in value):
        raise page.source.fail(line, f"{key}: found {value!r}, expected [[{key}]] tables")
    return value
