"""The programs that count results a second way: what runs behind oracles, a page for each module."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module

from workings import catalogue
from workings.derivation import Derivation
from workings.document.blocks import Document, Prose, Text
from workings.site.code import declares, origin, pieces
from workings.site.place import INDEX, Listing, Place, Runs, Way, entry_path
from workings.site.saying import first_sentence, marked, plainly
from workings.verification.reach import reached

SIMULATIONS, ENTRIES = "workings.simulate.", "workings.derivations."
MOST_LISTED = 60  # formulas that a page of a program lists; of more it says how many they are


def runs(what: Derivation) -> tuple[Runs, ...]:
    """The functions and classes behind its oracle, by module, in the order in which they stand there."""
    found: dict[str, list[str]] = {}
    for module, name, text in _behind(what):
        if declares(text):
            found.setdefault(module, []).append(name)
    return tuple(Runs(origin(one), program_path(one), tuple(names)) for one, names in found.items())


def program_places() -> Iterator[Place]:
    """A page for each module that an oracle reaches."""
    for module, (parts, users) in _programs().items():
        yield _place(module, parts, users)


def program_path(module: str) -> str:
    """Where the page of a module stands."""
    return f"code/{module.removeprefix('workings.').replace('.', '-')}.html"


def program_anchor(name: str) -> str:
    """What a function on it is led to by."""
    return f"def-{name}"


def _place(module: str, parts: Mapping[str, str], users: list[Derivation]) -> Place:
    title, said = _title(module), ast.get_docstring(ast.parse(_source(module))) or ""
    blocks = [Prose(marked(" ".join(part.split()))) for part in said.split("\n\n") if part]
    if len(users) > MOST_LISTED:
        blocks.append(Prose((Text(f"It runs behind {len(users)} of the formulas."),)))
        users = []
    named = {text: name for name, text in reversed(list(parts.items()))}  # one text may bind several
    listings = tuple(
        Listing(f"`{name}`", "", pieces(text), program_anchor(name), open=True)
        for text, name in reversed(list(named.items()))
    )
    beside = tuple(Way(plainly(what.title), entry_path(what.id)) for what in users)
    summary = f"What counts formulas a second way: {first_sentence(said) or title}"
    return Place(program_path(module), "Program", title, summary,
                 Document((Text(title),), tuple(blocks), {}), (Way("Start", INDEX),),
                 beside=beside, listings=listings)  # fmt: skip


@cache
def _programs() -> Mapping[str, tuple[Mapping[str, str], list[Derivation]]]:
    """By module: what oracles reach of it, by name, in the order of the file; and their entries."""
    texts: dict[str, dict[str, str]] = {}
    users: dict[str, list[Derivation]] = {}
    for what in catalogue.every():
        behind = _behind(what)
        for module, name, text in behind:
            texts.setdefault(module, {})[name] = text
        for module in dict.fromkeys(module for module, *_ in behind):
            users.setdefault(module, []).append(what)
    return {module: (_in_order(module, texts[module]), users[module]) for module in sorted(texts)}


def _behind(what: Derivation) -> list[tuple[str, str, str]]:
    """Module, name and text of what its oracle reaches, without itself and the tools of the library."""
    if not what.counted:
        return []
    itself = (what.oracle.__module__, what.oracle.__qualname__)
    found: dict[str, dict[str, str]] = {}
    for (module, name), text in reached(what.oracle).items():
        ours = module.startswith(SIMULATIONS) or (module.startswith(ENTRIES) and declares(text))
        if ours and (module, name) != itself:
            found.setdefault(module, {})[name] = text
    public_first = sorted(found, key=lambda module: (module.rpartition(".")[2].startswith("_"), module))
    return [(m, name, text) for m in public_first for name, text in _in_order(m, found[m]).items()]


def _in_order(module: str, texts: Mapping[str, str]) -> Mapping[str, str]:
    """Definitions by name, as they follow each other in their file."""
    whole = _source(module)
    return dict(sorted(texts.items(), key=lambda one: (whole.index(one[1]), one[0])))


@cache
def _source(module: str) -> str:
    return inspect.getsource(import_module(module))


def _title(module: str) -> str:
    return f"The program {origin(module).removeprefix('workings/')}"
