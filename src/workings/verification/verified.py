"""What `workings verify` found, kept in verified.json and trusted only while its key fits.

The key is a hash of the chain, the results it uses, its oracle (with the simulations behind it) and the
prover. A page prints "proved" only from a fresh entry, and under which SymPy where that is not the one
installed: a proof stays one, though another version may find another.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from workings import catalogue
from workings.derivation import Derivation, Oracle, describe_use
from workings.system.files import write_atomically
from workings.verification.reach import reached

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
    entry = load(beside(what.topic, FILE)).get(what.id)
    return entry if entry is not None and entry["key"] == key(what) else None


def beside(topic: str, file: Path) -> Path:
    """The file for what was found of a chapter: ours, or one of that name beside somebody's own."""
    own = catalogue.own_folder()
    return own / file.name if topic == catalogue.OWN and own is not None else file


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
        what.oracle.__qualname__, _behind(what.oracle), _prover(),
    ]  # fmt: skip
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def standing(what: Derivation, entry: Mapping[str, Any]) -> str:
    """`Proved`, or `Proved under SymPy 1.13.3` where another version is installed.

    It is the entry's word, but the steps' alone where nothing counts the result a second way.
    """
    words = {entry["word"]} if what.counted else {step["word"] for step in entry["steps"]}
    word = str(words.pop() if len(words) == 1 else entry["word"]).capitalize()
    version = entry["sympy"]
    return word if version == sympy_version() else f"{word} under SymPy {version}"


def under_others(what: Iterable[Derivation]) -> dict[str, int]:
    """How many of these have a fresh entry under each version of SymPy that is not the one installed.

    Whether an entry is fresh takes longer to find than its version, so only the others are asked.
    """
    other = [one for one in what if _version_on_file(one) not in (None, sympy_version())]
    versions = Counter(entry["sympy"] for one in other if (entry := fresh(one)) is not None)
    return dict(sorted(versions.items()))


def _version_on_file(what: Derivation) -> str | None:
    """The version of SymPy that an entry names, fresh or not."""
    entry = load(beside(what.topic, FILE)).get(what.id)
    return None if entry is None else entry["sympy"]


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


_PROVER = ("formula/*.py", "proof/*.py", "derivation/evaluation.py", "verification/steps.py",
           "verification/oracle.py")  # fmt: skip


def _behind(oracle: Oracle) -> str:
    """A hash of an oracle and of everything that it reaches, in whatever module."""
    return _digest(f"{at}\0{text}" for at, text in sorted(reached(oracle).items()))


@cache
def _prover() -> str:
    """A hash of everything that turns a step or an oracle into a verdict."""
    here = Path(__file__).parents[1]
    files = sorted(path for pattern in _PROVER for path in here.glob(pattern))
    return _digest(path.read_text(encoding="utf-8") for path in files)


def _digest(texts: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


def split(found: Mapping[str, Any], kept: Iterable[str], file: Path) -> Iterator[tuple[Path, list[str]]]:
    """The ids of the catalogue, ours and somebody's own, with the file for what was found of them."""
    modules = catalogue.ids()
    own = [id_ for id_ in kept if modules.get(id_, "").startswith(f"{catalogue.OWN}.")]
    if set(found) - set(own) or not own:
        yield file, sorted(set(kept) - set(own))
    if own:
        yield beside(catalogue.OWN, file), sorted(own)


def save(entries: Mapping[str, Any], kept: Iterable[str], path: Path = FILE) -> None:
    """Write the entries over those on file; only ids in `kept` (the catalogue's) stay."""
    for file, ids in split(entries, kept, path):
        _save({id_: entry for id_, entry in {**load(file), **entries}.items() if id_ in ids}, file)


def _save(wanted: Mapping[str, Any], path: Path) -> None:
    text = json.dumps({"derivations": wanted}, indent=1, sort_keys=True, ensure_ascii=False)
    write_atomically(path, text + "\n")
    load.cache_clear()
