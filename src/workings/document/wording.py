"""The words that pages say of themselves, such as “Question” and “points”, in their language."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent / "words"


@cache
def languages() -> tuple[str, ...]:
    """The languages that pages can be in."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))


@cache
def wording(language: str) -> Mapping[str, str]:
    """The words of a language, by what they are for."""
    found: dict[str, str] = tomllib.loads((_FOLDER / f"{language}.toml").read_text("utf-8"))
    return found


def points(marks: float, words: Mapping[str, str]) -> str:
    """`2 points`, `1 point`, `0.5 points`; nothing where there are none."""
    if not marks:
        return ""
    return words["point" if marks == 1 else "points"].format(f"{marks:g}")
