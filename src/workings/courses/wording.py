"""The words that a quiz says of itself, in the language of its handout."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent / "words"


@cache
def wording(language: str) -> Mapping[str, str]:
    """The words of a language, by what they are for."""
    found: dict[str, str] = tomllib.loads((_FOLDER / f"{language}.toml").read_text("utf-8"))
    return found
