"""Where a long word of code may break into lines."""

from __future__ import annotations

import re

# What may not fit a column; ids stay whole, but no single word of 15 letters.
_LONG = re.compile(r"(?![a-z0-9-]+(?:\s|$))\S{14,}|[A-Za-z]{15,}")
_AFTER = re.compile(
    r"(?<=[^A-Za-z0-9\s])(?=[A-Za-z0-9\\])|(?<=[A-Za-z0-9])(?=[_^{])|(?<=[a-z]{8})(?=[a-z]{7})"
)


def parts_of(text: str) -> list[str]:
    """Code within a line, in parts between which it may break: one, where it holds no long word."""
    return _AFTER.split(text) if _LONG.search(text) else [text]
