"""Finds the derivations: one file each under `derivations/`, named for the id it declares.

`ring-all-reduce` is declared in `ring_all_reduce.py`, in whatever topic folder, so one entry is
found without importing the others.
"""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pathlib import Path

from workings.derivation import Derivation
from workings.errors import UserError

FOLDER = Path(__file__).parent / "derivations"


class UnknownDerivationError(UserError):
    """No derivation of that id."""


@cache
def files() -> dict[str, Path]:
    """The file of every id."""
    found: dict[str, Path] = {}
    for path in sorted(FOLDER.glob("*/*.py")):
        if path.stem.startswith("_"):
            continue
        id_ = path.stem.replace("_", "-")
        if id_ in found:
            raise ValueError(f"two files declare {id_}: {found[id_].name} in two folders")
        found[id_] = path
    return found


def topics() -> tuple[str, ...]:
    """The topic folders, in order."""
    return tuple(dict.fromkeys(path.parent.name for path in files().values()))


def introduction(topic: str) -> str:
    """What a topic is about: the docstring of its folder, on one line."""
    module = import_module(f"workings.derivations.{topic.replace(' ', '_')}")
    return " ".join((module.__doc__ or "").split())


@cache
def get(id_: str) -> Derivation:
    """The derivation of this id. Raises UnknownDerivationError with the nearest names."""
    path = files().get(id_)
    if path is None:
        near = get_close_matches(id_, files(), 3)
        hint = f", did you mean {' or '.join(near)}?" if near else ", see `workings list`"
        raise UnknownDerivationError(f"no derivation {id_!r}{hint}")
    module = import_module(f"workings.derivations.{path.parent.name}.{path.stem}")
    found = [v for v in vars(module).values() if isinstance(v, Derivation) and v.id == id_]
    if not found:
        raise UnknownDerivationError(f"{path.name} does not declare a derivation {id_!r}")
    return found[0]


def every(topic: str | None = None) -> tuple[Derivation, ...]:
    """All derivations (of a topic), those that others use before their users."""
    ordered: dict[str, Derivation] = {}

    def visit(what: Derivation) -> None:
        for use in what.uses.values():
            visit(use.derivation)
        ordered.setdefault(what.id, what)

    folder = (topic or "").replace(" ", "_")
    for id_, path in files().items():
        if not topic or path.parent.name == folder:
            visit(get(id_))
    return tuple(d for d in ordered.values() if not topic or files()[d.id].parent.name == folder)
