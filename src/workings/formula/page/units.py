"""The units that words say, alone and over one another."""

from __future__ import annotations

import re

from workings.formula.page.words import NOUNS, UNIT_WORDS
from workings.units import UnitError, parse_unit


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
