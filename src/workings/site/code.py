"""The Python of an entry and of its oracle, cut out of their modules, its pieces told apart."""

from __future__ import annotations

import ast
import inspect
import keyword
import tokenize
from collections.abc import Iterator
from functools import cache
from io import StringIO
from pathlib import Path
from types import FunctionType

from workings.derivation import Derivation
from workings.site.place import Listing, Runs

COUNTED = "counted"  # the anchor of the code that counts an entry
_KINDS = {tokenize.STRING: "string", tokenize.COMMENT: "comment", tokenize.NUMBER: "number"}


_DECLARES = ("def ", "class ", "@")


def listings(what: Derivation, behind: tuple[Runs, ...]) -> tuple[Listing, ...]:
    """How an entry is declared, and how it is counted a second way, with what runs then."""
    found = [Listing(f"The code of `{what.id}`", origin(what.module), pieces(_declared(what)))]
    if what.counted and isinstance(what.oracle, FunctionType):
        counted, file = pieces(inspect.getsource(what.oracle)), origin(what.oracle.__module__)
        found.append(Listing("The code that counts it", file, counted, COUNTED, runs=behind))
    return tuple(found)


def declares(text: str) -> bool:
    """Whether a statement of a module is a function or a class, and no letter, entry or constant."""
    return text.startswith(_DECLARES)


def origin(module: str) -> str:
    """The file of a module, as its package names it."""
    return f"{module.replace('.', '/')}.py"


def _declared(what: Derivation) -> str:
    """The statement of a module that declares an entry."""
    text, found = _statements(what.module)
    first, last = found[what.id]
    return "\n".join(text[first - 1 : last])


@cache
def _statements(module: str) -> tuple[list[str], dict[str, tuple[int, int]]]:
    """The lines of a module, and the first and last of those that declare each entry."""
    text = Path(inspect.getfile(__import__(module, fromlist=["x"]))).read_text(encoding="utf-8")
    calls = ((node, node.value) for node in ast.parse(text).body if isinstance(node, ast.Assign))
    return text.split("\n"), {
        str(call.args[0].value): (node.lineno, node.end_lineno or node.lineno)
        for node, call in calls
        if isinstance(call, ast.Call) and call.args and isinstance(call.args[0], ast.Constant)
    }


def pieces(text: str) -> tuple[tuple[str, str], ...]:
    """Python cut into pieces, each with its kind: keyword, string, comment, number, or none."""
    return tuple(_pieces(text.rstrip("\n")))


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    lines, at = text.split("\n"), (1, 0)
    for token in tokenize.generate_tokens(StringIO(text).readline):
        kind = _KINDS.get(token.type, "keyword" if keyword.iskeyword(token.string) else "")
        if not kind:
            continue
        if between := _between(lines, at, token.start):
            yield "", between
        yield kind, token.string
        at = token.end
    if rest := _between(lines, at, (len(lines), len(lines[-1]))):
        yield "", rest


def _between(lines: list[str], start: tuple[int, int], end: tuple[int, int]) -> str:
    """The text from one place to another; rows count from 1."""
    (row, column), (last, stop) = start, end
    if row == last:
        return lines[row - 1][column:stop]
    return "\n".join([lines[row - 1][column:], *lines[row : last - 1], lines[last - 1][:stop]])
