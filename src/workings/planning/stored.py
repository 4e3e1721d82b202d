"""The cost model as it was last built, kept beside it so that a search need not build it again.

Building parses every formula and imports the derivations that some are taken from: half of the time
of a whole search. The store carries a check sum of the files that it was made from; where they have
changed since, the model is built as if there were no store. `python -m workings.planning.stored`
writes it anew, and a test compares it with the model, statement by statement.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any
from zlib import crc32

from workings.formula import Add, Call, Expr, Name, Negative, Num, Power, Product
from workings.planning.letters import LETTERS
from workings.planning.statement import Plan, Statement
from workings.units import Dimension

ROOT = Path(__file__).parents[1]
STORE = Path(__file__).with_name("cost") / "plan.json"


@cache
def stored_plan() -> Plan:
    """The cost model, from its store where that is not stale."""
    kept: dict[str, Any] = json.loads(STORE.read_text(encoding="utf-8")) if STORE.is_file() else {}
    if kept.get("sum") != _sum(kept.get("files", ())):
        from workings.planning.cost import plan  # noqa: PLC0415 - what the store is there to avoid

        return plan()
    units = {text: Dimension(*map(Fraction, text.split())) for text in kept["units"]}
    read = _Reader()
    return Plan(LETTERS, tuple(
        Statement(letter, meaning, units[unit], read.tree(formula), *others)
        for letter, meaning, unit, formula, *others in kept["statements"]
    ))  # fmt: skip


def store() -> None:
    """Build the cost model and keep it."""
    others = Statement._fields[4:]
    statements = [
        [s.letter, s.meaning, _unit(s.unit), _written(s.formula), *(getattr(s, name) for name in others)]
        for s in _built()
    ]
    files = sorted({path.relative_to(ROOT).as_posix() for path in _sources()})
    kept = {
        "files": files, "sum": _sum(files), "units": sorted({row[2] for row in statements}),
        "statements": statements,
    }  # fmt: skip
    lines = json.dumps(kept, ensure_ascii=False).replace('], ["', '],\n["')
    STORE.write_text(lines + "\n", encoding="utf-8")


def _built() -> tuple[Statement, ...]:
    from workings.planning.cost import plan  # noqa: PLC0415 - only to write the store

    return plan().statements


def _sources() -> Iterator[Path]:
    """The files of the model, and those of the derivations that building it imported.

    Only a fresh process has imported no others, so this is for `python -m`.
    """
    yield from STORE.parent.glob("*.py")
    yield Path(__file__).with_name("statement.py")
    for name, module in sys.modules.items():
        if name.startswith("workings.derivations") and module.__file__:
            yield Path(module.__file__)


def _sum(files: Iterable[str]) -> int:
    """A check sum of some files; 0 where one is missing."""
    found = 0
    for file in files:
        path = ROOT / file
        if not path.is_file():
            return 0
        found = crc32(path.read_bytes(), crc32(file.encode(), found))
    return found


def _unit(unit: Dimension) -> str:
    return " ".join(map(str, unit.exponents))


def _written(node: Expr) -> Any:
    """A tree as lists: a name is text, anything else begins with its kind."""
    match node:
        case Num(value, unit, text):
            return ["n", str(value), unit, text]
        case Name(letter):
            return letter
        case Negative(operand):
            return ["-", _written(operand)]
        case Power(base, exponent):
            return ["^", _written(base), _written(exponent)]
        case Call(function, args):
            return [function, *map(_written, args)]
        case Add(first, rest) | Product(first, rest):
            signs = "".join(sign for sign, _ in rest)
            kind = "+" if isinstance(node, Add) else "*"
            return [kind, signs, _written(first), *(_written(part) for _, part in rest)]
    raise TypeError(f"the cost model has no {type(node).__name__}")


class _Reader:
    """Lists to trees; equal names and numbers become one node."""

    def __init__(self) -> None:
        self.leaves: dict[Any, Expr] = {}

    def tree(self, kept: Any) -> Expr:
        """The tree that `_written` wrote."""
        if isinstance(kept, str):
            if kept not in self.leaves:
                self.leaves[kept] = Name(kept)
            return self.leaves[kept]
        kind, *rest = kept
        if kind == "n":
            key = tuple(kept)
            if key not in self.leaves:
                self.leaves[key] = Num(Fraction(rest[0]), rest[1], rest[2])
            return self.leaves[key]
        if kind in ("+", "*"):
            first, *others = map(self.tree, rest[1:])
            return (Add if kind == "+" else Product)(first, tuple(zip(rest[0], others, strict=True)))
        first, *others = map(self.tree, rest)
        if kind == "-":
            return Negative(first)
        return Power(first, others[0]) if kind == "^" else Call(kind, (first, *others))


if __name__ == "__main__":
    store()
