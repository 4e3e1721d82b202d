"""Letters of other notations, for a page that may be read in any of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from workings.derivation import Derivation
from workings.formula.readings.mathml import box_mathml
from workings.formula.readings.typeset import GREEK, letter
from workings.scenario import preset_names, read_preset
from workings.values.notation import NotationError, letters_in


def notations() -> Mapping[str, str]:
    """Every notation with whose letters they are."""
    return {name: str(read_preset("notation", name)["name"]) for name in preset_names("notation")}


def other_letters(what: Derivation) -> Mapping[str, Mapping[str, str]]:
    """For each notation the letters of an entry that it writes otherwise, as a page shows them."""
    found = {}
    for name in preset_names("notation"):
        try:
            letters = letters_in(what, _glyphs(name))
        except NotationError:  # one letter would stand for two things: the page keeps its own
            continue
        changed = {old: new for old, new in letters.items() if old != new}
        if changed:
            found[name] = {_shown(old): box_mathml(letter(new)) for old, new in changed.items()}
    return found


@cache
def _glyphs(notation: str) -> Mapping[str, str]:
    return dict(read_preset("notation", notation)["glyphs"])


def _shown(name: str) -> str:
    """The text of a letter on a page, its index behind a low line."""
    box = letter(name)
    base = GREEK.get(box.base, box.base)
    return f"{base}_{box.index}" if box.index else base
