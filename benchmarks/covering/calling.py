"""What published sources call the formulas that the catalogue has, for the search to read.

Whoever looks for a formula of a source asks in the source's words, which its list has. The words of a
formula that is matched with one entry are that entry's; where it takes several, they name none of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import tomli_w

from covering.lists import FOLDER, HAS, matches_of, sources
from workings.catalogue.search import CALLED

HEAD = "# What published sources call each entry; written by `python benchmarks/coverage.py words`.\n\n"


def called(folder: Path = FOLDER) -> Mapping[str, list[str]]:
    """Each entry's id, and the words of all formulas that it is matched with alone, each once."""
    words: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for source in sources(folder):
        matches = {one.formula: one for one in matches_of(source.name, folder) or ()}
        for formula in source.formulas:
            match = matches.get(formula.id)
            ids = set(match.entries.values()) if match and match.verdict in (*HAS, "part") else set()
            if len(ids) == 1:
                words[ids.pop()][formula.words] = None
    return {id_: list(words[id_]) for id_ in sorted(words)}


def written() -> str:
    """The file `CALLED` as the lists have it now."""
    return HEAD + tomli_w.dumps(called())


def is_current() -> bool:
    """Whether the file says what the lists say."""
    return CALLED.read_text(encoding="utf-8") == written()
