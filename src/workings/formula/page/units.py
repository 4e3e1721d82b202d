"""The units that words say, alone and over one another."""

from __future__ import annotations

import re
from collections.abc import Collection

from workings.formula.page.words import NOUNS, UNIT_WORDS, listed
from workings.units import UnitError, parse_unit

# Units that mathematics spells in italics behind a number, `$32.8 GB$`.
_BYTES = listed("kB KB MB GB TB PB KiB MiB GiB TiB PiB")
RATES = frozenset(
    word
    for word, unit in UNIT_WORDS.items()
    if word.isascii()
    and (unit.removesuffix("s").endswith("FLOP") or word.endswith("bps"))
    and len(word) > 3
)
_TIMES = listed("ms us ns sec hours days")


def is_unit(run: str, letters: Collection[str], *, glued: bool) -> bool:
    """Whether letters behind a number of mathematics are a unit and not letters of the document."""
    if run in RATES or (run in _BYTES and glued):
        return True
    if run in _BYTES:
        return not all(letter in letters for letter in run)
    return run in _TIMES and not any(letter in letters for letter in run)


def unit_of(words: str) -> str | None:
    r"""The unit that the words of a `\text{…}` say: `GiB`, `bytes/s`, `TFLOPs per GPU`."""
    parts = re.split(r"\s*(?:/|\bper\b|每)\s*", words.strip().strip("()."))
    if not 1 <= len(parts) <= 3 or parts[0] not in UNIT_WORDS:
        return None
    unit = UNIT_WORDS[parts[0]]
    for below in parts[1:]:
        if below in UNIT_WORDS:
            unit = ratio(unit, UNIT_WORDS[below])
        elif below.split(" ")[-1] not in NOUNS:
            return None
    return unit


def ratio(above: str, below: str) -> str:
    """One unit over another, where the tables know it."""
    text = f"{above}/{below}"
    if "/" in above or "/" in below:
        return above
    try:
        parse_unit(text)
    except UnitError:
        return above
    return text
