"""Python's dictionary style: assignments, dictionaries and calls of literals, never run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from workings.planning.job import JobError

_MOST = 200_000


class NotLiteral(str):
    """The text of a value that only running the program could tell."""

    __slots__ = ()


def settings(file: str, text: str) -> list[tuple[str, Any]]:
    """Every `name = value` and `'name': value`, in order. Raises JobError."""
    if len(text) > _MOST:
        raise JobError(f"{file}: found more than {_MOST:,} characters of Python, expected a few settings")
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None)
        where = f" in line {line}" if line else ""
        raise JobError(f"{file}: not valid Python{where}: expected settings such as name = 8") from error
    return [pair for statement in tree.body for pair in _of_statement(statement)]


def _of_statement(statement: ast.stmt) -> Iterator[tuple[str, Any]]:
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        yield from _of_value(_name(statement.targets[0]), statement.value)
    elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
        yield from _of_value(_name(statement.target), statement.value)
    elif isinstance(statement, ast.Expr):
        yield from _of_value("", statement.value)


def _name(target: ast.expr) -> str:
    """`model.tensor_model_parallel_size = 8` sets the last name."""
    if isinstance(target, ast.Name):
        return target.id
    return target.attr if isinstance(target, ast.Attribute) else ""


def _of_value(name: str, value: ast.expr, depth: int = 0) -> Iterator[tuple[str, Any]]:
    """The settings inside a dictionary or call; else the one value under its name."""
    if depth < 10 and isinstance(value, ast.Dict):
        for key, inner in zip(value.keys, value.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                yield from _of_value(key.value, inner, depth + 1)
    elif depth < 10 and isinstance(value, ast.Call):
        for keyword in value.keywords:
            if keyword.arg is not None:
                yield from _of_value(keyword.arg, keyword.value, depth + 1)
    elif name:
        yield name, _literal(value)


def _literal(value: ast.expr) -> Any:
    try:
        return ast.literal_eval(value)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return NotLiteral(ast.unparse(value)[:100])
