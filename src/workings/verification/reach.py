"""What a piece of code reaches: the text of every definition of this package behind a name.

It is found in the sources, without running them: a function reaches the names it mentions, in whatever
module they are defined, and these reach theirs. What is not ours (Python, other packages) is no part.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

OURS = "workings"


@dataclass(frozen=True)
class Definition:
    """A statement of a module, its text and the names that it mentions."""

    text: str
    mentions: frozenset[str]


@dataclass(frozen=True)
class Module:
    """The definitions of a module by the names they bind, and where its imported names come from."""

    definitions: Mapping[str, Definition]
    imports: Mapping[str, tuple[str, str]]

    @cached_property
    def names(self) -> frozenset[str]:
        """What a mention may mean here; the rest is Python's own, or local."""
        return frozenset((*self.definitions, *self.imports))


def reached(function: Callable[..., Any]) -> Mapping[tuple[str, str], str]:
    """The text behind each (module, name) that a function reaches, one way or another.

    All of its module where it is made inside another function, whose arguments are not in the text.
    """
    module, name = function.__module__, function.__qualname__
    names = list(_module(module).definitions) if "<" in name else [name.split(".")[0]]
    found: dict[tuple[str, str], str] = {}
    waiting = [(module, one) for one in names]
    seen: set[tuple[str, str]] = set()
    while waiting:
        where, name = at = waiting.pop()
        if at in seen:
            continue
        seen.add(at)
        known = _module(where)
        if name in known.definitions:
            definition = known.definitions[name]
            found[at] = definition.text
            waiting += [(where, other) for other in definition.mentions & known.names]
        elif name in known.imports:
            waiting += _behind(*known.imports[name], module)
    return found


def _behind(module: str, name: str, root: str) -> Iterator[tuple[str, str]]:
    """An imported name where it is defined; all of a module that is imported whole."""
    if module.partition(".")[0] not in (OURS, root.partition(".")[0]):
        return
    whole = f"{module}.{name}"
    if _file(whole) is not None:
        yield from ((whole, defined) for defined in _module(whole).definitions)
    else:
        yield module, name


def _mentioned(node: ast.AST) -> frozenset[str]:
    """The names in a piece of code; a module's own among its locals are too many, never too few."""
    return frozenset(part.id for part in ast.walk(node) if isinstance(part, ast.Name))


@cache
def _module(name: str) -> Module:
    file = _file(name)
    if file is None:
        return Module({}, {})
    text = file.read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)
    definitions: dict[str, Definition] = {}
    imports: dict[str, tuple[str, str]] = {}
    package = name if file.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.parse(text).body:
        if isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            source = ".".join([*above, *([node.module] if node.module else [])])
            imports |= {alias.asname or alias.name: (source, alias.name) for alias in node.names}
        elif isinstance(node, ast.Import):
            for alias in node.names:
                parent, _, last = alias.name.rpartition(".")
                imports[alias.asname or alias.name] = (parent, last)
        else:
            first = min((d.lineno for d in getattr(node, "decorator_list", [])), default=node.lineno)
            whole = Definition("".join(lines[first - 1 : node.end_lineno]), _mentioned(node))
            definitions |= dict.fromkeys(_bound(node), whole)
    return Module(definitions, imports)


def _bound(node: ast.stmt) -> Iterator[str]:
    """The names that a statement binds."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
    else:
        yield from (
            part.id
            for part in ast.walk(node)
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
        )


@cache
def _file(module: str) -> Path | None:
    """The source of a module."""
    loaded = getattr(sys.modules.get(module), "__file__", None)
    if loaded is not None:
        return Path(loaded)
    try:
        spec = find_spec(module)
    except ModuleNotFoundError:
        return None
    return Path(spec.origin) if spec is not None and spec.origin else None
