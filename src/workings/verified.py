"""What `workings verify` found, kept in verified.json and trusted only while its key fits.

The key is a hash of the chain, the results it uses, its oracle (with the simulations behind it) and the
prover. A page prints "proved" only from a fresh entry, and under which SymPy where that is not the one
installed: a proof stays one, though another version may find another.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from workings.derivation import Derivation, describe_use
from workings.files import write_atomically

FILE = Path(__file__).parent / "verified.json"


@cache
def load(path: Path = FILE) -> Mapping[str, Any]:
    """The entries by id; empty where the file is missing or broken."""
    if not path.is_file():
        return {}
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))["derivations"]
    except (ValueError, KeyError, TypeError):  # half merged, say: believe nothing of it
        return {}
    return entries if isinstance(entries, dict) else {}


def fresh(what: Derivation) -> Mapping[str, Any] | None:
    """The entry of a derivation as it is now, or None where it is missing or stale."""
    entry = load().get(what.id)
    return entry if entry is not None and entry["key"] == key(what) else None


_KEYS: dict[int, tuple[Derivation, str]] = {}


def key(what: Derivation) -> str:
    """The hash that an entry must carry to be believed."""
    known = _KEYS.get(id(what))
    if known is None or known[0] is not what:
        known = _KEYS[id(what)] = (what, _hash(what))
    return known[1]


def _hash(what: Derivation) -> str:
    parts = [
        what.id, what.chain, str(what.unit), *what.given, *(repr(row) for row in what.ledger),
        *(f"{n}:{c.name}:{c.domain.name}:{c.dimension}" for n, c in what.letters.items()),
        *(f"{n}={describe_use(u)}:{key(u.derivation)}" for n, u in what.uses.items()),
        what.oracle.__qualname__, _behind(what.oracle.__module__), _prover(),
    ]  # fmt: skip
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def standing(entry: Mapping[str, Any]) -> str:
    """`Proved`, or `Proved under SymPy 1.13.3` where another version is installed."""
    word, version = entry["word"].capitalize(), entry["sympy"]
    return word if version == sympy_version() else f"{word} under SymPy {version}"


def under_others(what: Iterable[Derivation]) -> dict[str, int]:
    """How many of these have a fresh entry under each version of SymPy that is not the one installed."""
    versions = Counter(entry["sympy"] for one in what if (entry := fresh(one)) is not None)
    return {version: count for version, count in sorted(versions.items()) if version != sympy_version()}


@cache
def sympy_version() -> str:
    """The installed SymPy's version, without importing it (a fifth of a second)."""
    spec = find_spec("sympy")
    release = Path(spec.origin if spec and spec.origin else ".").parent / "release.py"
    text = release.read_text(encoding="utf-8") if release.is_file() else ""
    if found := re.search(r'__version__ = "([^"]+)"', text):
        return found[1]
    from importlib.metadata import version  # noqa: PLC0415 - slow to load, and hardly ever needed

    return version("sympy")


_IMPORTED = re.compile(r"^\s*from (\.+\w*|workings\.(?:simulate|derivations)[\w.]*) import", re.MULTILINE)
_PROVER = ("formula/*.py", "proof/*.py", "evaluation.py", "verification.py")


@cache
def _behind(module: str) -> str:
    """A hash of an oracle's file and of everything `_sources` finds behind it."""
    return _digest(text for _, text in sorted(_sources(module).items()))


def _sources(module: str) -> dict[str, str]:
    """An oracle's file, and the simulations and helpers it imports, one way or another."""
    found: dict[str, str] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        file = getattr(sys.modules.get(name), "__file__", None)
        if name in found or file is None:
            continue
        text = Path(file).read_text(encoding="utf-8")
        found[name] = text
        package = name if file.endswith("__init__.py") else name.rpartition(".")[0]
        for imported in _IMPORTED.findall(text):
            full = f"{package}{imported}" if imported.startswith(".") else imported
            last = full.rpartition(".")[2]
            if ".simulate" in full or last.startswith("_"):
                waiting.append(full)
    return found


@cache
def _prover() -> str:
    """A hash of everything that turns a step or an oracle into a verdict."""
    here = Path(__file__).parent
    files = sorted(path for pattern in _PROVER for path in here.glob(pattern))
    return _digest(path.read_text(encoding="utf-8") for path in files)


def _digest(texts: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


def save(entries: Mapping[str, Any], kept: Iterable[str], path: Path = FILE) -> None:
    """Write the entries over those on file; only ids in `kept` (the catalogue's) stay."""
    merged = {**load(path), **entries}
    wanted = {id_: merged[id_] for id_ in sorted(kept) if id_ in merged}
    text = json.dumps({"derivations": wanted}, indent=1, sort_keys=True, ensure_ascii=False)
    write_atomically(path, text + "\n")
    load.cache_clear()
