"""An oracle counts, searches or simulates: it is never the first line of its chain in other words.

Told from the code that an oracle reaches, helpers and simulations included: somewhere in it a loop must
do different things in different rounds. Adding the same amount so many times is a product in disguise.
"""

import ast
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

from workings import catalogue
from workings.derivation import Oracle

ROOMS = ("workings.simulate", "workings.derivations")
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
LOOPS = (ast.For, ast.While, *_COMPREHENSIONS)


@cache
def tree_of(module: str) -> ast.Module:
    file = (sys.modules.get(module) or import_module(module)).__file__
    return ast.parse(Path(str(file)).read_text(encoding="utf-8"))


@cache
def declared(module: str) -> dict[str, ast.AST]:
    """What a module declares at its top: functions, classes, and names for what is made of them."""
    found: dict[str, ast.AST] = {}
    for node in tree_of(module).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found[node.name] = node
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found[node.targets[0].id] = node
    return found


@cache
def imported(module: str) -> dict[str, tuple[str, str]]:
    """Where the names that a module imports are declared."""
    room = module.rpartition(".")[0]
    return {
        alias.asname or alias.name: (
            node.module if not node.level else f"{room}.{node.module}",
            alias.name,
        )
        for node in ast.walk(tree_of(module))
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }


def reached(module: str, name: str, seen: set[tuple[str, str]]) -> Iterator[ast.AST]:
    """The code of a name, and of all that it mentions in these rooms."""
    if (module, name) in seen or not module.startswith(ROOMS):
        return
    seen.add((module, name))
    node = declared(module).get(name)
    if node is not None:
        yield node
        for other in sorted(names_in(node)):
            yield from reached(module, other, seen)
    elif name in imported(module):
        yield from reached(*imported(module)[name], seen)


def names_in(node: ast.AST) -> set[str]:
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}


def same_in_every_round(loop: ast.AST) -> bool:
    """Whether a loop only adds one amount up, so many times."""
    if isinstance(loop, ast.For):
        return _only_adds(loop)
    if not isinstance(loop, ast.ListComp | ast.SetComp | ast.GeneratorExp):
        return False
    changed = {name for part in loop.generators for name in names_in(part.target)}
    return not any(part.ifs for part in loop.generators) and not names_in(loop.elt) & changed


def _only_adds(loop: ast.For, changed: frozenset[str] = frozenset()) -> bool:
    """Whether every line of a loop's body, and of loops in it, does the same in every round."""
    sums = set[str]().union(*(names_in(n.target) for n in ast.walk(loop) if isinstance(n, ast.AugAssign)))
    changed = changed | names_in(loop.target) | sums
    left = {name for line in loop.body for name in _names(line, ast.Store)}
    for line in loop.body:
        read = _names(line, ast.Load)
        if isinstance(line, ast.For):
            same = not names_in(line.iter) & (changed | left) and _only_adds(line, changed)
        elif isinstance(line, ast.AugAssign):
            same = isinstance(line.op, ast.Add) and _named(line.target) and not read & (changed | left)
        else:
            same = isinstance(line, ast.Assign) and not read & (changed | left)
        if not same:
            return False
        left -= _names(line, ast.Store)  # what is set in this round is no remainder of an earlier one
    return True


def _named(target: ast.AST) -> bool:
    return isinstance(target, ast.Name)


def _names(node: ast.AST, use: type[ast.expr_context]) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, use)}


def counts(module: str, name: str) -> bool:
    """Whether what a function does takes more than arithmetic."""
    return any(
        isinstance(node, LOOPS) and not same_in_every_round(node)
        for code in reached(module, name, set())
        for node in ast.walk(code)
    )


def code_of(oracle: Oracle) -> tuple[str, str]:
    return oracle.__module__, oracle.__name__


def test_every_oracle_counts_searches_or_simulates() -> None:
    idle = [what.id for what in catalogue.every() if not counts(*code_of(what.oracle))]
    assert not idle, "their oracles are sums of equal amounts, or plain arithmetic"


def test_a_product_in_disguise_is_told_from_a_count() -> None:
    disguised = (
        "for _ in range(n): total += w",
        "for link in range(n):\n each = w / 2\n total += each + each",
        "for _ in range(n):\n for _ in range(m): total += w",
        "sum(w for _ in range(n))",
        "sum(w for _ in range(n) for _way in ('in', 'out'))",
    )
    counted = (
        "for k in range(n): total += k",
        "for _ in range(n): total += total",
        "for _ in range(n):\n lane = free.index(min(free))\n free[lane] += w",
        "for _ in range(n): rest = 1 + (1 - risk) * rest",
        "for _ in range(n): low, high = (low, (low + high) / 2)",
        "while knowing < n: knowing += 1",
        "sum(1 for a in range(n) if a % 2)",
        "{(a, b) for a in range(n) for b in range(m)}",
    )
    for source in (*disguised, *counted):
        loop = next(node for node in ast.walk(ast.parse(source)) if isinstance(node, LOOPS))
        assert same_in_every_round(loop) == (source in disguised), source
