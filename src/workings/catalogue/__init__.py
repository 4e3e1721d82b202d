"""Finds the derivations: concept modules under `derivations/`, chapter by chapter, in reading order.

A topic is a package and a chapter; its `SECTIONS` names its modules in the order in which one reads
them; a module declares its entries in theirs. Ids are found in the modules' text, so that one entry
is found without importing the others.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

from workings.derivation import Derivation
from workings.derivations import CHAPTERS
from workings.errors import UserError

FOLDER = Path(__file__).parents[1] / "derivations"
OWN = "own"  # the chapter of somebody's own formulas
SINGLE = 5  # entries that are each looked for alone, which is faster than reading where all of them are
_DECLARED = re.compile(r'^[A-Z][A-Z0-9_]* = (?:derivation|like)\(\s*"([a-z0-9-]+)"', re.MULTILINE)


class UnknownDerivationError(UserError):
    """No derivation of that id."""


@dataclass(frozen=True)
class Section:
    """A module of a chapter: what it is about, and its entries in reading order."""

    name: str
    title: str
    opening: str
    entries: tuple[Derivation, ...]


def add(folder: Path) -> None:
    """Add the modules of a folder as the chapter `own`: their Python runs. Raises UserError."""
    if not folder.is_dir():
        raise UserError(f"{folder}: found no folder, expected one with modules that declare derivations")
    chapter = ModuleType(f"workings.derivations.{OWN}", f"Formulas of one's own, from `{folder.name}`.")
    chapter.__path__ = [str(folder.resolve())]
    sys.modules[chapter.__name__] = chapter
    for cached in (ids, topics, sections, get):
        cached.cache_clear()
    if not _modules(OWN):
        raise UserError(f"{folder}: found no module, expected some that declare derivations")
    for path in _modules(OWN):
        try:
            _module(f"{OWN}.{path.stem}")
        except Exception as error:  # whatever somebody's module does wrong
            said = str(error).splitlines()[0] if str(error) else ""
            raise UserError(f"{path}: it cannot be imported: {type(error).__name__}: {said}") from error
    if not any(module.startswith(f"{OWN}.") for module in ids().values()):
        raise UserError(f"{folder}: found modules that declare nothing, expected `NAME = derivation(…)`")


def own_folder() -> Path | None:
    """The folder whose modules were added."""
    chapter = sys.modules.get(f"workings.derivations.{OWN}")
    return Path(chapter.__path__[0]) if chapter is not None else None


def _modules(chapter: str) -> list[Path]:
    """The files of a chapter's sections, by name."""
    own = own_folder()
    folder = own if chapter == OWN and own is not None else FOLDER / chapter
    return sorted(folder.glob("[!_]*.py"))


@cache
def ids() -> Mapping[str, str]:
    """The module of every id, such as `collectives.ring`."""
    found: dict[str, str] = {}
    for topic in topics():
        for path in _modules(topic):
            module = f"{topic}.{path.stem}"
            for id_ in _DECLARED.findall(path.read_text(encoding="utf-8")):
                if id_ in found:
                    raise UserError(f"{path}: it declares {id_}, which {found[id_]} declares too")
                found[id_] = module
    return found


@cache
def topics() -> tuple[str, ...]:
    """The chapters, in the order of the book; those that it does not name come last."""
    folders = sorted(path.parent.name for path in FOLDER.glob("*/__init__.py"))
    return tuple(dict.fromkeys((*CHAPTERS, *folders, *([OWN] if own_folder() else []))))


def introduction(topic: str) -> str:
    """What a chapter is about: the docstring of its package, on one line."""
    return " ".join((_module(topic.replace(" ", "_")).__doc__ or "").split())


@cache
def sections(topic: str) -> tuple[Section, ...]:
    """The sections of a chapter, in reading order; modules that it does not name come last."""
    folder = topic.replace(" ", "_")
    named = getattr(_module(folder), "SECTIONS", ())
    modules = (path.stem for path in _modules(folder))
    return tuple(_section(folder, name) for name in dict.fromkeys((*named, *modules)))


def _section(folder: str, name: str) -> Section:
    module = _module(f"{folder}.{name}")
    title, _, opening = (module.__doc__ or "").partition("\n")
    own = tuple(v for v in vars(module).values() if isinstance(v, Derivation))
    entries = tuple(what for what in own if what.module == module.__name__)
    return Section(name, title.strip().rstrip("."), " ".join(opening.split()), entries)


def _module(name: str) -> ModuleType:
    return import_module(f"workings.derivations.{name}")


def _meant(words: str) -> list[str]:
    """What somebody may look for who typed words and no id."""
    from workings.catalogue.search import find  # noqa: PLC0415 - it reads all entries

    return [found.entry.id for found in find(words[:200], 3)]


def _declaring(id_: str) -> str | None:
    """The module whose text declares an id as ours do: a tenth of the time that all ids take."""
    text = f'(\n    "{id_}",'.encode()
    for path in FOLDER.glob("*/[!_]*.py"):
        if text in path.read_bytes() and id_ in _DECLARED.findall(path.read_text(encoding="utf-8")):
            return f"{path.parent.name}.{path.stem}"
    return None


def _where(id_: str) -> str | None:
    """The module of an id; whoever asks for several reads all ids once instead of the texts each time."""
    if ids.cache_info().currsize or get.cache_info().currsize >= SINGLE:
        return ids().get(id_)
    return _declaring(id_) or ids().get(id_)


@cache
def get(id_: str) -> Derivation:
    """The derivation of this id. Raises UnknownDerivationError with the nearest names."""
    module = _where(id_)
    if module is None:
        near = get_close_matches(id_, ids(), 3) or _meant(id_)
        hint = f", did you mean {' or '.join(near)}?" if near else ", see `workings list`"
        raise UnknownDerivationError(f"no derivation {id_!r}{hint}")
    declared = (v for v in vars(_module(module)).values() if isinstance(v, Derivation))
    return next(what for what in declared if what.id == id_)


def every(topic: str | None = None) -> tuple[Derivation, ...]:
    """All derivations (of a topic), in reading order."""
    wanted = (topic or "").replace(" ", "_")
    found = (section for one in topics() if wanted in ("", one) for section in sections(one))
    return tuple(what for section in found for what in section.entries)
